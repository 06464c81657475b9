/** The words of the page, in the language that was chosen. Both files have the same keys (tests/browser holds them to it). */

let words = {};
let current = "en";
export const LANGUAGES = ["en", "zh"];

/** Read the words of a language ("en" or "zh") and say so to the document. */
export async function speak(language) {
  current = LANGUAGES.includes(language) ? language : "en";
  const answer = await fetch(`/static/i18n/${current}.json`);
  if (!answer.ok) throw new Error(`no words for ${current}`);
  words = await answer.json();
  document.documentElement.lang = current === "zh" ? "zh-CN" : "en";
  localStorage.setItem("voiceprep.language", current);
}

/** Which language to begin with: the one chosen before, else the browser's. */
export function preferred() {
  const kept = localStorage.getItem("voiceprep.language");
  if (LANGUAGES.includes(kept)) return kept;
  return (navigator.languages ?? [navigator.language]).some((each) => each?.toLowerCase().startsWith("zh")) ? "zh" : "en";
}

export const language = () => current;

/** The text of a key, with {names} filled in. A key that is missing is shown as itself: it will be noticed. */
export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The text of a key, or null where the page has no words for it: then the server's own name is shown. */
export function known(key) {
  return words[key] ?? null;
}

/** What went wrong, in the page's language: the server says it in English, and exactly; the page has words for its code. */
export function problem({ code, message = "" }) {
  const own = known(`problem.${code}`);
  return current === "en" ? message || own || "" : own ?? message;
}

/** The side of a bilingual text of the packs ({en, zh} or a plain string) that fits the page, or a session's language. */
export function side(text, of = current) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : text[of === "zh" ? "zh" : "en"] ?? text.en ?? Object.values(text)[0] ?? "";
}
