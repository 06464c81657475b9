/** Pieces that several views are made of. */
import { fill, h, icon, svg } from "./dom.js";
import { known, t } from "./i18n.js";
import { ICONS } from "./icons.js";
import { link } from "./router.js";

export const waiting = () => h("p", { class: "waiting", role: "status" }, t("page.waiting"));

/** What went wrong, as a sentence with its mend; never a stack of calls. */
export function failed(error, again) {
  const text = error.status === 0 ? t("error.unreachable") : error.status === 401 || error.status === 403 ? t("error.token") : error.message;
  if (error.status === undefined) console.error(error);
  return h("div", { class: "trouble", role: "alert" },
    h("p", null, error.status === undefined ? t("error.page", { what: error.message }) : text),
    error.hint && h("p", { class: "hint" }, error.hint),
    again && h("p", { class: "rowed" }, error.status === 404 // what is not there is not there the second time either
      ? h("a", { class: "button small", href: "#/" }, t("do.back"))
      : h("button", { class: "button small", type: "button", onclick: again }, t("do.again"))));
}

/** The address at which a session goes on that broke off. */
export const goesOn = ({ id, round, language, mode }) => link("live", "", { round, lang: language, mode, resumes: id });

/** The last round that was held, if it can be gone on with; else null: what was held since has taken its place. `sessions`: newest first. */
export function leftOff(sessions) {
  const last = sessions.find(({ goes_on, round, ended, demonstration, models }) => goes_on || (round && ended && !demonstration && models.voice));
  return last?.goes_on ? last : null;
}

/** A line at the edge of the page for a few seconds; with something that can be done about it, for longer. */
export function toast(text, action) {
  const place = document.getElementById("toasts");
  const line = h("div", { class: "toast" }, h("span", null, text));
  const gone = setTimeout(() => line.remove(), action ? 12000 : 4500);
  if (action) {
    line.append(h("button", { type: "button", onclick: () => { clearTimeout(gone); line.remove(); action.run(); } }, action.text));
  }
  place.append(line);
}

/** Said by a screen reader, seen by nobody. */
export function announce(text) {
  const place = document.getElementById("announcer");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
}

/** A level of 1 to 4, as marks on a line; null: no evidence. */
export function level(value, text = null) {
  const label = text ?? (value ? t("level.of", { level: value, name: t(`level.${value}`) }) : t("level.none"));
  return h("span", { class: "level", role: "img", "aria-label": label, title: label, data: { level: value ?? 0 } },
    [1, 2, 3, 4].map((each) => h("i", { class: value && each <= value ? "on" : null })));
}

/** Ask before something that cannot be taken back. Resolves to whether it is wanted. */
export function confirm(title, text, doIt) {
  return new Promise((done) => {
    const box = h("dialog", { "aria-labelledby": "confirm-title", onclose: () => { box.remove(); done(box.returnValue === "yes"); } });
    fill(box, h("h2", { id: "confirm-title" }, title), h("p", null, text),
      h("form", { method: "dialog", class: "actions" },
        h("button", { class: "button", value: "no", autofocus: true }, t("do.cancel")),
        h("button", { class: "button strong", value: "yes" }, doIt)));
    document.body.append(box);
    box.showModal();
  });
}

/** The name of a pacing rule, a signal or a trap: the page's words, or the server's id made readable. */
export function named(group, id) {
  return known(`${group}.${id}`) ?? id.replaceAll("_", " ").replaceAll("-", " ");
}

/** A mark for a level of a flag: its shape differs with its colour. */
export function flagMark(level) {
  const shapes = { notice: "M2 6h8", warning: "M6 1.5L11 10.5H1z", fail: "M1.5 1.5h9v9h-9z" };
  return svg("svg", { viewBox: "0 0 12 12", class: `flag-mark ${level}`, "aria-hidden": "true" },
    svg("path", { d: shapes[level] ?? shapes.notice, fill: level === "notice" ? "none" : "currentColor", stroke: "currentColor", "stroke-width": level === "notice" ? 3 : 1 }));
}

export const button = (text, run, { kind = "", drawing = "", ...more } = {}) =>
  h("button", { class: `button ${kind}`, type: "button", onclick: run, ...more }, drawing && icon(ICONS[drawing]), text);

/** The fermata: hold as long as it takes. */
export function fermata(attributes = {}) {
  return svg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true", ...attributes },
    svg("path", { d: "M4 22a12 12 0 0 1 24 0", fill: "none", stroke: "currentColor", "stroke-width": "2.4", "stroke-linecap": "round" }),
    svg("circle", { cx: "16", cy: "21.4", r: "2.7", fill: "currentColor" }));
}

/** A command for the terminal, with a button that copies it. */
export const command = (line) => h("p", { class: "rowed" }, h("code", null, line), button(t("do.copy"), async () => {
  await navigator.clipboard?.writeText(line).catch(() => {});
  toast(t("do.copied"));
}, { kind: "small" }));

/** Where there is no microphone: how a recording speaks in its place, or is analysed by itself. */
export function recordingInstead({ round = "", drill = "" } = {}) {
  const spoken = drill ? `drill ${drill}` : round ? `practice ${round}` : "";
  return h("section", { class: "instead" }, h("p", { class: "faint" }, t("microphone.file")),
    spoken && command(`voiceprep ${spoken} --mic FILE`), command(`voiceprep analyze FILE --save${round ? ` --round ${round}` : ""}`));
}
