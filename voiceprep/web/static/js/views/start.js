/** The start: what comes next, and the programme of rounds. */
import { get } from "../api.js";
import { h } from "../dom.js";
import { clock, day, moment, range } from "../format.js";
import { side, t } from "../i18n.js";
import { goesOn, leftOff, level } from "../parts.js";
import { isDue } from "./drills.js";
import { prefs } from "../prefs.js";
import { link } from "../router.js";

export async function view() {
  const [{ rounds, problems }, loops, drills, live, { sessions }] = await Promise.all([
    get("/api/rounds"), get("/api/loops").catch(() => ({ loops: [], runs: [] })), get("/api/drills").catch(() => ({ drills: [] })), get("/api/live").catch(() => null), get("/api/sessions").catch(() => ({ sessions: [] })),
  ]);
  const groups = grouped(rounds, loops.loops);
  return {
    title: "",
    element: h("div", null,
      h("section", { class: "opening" },
        h("div", null, h("h1", null, t("start.title")), h("p", { class: "lede" }, t("start.lede"))),
        next(groups.map((group) => group.rounds), drills.drills, live, leftOff(sessions))),
      groups.map(({ loop, rounds: list }) => h("section", { class: "part" },
        h("header", null, h("h2", null, loop ? side(loop.title) : t("start.other")),
          loop && h("a", { class: "button small", href: link("loops", loop.id) }, t("start.loop", { count: list.length }))),
        h("ol", { class: "programme" }, list.map(row)))),
      problems?.length ? h("p", { class: "trouble" }, t("start.problems", { count: problems.length })) : null),
  };
}

/** The rounds of each loop in its order, then those of none. */
function grouped(rounds, loops) {
  const byId = new Map(rounds.map((each) => [each.id, each]));
  const groups = loops.map((loop) => ({ loop, rounds: loop.rounds.map((each) => byId.get(each.id ?? each)).filter(Boolean) }));
  const taken = new Set(groups.flatMap((group) => group.rounds.map(({ id }) => id)));
  const rest = rounds.filter(({ id }) => !taken.has(id));
  return rest.length ? [...groups, { loop: null, rounds: rest }] : groups;
}

function row(round, index) {
  const { id, title, tests, interviewer, minutes, last } = round;
  return h("li", { data: { round: id } },
    h("span", { class: "number figures", "aria-hidden": "true" }, index + 1),
    h("div", { class: "what" }, h("h3", null, h("a", { href: link("round", id) }, side(title))), h("p", { class: "about" }, side(tests))),
    h("p", { class: "sits" }, h("b", null, side(interviewer.name)), " ", side(interviewer.role)),
    h("p", { class: "minutes figures" }, range(minutes), " ", h("small", null, t("unit.minutes"))),
    h("p", { class: "last" }, last ? [last.level ? level(last.level) : null, " ", h("a", { class: "linked", href: link("replay", last.session) }, day(last.started))] : t("start.never")),
    h("a", { class: "button", href: link("round", id), "aria-label": t("start.open.round", { title: side(title) }) }, t("start.open")));
}

/** One thing to do now: go back to what runs or broke off, set up the sound once, a drill that is due, or the next round. */
function next(groups, drills, live, left) {
  const rounds = groups.flat();
  if (live?.session) {
    return card(t("start.running"), side(rounds.find(({ id }) => id === live.round)?.title) || live.round, t("start.running.text"),
      h("a", { class: "button strong", href: link("live", live.session) }, t("start.running.do")));
  }
  if (left) {
    return card(t("start.left"), side(rounds.find(({ id }) => id === left.round)?.title) || left.round, t("start.left.text", { when: moment(left.started), length: clock(left.duration) }),
      h("div", { class: "rowed" }, h("a", { class: "button strong", href: goesOn(left) }, t("sessions.on")), h("a", { class: "button plain", href: link("round", left.round) }, t("start.left.anew"))));
  }
  const due = drills.filter(isDue);
  if (!prefs().checked) {
    return card(t("start.first"), t("start.check"), t("start.check.text"),
      h("div", { class: "rowed" }, h("a", { class: "button strong", href: link("check") }, t("start.check.do")), h("a", { class: "button plain", href: link("round", rounds[0]?.id ?? "") }, t("start.check.skip"))));
  }
  if (due.length) {
    return card(t("start.due", { count: due.length }), side(due[0].title), side(due[0].goal),
      h("div", { class: "rowed" }, h("a", { class: "button strong", href: link("live", "", { drill: due[0].id }) }, t("drill.begin")), h("a", { class: "button plain", href: link("drills") }, t("start.due.all"))));
  }
  const held = rounds.filter(({ last }) => last).toSorted((a, b) => (a.last.started < b.last.started ? -1 : 1));
  const company = groups.find((group) => group.includes(held.at(-1))) ?? []; // whoever prepares for one goes on with it
  const fresh = [...company, ...rounds].find(({ last }) => !last) ?? held[0];
  if (!fresh) return null;
  return card(t("start.next"), side(fresh.title), side(fresh.tests), h("a", { class: "button strong", href: link("round", fresh.id) }, t("start.open")));
}

const card = (label, title, text, action) =>
  h("aside", { class: "next", "aria-label": label }, h("p", { class: "label" }, label), h("h2", null, title), h("p", { class: "quiet" }, text), h("div", null, action));
