/** A loop: the rounds of one company one after the other, the bar rising with each weak one, a committee at the end. */
import { get } from "../api.js";
import { h } from "../dom.js";
import { day } from "../format.js";
import { language, side, t } from "../i18n.js";
import { named } from "../parts.js";
import { link } from "../router.js";

export async function view({ id }) {
  const [{ loops, runs }, { rounds }] = await Promise.all([get("/api/loops"), get("/api/rounds")]);
  const loop = loops.find((each) => each.id === id) ?? loops[0];
  const own = runs.filter(({ loop: of }) => of === loop.id);
  const latest = own.find((run) => run.latest) ?? own.at(-1);
  const standing = latest ? await get(`/api/loops/${encodeURIComponent(latest.run)}`, { lang: language() }) : null;
  const title = new Map(rounds.map((each) => [each.id, each]));
  const following = standing?.status.next;
  const places = loop.rounds.map((round, n) => ({ round, place: standing?.status.rounds.find(({ number }) => number === n + 1), number: n + 1 }));
  return {
    title: side(loop.title),
    element: h("div", null,
      h("header", { class: "titles" }, h("p", { class: "crumb" }, h("a", { href: "#/" }, t("nav.practise"))), h("h1", null, side(loop.title)), h("p", { class: "lede" }, t("loop.lede"))),
      h("div", { class: "rowed" },
        (following || !latest) && h("a", { class: "button strong", href: link("live", "", { loop: latest?.run ?? loop.id }) }, latest ? t("loop.next", { title: side(title.get(following.round)?.title) }) : t("loop.begin")),
        latest && h("a", { class: "button", href: link("live", "", { loop: loop.id, anew: "1" }) }, t("loop.anew")),
        latest && h("span", { class: "faint" }, t("loop.since", { day: day(latest.started) }))),
      h("ol", { class: "ladder" }, places.map(({ round, place, number }) => h("li", { class: place?.session ? "done" : following?.number === number ? "next" : null },
        h("span", { class: "label figures" }, t("loop.number", { number })), h("h3", null, side(title.get(round)?.title) || round),
        h("p", { class: "mark" }, place?.mark ? named("mark", place.mark) : t("loop.open"), place?.severity ? ` · ${t(`severity.${place.severity}`)}` : ""),
        place?.session && h("a", { class: "button small", href: link("replay", place.session) }, t("loop.look"))))),
      standing && debrief(standing.debrief),
      h("section", { class: "part" }, h("header", null, h("h2", null, t("loop.labels"))), h("ul", { class: "rowed", css: { "padding-top": "1rem" } }, loop.labels.map(({ name }) => h("li", { class: "quiet" }, `· ${side(name)}`))))),
  };
}

function debrief(found) {
  return h("section", { class: "part" }, h("header", null, h("h2", null, t("loop.committee"))), h("p", { class: "lede", css: { "padding-top": "1rem" } }, found.text),
    h("ol", { class: "items" }, found.notes.map(({ interviewer, sentence, session, evidence }) => h("li", { class: "thread" }, h("div", null, h("p", null, h("b", null, interviewer.name)), h("p", { class: "text" }, sentence),
      evidence.map(({ quote, start }) => h("a", { class: "quote", href: link("replay", session, { t: start.toFixed(1) }) }, `“${quote}”`)))))),
    found.practise.length ? h("ul", { class: "part" }, found.practise.map((line) => h("li", null, line))) : null);
}
