/** The map of one round, and the desk from which it is begun. */
import { get } from "../api.js";
import { choice, fill, h } from "../dom.js";
import { clock, moment, range } from "../format.js";
import { language, side, t } from "../i18n.js";
import { Presence } from "../live/presence.js";
import { goesOn, leftOff } from "../parts.js";
import { prefer, prefs } from "../prefs.js";
import { link } from "../router.js";

export async function view({ id, values }) {
  const [round, { sessions }, { drills }, { lenses }] = await Promise.all([
    get(`/api/rounds/${encodeURIComponent(id)}`, { lens: values.get("lens") }), get("/api/sessions"), get("/api/drills").catch(() => ({ drills: [] })), get("/api/rounds"),
  ]);
  const held = sessions.filter((each) => each.round === id);
  const face = new Presence(round.interviewer.id);
  face.show("listening");
  return {
    title: side(round.title),
    element: h("div", null,
      h("header", { class: "titles" }, h("p", { class: "crumb" }, h("a", { href: "#/" }, t("nav.practise"))), h("h1", null, side(round.title)), h("p", { class: "lede" }, side(round.tests))),
      h("div", { class: "roundmap" },
        h("section", { "aria-labelledby": "plan" },
          h("h2", { id: "plan", class: "label" }, t("round.plan", { minutes: range(round.minutes) })),
          h("div", { class: "widths", "aria-hidden": "true" }, round.sections.map(({ budget }) => h("i", { css: { "flex-grow": budget } }))),
          h("ol", { class: "plan" }, round.sections.map(section)),
          beneath(held, drills.filter(({ rounds }) => rounds.includes(id)))),
        desk(round, face, lenses ?? [], leftOff(held)))),
  };
}

/** What was done of it already, and what trains it. */
function beneath(sessions, drills) {
  const list = (title, rows) => (rows.length ? h("section", null, h("h2", { class: "label" }, title), h("ul", { class: "plain-list" }, rows)) : null);
  return h("div", { class: "beneath" },
    list(t("round.before"), sessions.slice(0, 5).map(({ id, started, duration, demonstration }) => h("li", null, h("a", { href: link("replay", id) }, moment(started)), demonstration && h("span", { class: "badge" }, t("sessions.demonstration")), h("span", { class: "figures faint" }, clock(duration))))),
    list(t("round.drills"), drills.map((drill) => h("li", null, h("a", { href: link("live", "", { drill: drill.id }) }, side(drill.title))))));
}

/** Its name and its minutes. What will be asked is not told: who wants to know has the files. */
function section({ title, budget, kind, questions }) {
  const count = questions?.length ?? 0;
  return h("li", null, h("p", { class: "budget figures" }, clock(budget)),
    h("div", null, h("h3", null, side(title)), h("p", { class: "how" }, kind === "reverse" ? t("round.reverse") : count ? t("round.questions", { count }) : "")));
}

function desk(round, face, lenses, left) {
  const start = h("a", { class: "button strong" });
  const redo = () => {
    const own = prefs();
    start.href = link("live", "", { round: round.id, lang: own.lang || (language() === "zh" ? "zh" : "en"), mode: own.mode, severity: own.severity || null, lens: own.lens });
    fill(start, t("round.begin"));
  };
  const set = (values) => {
    prefer(values);
    redo();
  };
  redo();
  const own = prefs();
  const setting = (label, control, about = "") => h("div", { class: "setting" }, h("span", { class: "label" }, label), control, about && h("p", { class: "faint" }, about));
  return h("aside", { class: "desk-card", "aria-label": t("round.desk") },
    h("div", { class: "who" }, face.element, h("div", null, h("h2", null, side(round.interviewer.name)), h("p", { class: "faint" }, side(round.interviewer.role)))),
    left && setting(t("start.left"), h("a", { class: "button", href: goesOn(left) }, t("sessions.on")), t("start.left.text", { when: moment(left.started), length: clock(left.duration) })),
    setting(t("round.language"), choice("language", t("round.language"), [["en", "English"], ["zh", "中文"], ["mixed", t("language.mixed")]], own.lang || (language() === "zh" ? "zh" : "en"), (lang) => set({ lang }))),
    setting(t("round.mode"), choice("mode", t("round.mode"), [["coach", t("mode.coach")], ["exam", t("mode.exam")]], own.mode, (mode) => set({ mode })), t("round.mode.about")),
    setting(t("round.severity"), choice("severity", t("round.severity"), [["0", t("severity.0")], ["1", t("severity.1")], ["2", t("severity.2")]], String(own.severity), (severity) => set({ severity: Number(severity) }))),
    lenses.length ? setting(t("round.lens"), h("select", { "aria-label": t("round.lens"), onchange: ({ target }) => set({ lens: target.value }) },
      h("option", { value: "" }, t("round.lens.none")), lenses.map((lens) => h("option", { value: lens, selected: lens === own.lens }, lens[0].toUpperCase() + lens.slice(1))))) : null,
    setting(t("round.sound"), choice("headphones", t("round.sound"), [["yes", t("sound.headphones")], ["no", t("sound.speakers")]], own.headphones ? "yes" : "no", (yes) => set({ headphones: yes === "yes" }))),
    start,
    h("p", { class: "faint" }, own.checked ? t("round.checked") : h("a", { href: "#/check" }, t("round.check"))));
}
