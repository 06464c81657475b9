/** What came of a take: each thing asked for against what was measured, and against the take before. */
import { post } from "../api.js";
import { h } from "../dom.js";
import { clock, day, number } from "../format.js";
import { side, t } from "../i18n.js";
import { button, toast } from "../parts.js";
import { link } from "../router.js";
import { verdictOf } from "../views/progress.js";

const MARKS = { met: "✓", not_met: "✕", not_heard: "✕", not_measured: "–" };
const GRADES = ["again", "hard", "good", "easy"];

/** @param {object} take as `/api/sessions/{id}/take` has it @param {Map} titles of drills @param {(time) => void} seek */
export function drillPanel(take, titles, seek) {
  const { drill, result, comparison } = take;
  return h("section", { class: "result", "aria-label": t("drill.result") },
    h("div", null,
      h("p", { class: "label" }, t("drill.result")), h("p", { class: "verdict" }, t(verdictOf(result.passed))),
      h("ul", { class: "criteria" }, result.criteria.map((each) => criterion(each, comparison, seek))),
      comparison && compared(comparison, result)),
    h("div", { class: "setting", css: { "align-content": "start", gap: ".5rem" } },
      h("a", { class: "button strong", href: link("live", "", { drill, take: "again" }) }, t("drill.again")),
      h("a", { class: "button", href: link("live", "", { drill }) }, t("drill.other")),
      take.next.map((each) => h("a", { class: "linked", href: link("live", "", { drill: each.drill }) }, t("drill.next", { title: titles.get(each.drill) ?? each.drill }))),
      h("div", { class: "rowed", role: "group", "aria-label": t("drill.grade") }, GRADES.map((grade) => button(t(`grade.${grade}`), () => rate(take.session, grade), { kind: "small", "aria-pressed": String(result.grade === grade) })))));
}

async function rate(session, grade) {
  try {
    const { due } = await post(`/api/sessions/${encodeURIComponent(session)}/rating`, { grade });
    toast(t("drill.rated", { day: due ? day(due) : "–" }));
  } catch (error) {
    toast(error.message);
  }
}

const amount = (value, unit) => (value === null || value === undefined ? "" : unit === "s" ? clock(value) : unit === "share" ? `${Math.round(value * 100)} %` : number(value, 1));

function criterion({ id, asked, outcome, measured, unit, low, high, advice, evidence, required }, comparison, seek) {
  const pair = comparison?.criteria.find((each) => each.id === id);
  const bounds = [low !== null && `≥ ${amount(low, unit)}`, high !== null && `≤ ${amount(high, unit)}`].filter(Boolean).join(", ");
  return h("li", null, h("span", { class: outcome, role: "img", "aria-label": t(`outcome.${outcome}`) }, MARKS[outcome]),
    h("div", null, h("p", null, side(asked), !required && h("span", { class: "faint" }, ` ${t("drill.extra")}`)), advice && outcome !== "met" && h("p", { class: "faint" }, advice),
      (evidence ?? []).filter(({ quote }) => quote).slice(0, 2).map(({ quote, start }) => h("button", { type: "button", class: "quote link", onclick: () => seek(start) }, `“${quote}”`))),
    h("span", { class: "figures faint" }, amount(measured, unit), bounds && ` (${bounds})`, pair?.change ? ` · ${t(`change.${pair.change}`)}` : ""));
}

function compared({ added, seconds, thinking, earlier }, result) {
  const lacking = [...new Set(result.criteria.filter(({ missing, outcome }) => missing.length && outcome !== "met").map(({ asked }) => side(asked)))];
  return h("div", { class: "block" }, h("h3", { class: "label" }, t("drill.compared")),
    h("p", { class: "figures" }, t("drill.lengths", { before: clock(seconds[0]), now: clock(seconds[1]) }), thinking.every((each) => each !== null) ? ` · ${t("drill.thinking", { before: clock(thinking[0]), now: clock(thinking[1]) })}` : "", " · ", h("a", { href: link("replay", earlier) }, t("drill.earlier"))),
    added.length ? h("p", null, h("b", null, t("drill.added")), " ", added.join(" ")) : null,
    lacking.length ? h("p", null, h("b", null, t("drill.missing")), " ", lacking.join("; ")) : null);
}
