/** What this browser remembers of its user's choices. Nothing of a session is among it. */

const KEY = "voiceprep.prefs";
const DEFAULTS = { device: "", output: "", headphones: true, lang: "", mode: "coach", severity: 0, lens: "", audio: "browser", captions: true, talk: "open", tone: false, checked: false };

export function prefs() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function prefer(values) {
  localStorage.setItem(KEY, JSON.stringify({ ...prefs(), ...values }));
}
