/** The parts of the round side by side, as wide as their budgets, filling as time goes. */
import { h } from "../dom.js";
import { side, t } from "../i18n.js";
import { clock } from "../format.js";
import { atNow } from "./state.js";

export class SectionBar {
  /** @param {{id, title, budget}[]} sections of the round's map; none for a drill */
  constructor(sections) {
    this.sections = sections;
    this.fills = new Map();
    this.element = h("ol", { class: "sectionbar", "aria-label": t("live.sections") }, sections.map((section) => {
      const bar = h("i");
      const item = h("li", { css: { "flex-grow": section.budget }, title: `${side(section.title)} · ${clock(section.budget)}` },
        h("span", { class: "bar", "aria-hidden": "true" }, bar), h("span", { class: "name" }, side(section.title)));
      this.fills.set(section.id, { bar, item });
      return item;
    }));
  }

  show(state, now) {
    const at = atNow(state, now);
    for (const { id, budget } of this.sections) {
      const { bar, item } = this.fills.get(id);
      const current = state.section?.id === id;
      const seconds = current ? at - state.section.since : state.spent[id] ?? 0;
      bar.style.setProperty("--part", Math.min(1, seconds / budget).toFixed(4));
      item.classList.toggle("over", seconds > budget);
      item.classList.toggle("past", !current && id in state.spent);
      if (item.hasAttribute("aria-current") !== current) item.toggleAttribute("aria-current", current);
    }
  }

  /** "Background 3:10 / 7:00", or "". */
  where(state, now) {
    if (!state.section) return "";
    const title = side(this.sections.find(({ id }) => id === state.section.id)?.title) || state.section.id;
    return `${title} ${clock(Math.max(0, atNow(state, now) - state.section.since))} / ${clock(state.section.budget)}`;
  }
}
