/** How it develops: rounds, drills, pacing, and where the time went. */
import { get } from "../api.js";
import { barChart, lineChart } from "../charts/chart.js";
import { h } from "../dom.js";
import { clock, day, number } from "../format.js";
import { side, t } from "../i18n.js";
import { level, named } from "../parts.js";
import { link } from "../router.js";

export async function view() {
  const [progress, { rounds }, { drills }] = await Promise.all([get("/api/progress"), get("/api/rounds"), get("/api/drills")]);
  const titles = new Map([...rounds, ...drills].map((each) => [each.id, side(each.title)]));
  const nothing = !progress.rounds.length && !progress.drills.length && !progress.rules.length;
  const part = (title, about, ...content) => h("section", { class: "part" }, h("header", null, h("h2", null, title), about && h("p", { class: "faint" }, about)), h("div", { css: { "padding-top": "1.25rem" } }, content));
  return {
    title: t("nav.progress"),
    element: h("div", null,
      h("header", { class: "titles" }, h("h1", null, t("nav.progress")), h("p", { class: "lede" }, t("progress.lede"))),
      nothing ? h("p", { class: "empty" }, t("progress.none"), " ", h("a", { href: "#/" }, t("sessions.begin"))) : null,
      progress.rounds.length ? part(t("progress.rounds"), t("progress.rounds.about"), readiness(progress.rounds, titles), h("div", { class: "figures-grid", css: { "margin-top": "2rem" } }, progress.rounds.filter(({ points }) => points.filter((each) => each.level !== null).length > 1).map((each) => levels(each, titles)))) : null,
      progress.drills.length ? part(t("nav.drills"), t("progress.drills.about"), h("div", { class: "figures-grid" }, progress.drills.map((each) => takes(each, titles)))) : null,
      progress.rules.length ? part(t("progress.rules"), t("progress.rules.about"), h("div", { class: "figures-grid" }, progress.rules.map(rule))) : null,
      ledger(progress.ledger, titles, part)),
  };
}

/** One line a round: where it stands now. A gate, not an average: the last session that could be judged counts. */
function readiness(rounds, titles) {
  return h("ul", { class: "readiness" }, rounds.map(({ round, points }) => {
    const last = points.findLast(({ level: value }) => value !== null) ?? points.at(-1);
    return h("li", null, h("a", { href: link("round", round) }, titles.get(round) ?? round), level(last.level === null ? null : Math.round(last.level)),
      h("p", { class: "why figures" }, last.level === null && [t("progress.unscored"), " · "], t("progress.held", { count: points.length }), " · ", h("a", { href: link("replay", last.session) }, day(last.started))));
  }));
}

const levels = ({ round, points }, titles) => lineChart({ title: titles.get(round) ?? round, points: points.map(({ started, level: value }) => ({ at: started, value })), low: 0.8, high: 4.2, ticks: [[1, "1"], [2, "2"], [3, "3"], [4, "4"]], good: [3, 4.2], format: (value) => number(value, 1) });

function takes({ drill, takes: all }, titles) {
  const asked = Math.max(1, ...all.map((take) => take.asked));
  return lineChart({ title: titles.get(drill) ?? drill, points: all.map(({ started, met, asked: of, passed }) => ({ at: started, value: of ? met : null, text: `${met} / ${of}, ${t(verdictOf(passed))}` })), low: 0, high: asked, ticks: [[0, "0"], [asked, String(asked)]], good: [asked - 0.3, asked], format: (value) => `${value} / ${asked}` });
}

export const verdictOf = (passed) => (passed === true ? "drill.passed" : passed === false ? "drill.failed" : "drill.unjudged");

function rule({ rule: id, points }) {
  const high = Math.max(4, ...points.map((each) => each.rate ?? 0));
  const short = t("progress.short"); // as the terminal says it: one flag in a minute is no sixty an hour
  return lineChart({ title: named("rule", id), none: short, points: points.map(({ started, rate: value }) => ({ at: started, value, text: value === null ? short : undefined })), low: 0, high, ticks: [[0, "0"], [high, String(Math.round(high))]], format: (value) => t("progress.perhour", { count: number(value, 1) }) });
}

const TELLING = 600; // seconds of practice under which its share says nothing

function ledger(found, titles, part) {
  const total = found.total ?? 0;
  if (!total) return null;
  const by = (group) => Object.entries(group).map(([id, value]) => ({ name: titles.get(id) ?? id, value })).toSorted((a, b) => b.value - a.value);
  const rows = [...by(found.rounds), ...by(found.drills), ...(found.other ? [{ name: t("progress.other"), value: found.other, other: true }] : [])];
  return part(t("progress.time"), found.share === null || total < TELLING ? "" : t("progress.share", { share: Math.round(found.share * 100), wanted: Math.round(found.wanted * 100) }), h("div", { class: "figures-grid" }, barChart({ title: t("progress.total"), now: clock(total), rows, format: clock })));
}
