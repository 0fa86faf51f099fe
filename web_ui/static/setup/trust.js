// Opens the steps for this kind of device to trust the table; they are readable without a script too.

for (const steps of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('details[data-for]'))) steps.open = RegExp(steps.dataset.for).test(navigator.userAgent);
