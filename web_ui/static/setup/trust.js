// How a phone is told to trust the table: the steps for this kind of device are opened. They can be read without a script.

for (const steps of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('details[data-for]'))) steps.open = RegExp(steps.dataset.for).test(navigator.userAgent);
