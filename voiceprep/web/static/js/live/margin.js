/** Flags stand in the margin, the newest on top, and fade to their name after a while. In an exam none arrive. */
import { fill, h } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { flagMark, named } from "../parts.js";
import { atNow } from "./state.js";

const REMARK_FOR = 12; // s: on a narrow screen a remark stands over the words, and goes again

export class Margin {
  constructor(mode) {
    this.list = h("ol", { class: "margin", "aria-label": t("live.flags") });
    this.calm = h("p", { class: "calm faint" }, t(mode === "exam" ? "live.flags.exam" : "live.flags.none"));
    this.element = h("aside", { class: "beside", "aria-label": t("live.flags") }, this.list, this.calm);
    this.seen = 0;
  }

  clear() {
    this.seen = 0;
    fill(this.list);
  }

  show(flags) {
    for (const { level, rule, end, advice } of flags.slice(this.seen)) {
      this.list.prepend(h("li", { class: `flag ${level}` }, flagMark(level),
        h("div", null, h("p", { class: "rule" }, named("rule", rule), h("span", { class: "figures faint" }, ` ${clock(end)}`)), h("p", { class: "advice" }, advice))));
    }
    this.seen = flags.length;
    this.calm.hidden = flags.length > 0;
  }

  /** With every frame of the screen. */
  age(state, now) {
    this.list.firstChild?.classList.toggle("old", atNow(state, now) - (state.flags.at(-1)?.at ?? 0) > REMARK_FOR);
  }
}
