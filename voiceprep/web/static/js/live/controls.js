/** What the candidate can do in the live view, by button and by key: each is a deed of the stage. */
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { ICONS } from "../icons.js";

/** The buttons by name, and the toolbar that holds them. */
export function controlsOf(stage) {
  const control = (name, key, run, more = {}) => h("button", { type: "button", class: `control ${name}`, onclick: run, ...more },
    icon(ICONS[more.drawing ?? name]), h("span", { class: "text" }, t(`live.do.${name}`)), h("kbd", null, key));
  const talk = control("talk", "␣", null, { drawing: "microphone" });
  talk.addEventListener("pointerdown", () => stage.talk(true));
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) talk.addEventListener(end, () => stage.talk(false));
  const buttons = {
    mute: control("mute", "M", () => stage.mute(), { drawing: "muted", "aria-pressed": "false" }), talk,
    push: control("push", "T", () => stage.push(), { drawing: "microphone", "aria-pressed": "false" }),
    hand: control("hand", "⏎", () => stage.handOver(), {}),
    note: control("note", "N", () => stage.note()),
    pause: control("pause", "P", () => stage.pause(), { "aria-pressed": "false" }),
    end: control("end", "Esc", () => stage.end()),
  };
  return { buttons, element: h("div", { class: "controls", role: "toolbar", "aria-label": t("live.controls") }, Object.values(buttons)) };
}

/** The keys, for shortcuts.js: what they do and how the help calls it. */
export function keysOf(stage) {
  return [
    { key: "Enter", text: "live.key.hand", run: () => stage.handOver() },
    { key: " ", text: "live.key.talk", run: () => stage.talk(true), up: () => stage.talk(false) },
    { key: "t", text: "live.key.push", run: () => stage.push() },
    { key: "m", text: "live.key.mute", run: () => stage.mute() },
    { key: "n", text: "live.key.note", run: () => stage.note() },
    { key: "Shift+N", text: "live.key.words", run: () => noteInWords(stage) },
    { key: "p", text: "live.key.pause", run: () => stage.pause() },
    { key: "c", text: "live.key.captions", run: () => stage.element.classList.toggle("no-words") },
    { key: "Escape", text: "live.key.end", run: () => stage.end() },
  ];
}

/** With words: the moment is marked at once by the server's clock when it is sent, so writing is kept short. */
function noteInWords(stage) {
  const field = h("input", { type: "text", maxlength: "2000", "aria-label": t("live.note.text"), autofocus: true });
  const box = h("dialog", { onclose: () => box.remove() }, h("h2", null, t("live.note.title")),
    h("form", { method: "dialog", onsubmit: () => field.value.trim() && stage.line.say("note", { text: field.value.trim() }) }, field,
      h("div", { class: "actions" }, h("button", { class: "button strong" }, t("do.save")))));
  stage.element.append(box);
  box.showModal();
}
