// Making elements.

let count = 0;

/** An element with attributes and children; attributes that are false or undefined are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false)
      made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function uniqueId(name) {
  count += 1;
  return `${name}-${count}`;
}

/** A copy of a template's one element, and its parts by their `data-part`. */
export function fromTemplate(id) {
  const root = document.getElementById(id).content.firstElementChild.cloneNode(true);
  const parts = Object.fromEntries(
    [...root.querySelectorAll("[data-part]")].map((each) => [each.dataset.part, each]),
  );
  return { root, parts };
}
