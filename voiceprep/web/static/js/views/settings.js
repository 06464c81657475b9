/** What this browser prefers, and what the program is set to. */
import { get } from "../api.js";
import { choice, h } from "../dom.js";
import { known, language, t } from "../i18n.js";
import { named } from "../parts.js";
import { prefer, prefs } from "../prefs.js";

export async function view() {
  const { settings, file, version, sends_to: host } = await get("/api/settings");
  const own = prefs();
  const preference = (label, control) => h("div", { class: "setting" }, h("span", { class: "label" }, label), h("div", null, control));
  return {
    title: t("nav.settings"),
    element: h("div", null,
      h("header", { class: "titles row" }, h("div", null, h("h1", null, t("nav.settings")), h("p", { class: "faint" }, `voiceprep ${version ?? ""}`)),
        h("div", { class: "rowed" }, h("a", { class: "button", href: "#/check" }, t("check.title")), h("a", { class: "button", href: "#/doctor" }, t("doctor.title")))),
      h("section", null, h("h2", null, t("settings.browser")), h("p", { class: "faint" }, t("settings.browser.about")),
        h("div", { class: "preferences" },
          preference(t("round.language"), choice("lang", t("round.language"), [["en", "English"], ["zh", "中文"], ["mixed", t("language.mixed")]], own.lang || (language() === "zh" ? "zh" : "en"), (lang) => prefer({ lang }))),
          preference(t("round.mode"), choice("mode", t("round.mode"), [["coach", t("mode.coach")], ["exam", t("mode.exam")]], own.mode, (mode) => prefer({ mode }))),
          preference(t("settings.talk"), choice("talk", t("settings.talk"), [["open", t("settings.talk.open")], ["push", t("settings.talk.push")]], own.talk, (talk) => prefer({ talk }))),
          preference(t("round.sound"), choice("sound", t("round.sound"), [["yes", t("sound.headphones")], ["no", t("sound.speakers")]], own.headphones ? "yes" : "no", (yes) => prefer({ headphones: yes === "yes" }))),
          preference(t("settings.audio"), choice("audio", t("settings.audio"), [["browser", t("settings.audio.browser")], ["device", t("settings.audio.device")]], own.audio, (audio) => prefer({ audio }))))),
      h("section", { class: "part privacy" }, h("header", null, h("h2", null, t("settings.leaves"))), h("p", null, host ? t("settings.leaves.words", { host }) : t("settings.leaves.nothing"))),
      h("section", { class: "part settings" }, h("header", null, h("h2", null, t("settings.program"))), h("p", { class: "faint" }, t("settings.program.about"), " ", file && h("code", null, file)),
        h("table", null, h("thead", null, h("tr", null, ["settings.name", "settings.value", "settings.origin", "settings.help"].map((key) => h("th", { scope: "col" }, t(key))))),
          h("tbody", null, settings.map(({ name, value, origin, help }) => h("tr", null, h("td", null, name), h("td", { class: "value" }, value === "" ? "–" : String(value)), h("td", { class: "faint origin" }, named("origin", origin.replace(" ", "-"))), h("td", { class: "about" }, known(`setting.${name}`) ?? help))))))),
  };
}
