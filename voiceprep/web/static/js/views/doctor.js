/** What works on this machine, and what mends what does not. */
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { known, language, t } from "../i18n.js";
import { button, failed, toast } from "../parts.js";

export async function view() {
  const list = h("div", { "aria-live": "polite" });
  const look = async () => {
    fill(list, h("p", { class: "waiting" }, t("doctor.looking")));
    try {
      const { checks } = await get("/api/doctor");
      const wrong = checks.filter(({ ok, needed }) => !ok && needed);
      fill(list, h("p", { class: "lede" }, wrong.length ? t("doctor.wrong", { count: wrong.length }) : t("doctor.fine")), h("ul", { class: "checks part" }, checks.map(row)), language() === "en" ? null : h("p", { class: "faint" }, t("doctor.english")));
    } catch (error) {
      fill(list, failed(error, look));
    }
  };
  return {
    title: t("nav.doctor"), shown: look,
    element: h("div", null, h("header", { class: "titles row" }, h("div", null, h("p", { class: "crumb" }, h("a", { href: "#/settings" }, t("nav.settings"))), h("h1", null, t("doctor.title"))), button(t("doctor.again"), look)), list),
  };
}

function row({ name, ok, detail, fix, needed }) {
  const kind = ok ? "ok" : needed ? "bad" : "maybe";
  const word = t(`doctor.${kind}`);
  return h("li", null, h("span", { class: kind, title: word, "aria-label": word, role: "img" }, ok ? "✓" : needed ? "✕" : "–"), h("b", null, known(`doctor.name.${name}`) ?? name),
    h("div", null, h("p", null, detail), !ok && fix && h("div", { class: "mend" }, h("code", null, fix), button(t("do.copy"), async () => { await navigator.clipboard.writeText(fix); toast(t("do.copied")); }, { kind: "small" }))));
}
