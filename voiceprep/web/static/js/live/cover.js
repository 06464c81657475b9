/** What lies over the stage while there is nothing to be seen on it: it opens, loads, was refused, was taken over, is gone. */
import { fill, h } from "../dom.js";
import { problem, t } from "../i18n.js";
import { button, failed, fermata, recordingInstead } from "../parts.js";
import { reasonOf } from "./microphone.js";

const back = (key = "do.back", kind = "plain") => h("a", { class: `button ${kind}`, href: "#/" }, t(key));

export class Cover {
  constructor() {
    this.element = h("div", { class: "overlay", role: "status" });
  }

  hide() {
    this.element.hidden = true;
  }

  show(...children) {
    this.element.hidden = false;
    fill(this.element, h("div", { class: "sheet" }, children));
  }

  waiting(key, more = "") {
    this.show(fermata({ class: "holding" }), h("p", { class: "lede" }, t(key)), more, h("p", null, back("do.cancel")));
  }

  /** The end was asked for: what is still being written down and kept takes some seconds, and nothing is to be done meanwhile. */
  saving() {
    this.show(fermata({ class: "holding" }), h("p", { class: "lede" }, t("live.saving")), h("p", null, h("a", { class: "button plain", href: "#/sessions" }, t("live.gone.do"))));
  }

  failed(error, again) {
    this.show(failed(error, again));
  }

  /** @param {object} wanted of the session: a recording can be analysed in its place */
  noMicrophone(error, wanted, { again, device }) {
    const key = reasonOf(error);
    this.show(h("h1", null, t("microphone.title")), h("p", { class: "lede" }, t(key)), h("p", { class: "faint" }, t(`${key}.mend`)),
      h("p", { class: "rowed" }, button(t("do.again"), again, { kind: "strong" }), button(t("microphone.device"), device), back()),
      recordingInstead(wanted));
  }

  gone() {
    this.show(h("h1", null, t("live.gone.title")), h("p", { class: "lede" }, t("live.gone.text")), h("p", { class: "rowed" }, h("a", { class: "button strong", href: "#/sessions" }, t("live.gone.do"))));
  }

  /** The session is held in another tab, or this one lost it to one: `name` is `other` or `taken`. */
  elsewhere(name, take) {
    this.show(h("h1", null, t(`live.${name}.title`)), h("p", { class: "lede" }, t(`live.${name}.text`)),
      h("p", { class: "rowed" }, button(t(`live.${name}.do`), take, { kind: "strong" }), back("do.back", "")));
  }

  refused({ code, message, hint }, again) {
    const told = problem({ code, message });
    this.show(h("h1", null, t("live.refused.title")), h("div", { class: "trouble" }, h("p", null, told), told === message && hint && h("p", { class: "hint" }, hint)),
      h("p", { class: "rowed" }, button(t("do.again"), again, { kind: "strong" }), h("a", { class: "button", href: "#/doctor" }, t("nav.doctor")), back()));
  }
}
