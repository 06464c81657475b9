/** Drills: short, to the clock, again and again. Due ones first. */
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { clock, day } from "../format.js";
import { language, side, t } from "../i18n.js";
import { prefs } from "../prefs.js";
import { link } from "../router.js";
import { verdictOf } from "./progress.js";

export async function view() {
  const [{ drills }, { rounds }] = await Promise.all([get("/api/drills"), get("/api/rounds")]);
  const titles = new Map(rounds.map((each) => [each.id, side(each.title)]));
  const list = new Drills(drills, titles);
  return { title: t("nav.drills"), element: list.element };
}

class Drills {
  constructor(drills, titles) {
    Object.assign(this, { drills, titles, round: "" });
    this.list = h("div");
    const used = [...new Set(drills.flatMap(({ rounds }) => rounds))];
    this.element = h("div", null,
      h("header", { class: "titles row" }, h("div", null, h("h1", null, t("nav.drills")), h("p", { class: "lede" }, t("drills.lede"))),
        h("label", { class: "field" }, h("span", null, t("sessions.round")), h("select", { onchange: ({ target }) => { this.round = target.value; this.render(); } }, h("option", { value: "" }, t("drills.all")), used.map((id) => h("option", { value: id }, this.titles.get(id) ?? id))))),
      this.list);
    this.render();
  }

  render() {
    const shown = this.drills.filter(({ rounds }) => !this.round || rounds.includes(this.round));
    const due = shown.filter(isDue);
    const rest = shown.filter((drill) => !isDue(drill));
    fill(this.list, due.length ? this.part(t("drills.due", { count: due.length }), due) : null, rest.length ? this.part(t(due.length ? "drills.others" : "drills.each", { count: rest.length }), rest) : null);
  }

  part(title, drills) {
    return h("section", { class: "part" }, h("header", null, h("h2", null, title)), h("ol", { class: "drills" }, drills.map((drill) => this.row(drill))));
  }

  row(drill) {
    const { id, title, goal, rounds, budget, last, due } = drill;
    const own = prefs();
    return h("li", { data: { drill: id } },
      h("div", null, h("h3", null, side(title)), goal && h("p", { class: "goal" }, side(goal)), h("p", { class: "faint" }, rounds.map((round) => this.titles.get(round) ?? round).join(" · "))),
      h("p", { class: "figures faint" }, budget ? t("drills.budget", { time: clock(budget) }) : ""),
      h("p", { class: "faint" }, last ? [h("a", { href: link("replay", last.session) }, t(last.complete || last.passed ? verdictOf(last.passed) : "drill.unfinished")), h("br"), day(last.started)] : t("start.never"), isDue(drill) ? h("span", { class: "due" }, ` ${t("drills.now")}`) : due ? h("span", null, h("br"), t("drills.on", { day: day(due) })) : ""),
      h("a", { class: "button", href: link("live", "", { drill: id, lang: own.lang || language(), take: goesOn(last) ? "resume" : "" }), "aria-label": t("drills.begin", { title: side(title) }) }, t(goesOn(last) ? "drill.resume" : "drill.begin")));
  }
}

/** Practised before, and its day has come. */
export const isDue = (drill) => drill.is_due;

/** Whether its last take is waited for: it was broken off, and had not passed by then. */
const goesOn = (last) => Boolean(last && !last.complete && !last.passed);
