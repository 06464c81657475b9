/** The archive: every session, newest first. */
import { get, post, remove } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { clock, moment } from "../format.js";
import { side, t } from "../i18n.js";
import { ICONS } from "../icons.js";
import { button, flagMark, goesOn, named, toast } from "../parts.js";
import { Recordings } from "../recording.js";
import { link } from "../router.js";

const BROKEN = new Set(["interrupted", "failed"]);

export async function view() {
  const [{ sessions }, { rounds }, { drills }, trash] = await Promise.all([get("/api/sessions"), get("/api/rounds"), get("/api/drills"), get("/api/trash")]);
  const titles = new Map([...rounds, ...drills].map((each) => [each.id, side(each.title)]));
  const recordings = new Recordings(rounds);
  const list = new Sessions(sessions.map((each) => ({ ...each, round: each.round || each.drill })), titles, recordings, trash.sessions);
  return { title: t("nav.sessions"), element: list.element, leave: () => recordings.close() };
}

class Sessions {
  constructor(sessions, titles, recordings, deleted) {
    Object.assign(this, { sessions, titles, round: "" });
    this.body = h("tbody");
    this.trash = h("section", { class: "part" });
    this.deleted(deleted);
    const used = [...new Set(sessions.map(({ round }) => round))];
    this.element = h("div", null,
      h("header", { class: "titles row" }, h("div", null, h("h1", null, t("nav.sessions")), h("p", { class: "lede" }, t("sessions.lede"))),
        h("div", { class: "filters" }, used.length > 1 && h("label", { class: "field" }, h("span", null, t("sessions.round")), h("select", { onchange: ({ target }) => { this.round = target.value; this.render(); } }, h("option", { value: "" }, t("sessions.all")), used.map((id) => h("option", { value: id }, this.titleOf(id))))), recordings.open)),
      recordings.element,
      sessions.length ? h("table", { class: "sessions" },
        h("thead", null, h("tr", null, ["sessions.what", "sessions.when", "sessions.length", "sessions.ended"].map((key) => h("th", { scope: "col" }, t(key))), h("th", { scope: "col" }, h("span", { class: "unseen" }, t("sessions.do"))))), this.body)
        : h("p", { class: "empty" }, t("sessions.none"), " ", h("a", { href: "#/" }, t("sessions.begin"))),
      this.trash);
    this.render();
  }

  /** What can still be brought back, for a page that was loaded anew meanwhile. An id is when it began, and what it was. */
  deleted(ids) {
    this.trash.hidden = !ids.length;
    const named = (id) => `${this.titleOf(id.slice(20).replace(/^recording$/, ""))}, ${moment(id.slice(0, 19).replace(/T(..)-(..)-(..)/, "T$1:$2:$3Z"))}`;
    fill(this.trash, h("header", null, h("h2", null, t("sessions.trash")), h("p", { class: "faint" }, t("sessions.trash.about"))),
      h("ul", { class: "trash" }, ids.map((id) => h("li", { class: "rowed" }, h("span", null, named(id)), button(t("sessions.restore"), () => this.restore(id), { kind: "small" })))));
  }

  async look() {
    this.deleted((await get("/api/trash")).sessions);
  }

  async restore(id) {
    try {
      await post(`/api/trash/${encodeURIComponent(id)}/restore`);
      location.reload();
    } catch (error) {
      toast(error.message);
    }
  }

  titleOf(id) {
    return this.titles.get(id) ?? (id || t("replay.recording"));
  }

  render() {
    fill(this.body, this.sessions.filter(({ round }) => !this.round || round === this.round).map((each) => this.row(each)));
  }

  row(session) {
    const { id, round, started, duration, ended, mode, models, demonstration, goes_on } = session;
    return h("tr", null,
      h("td", { class: "what" }, h("a", { href: link("replay", id) }, this.titleOf(round)), h("span", { class: "faint" }, ` ${!round ? "" : models.voice ? t(`mode.${mode}`) : t("replay.recording")}`), demonstration && h("span", { class: "badge", title: t("sessions.demonstration.why") }, t("sessions.demonstration"))),
      h("td", { class: "figures" }, moment(started)), h("td", { class: "figures" }, clock(duration)), h("td", { class: BROKEN.has(ended) ? "quiet broken" : "quiet" }, BROKEN.has(ended) && flagMark("warning"), named("ended", ended || "running"), goes_on && h("span", null, " ", h("a", { href: goesOn(session) }, t("sessions.on")))),
      h("td", null, h("button", { type: "button", class: "tool", "aria-label": t("sessions.delete", { title: `${this.titleOf(round)}, ${moment(started)}` }), title: t("replay.delete"), onclick: () => this.delete(session) }, icon(ICONS.end))));
  }

  async delete(session) {
    try {
      await remove(`/api/sessions/${encodeURIComponent(session.id)}`);
    } catch (error) {
      toast(error.message);
      return;
    }
    const at = this.sessions.indexOf(session);
    this.sessions.splice(at, 1);
    this.render();
    this.look();
    toast(t("sessions.deleted"), { text: t("do.undo"), run: async () => {
      await post(`/api/trash/${encodeURIComponent(session.id)}/restore`);
      this.sessions.splice(at, 0, session);
      this.render();
      this.look();
    } });
  }
}
