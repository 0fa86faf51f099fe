import js from '@eslint/js';
import globals from 'globals';

export default [
  { ...js.configs.recommended, languageOptions: { globals: globals.browser, sourceType: 'module' } },
  { rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }], eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error' } },
];
