/** Elements as values. Text is only ever set as text, so nothing that was said or imported can become markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Attributes by name; `on*` are listeners, `class` a string, `data` an object, properties that only
 * exist as such (`value`, `checked`, `hidden`, ...) are set as properties; null, undefined and false leave one out.
 */
export function h(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "selected", "open", "htmlFor", "indeterminate"]);

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "css") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else if (PROPERTIES.has(name) && name in element) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  put(element, children);
  return element;
}

/** Append children: nodes, text, numbers, arrays of them; null and false are nothing. */
export function put(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Put these children in the place of what is there. */
export function fill(element, ...children) {
  element.replaceChildren();
  return put(element, children);
}

/** One of the line drawings of js/icons.js. Decoration: the words beside it say the same. */
export function icon(path) {
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": "1.6", "stroke-linecap": "round", "stroke-linejoin": "round" },
    svg("path", { d: path }));
}

/** A set of radio buttons that reads as one switch. `choices`: [value, label] pairs. */
export function choice(name, legend, choices, value, changed) {
  return h("fieldset", { class: "switch" }, h("legend", { class: "unseen" }, legend),
    choices.map(([each, label]) => h("label", null,
      h("input", { type: "radio", name, value: each, checked: each === value, onchange: () => changed(each) }), h("span", null, label))));
}

let numbered = 0;
/** An id that no other element has. */
export function fresh(prefix) {
  numbered += 1;
  return `${prefix}-${numbered}`;
}
