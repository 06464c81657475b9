/** Keys. A view hands over its own; the sheet on `?` lists them with those that always work. */
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { go } from "./router.js";

let own = [];

/**
 * Keys of the view that is shown: `{key, text, run, up}`; `key` as `KeyboardEvent.key` ("n", " ", "ArrowLeft", "Shift+F").
 * Returns what takes them back.
 */
export function keys(list) {
  own = list;
  return () => {
    if (own === list) own = [];
  };
}

const EVERYWHERE = [
  { key: "?", text: "shortcuts.sheet", run: () => showShortcuts() },
  { key: "g", text: "shortcuts.start", run: () => go("") },
];

/** Whether keys belong to what has the focus: somebody writes, or a control of its own takes them. */
function busy(event) {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("dialog[open]")) return true;
  if (at.isContentEditable || at.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=range])")) return true;
  const presses = [" ", "Enter"].includes(event.key) && at.matches?.("button, a, summary, input, [role=button], [role=slider]");
  const moves = event.key.startsWith("Arrow") && at.matches?.("input, [role=slider], [role=tab]");
  return presses || moves;
}

/** By what a key may be called: with Shift first, and without, since a mark such as "?" may need it and a letter may be typed so. */
const namesOf = ({ key, shiftKey }) => (shiftKey ? [`Shift+${key}`, ...(key.length > 1 ? [] : [key])] : [key]);

function find(event) {
  const all = [...own, ...EVERYWHERE];
  return namesOf(event).map((name) => all.find(({ key }) => key.toLowerCase() === name.toLowerCase())).find(Boolean);
}

export function install() {
  addEventListener("keydown", (event) => {
    if (busy(event)) return;
    const found = find(event);
    if (!found) return;
    event.preventDefault();
    if (!event.repeat || found.repeats) found.run(event);
  });
  addEventListener("keyup", (event) => find(event)?.up?.(event));
}

const READABLE = { " ": "␣", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "⏎", Escape: "Esc", "Shift+ArrowLeft": "⇧ ←", "Shift+ArrowRight": "⇧ →" };
export const keyName = (key) => READABLE[key] ?? key.toUpperCase();

export function showShortcuts() {
  const rows = (list) => list.map(({ key, text }) => [h("dt", null, h("kbd", null, keyName(key))), h("dd", null, t(text))]);
  const sheet = h("dialog", { "aria-labelledby": "shortcuts-title", onclose: () => sheet.remove() });
  fill(sheet, h("h2", { id: "shortcuts-title" }, t("shortcuts.title")),
    h("dl", { class: "shortcuts" }, rows(own), rows(EVERYWHERE)),
    h("form", { method: "dialog", class: "actions" }, h("button", { class: "button strong", autofocus: true }, t("do.close"))));
  document.body.append(sheet);
  sheet.showModal();
}
