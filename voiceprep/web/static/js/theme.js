/** Light, dark, or as the system has it. */
const ORDER = ["system", "light", "dark"];

export const theme = () => document.documentElement.dataset.theme ?? "system";

export function nextTheme() {
  put(ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length]);
  dispatchEvent(new Event("theme"));
}

function put(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  localStorage.setItem("voiceprep.theme", name);
}

put(ORDER.includes(localStorage.getItem("voiceprep.theme")) ? localStorage.getItem("voiceprep.theme") : "system");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("theme")));

const colours = new Map();
addEventListener("theme", () => colours.clear());

/** A colour of the sheet by its name in tokens.css, for canvases. Remembered: asking the document costs, sixty times a second. */
export function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}
