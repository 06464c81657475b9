/** What a session's view needs first, asked for before the view itself is here: reading a long session takes as long. */
import { get } from "../api.js";
import { language } from "../i18n.js";
import { Words } from "./words.js";

let begun = null;

const key = (id) => `${id} ${language()}`;

/** Ask for the words around the address's place and for the session: {words, asked, of}. */
function ask(id, values) {
  const asked = get(`/api/sessions/${encodeURIComponent(id)}`, { lang: language() });
  asked.catch(() => {}); // told by whoever waits for it
  return { words: new Words(id, 0).near(Number(values.get("t")) || 0), asked, of: key(id) };
}

export function begin(id, values) {
  begun = ask(id, values);
}

/** What was begun for this session, once; else it is asked for now. */
export function take(id, values) {
  const found = begun?.of === key(id) ? begun : ask(id, values);
  begun = null;
  return found;
}
