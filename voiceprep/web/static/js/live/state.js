/**
 * What the live view shows, as a fold over what the server says. Pure: no clock, no document; `now` (seconds of the
 * page's own clock) comes with each message, so that the clocks can run on between two of them.
 */

export function begin() {
  return {
    phase: "preparing", // preparing | live | paused | closing | ended | refused | taken
    what: "",
    welcome: null,
    at: 0,
    media: 0,
    told: 0, // page time of `at` and `media`
    section: null, // {id, budget, since}
    spent: {}, // seconds by section, of those that are over, and of what a round that goes on had used before
    script: [], // {who, turn, text | words, media, ...}: what has been said so far, in the recording's order
    loose: { who: "candidate", words: [], firm: [], tentative: [], media: null }, // live captions of no turn yet; those of a turn stand with it
    speaking: null, // id of the utterance that sounds
    lines: {}, // utterances by id
    holder: null, // who has the floor: candidate | interviewer | null
    voice: false, // the candidate's voice is heard
    quiet: null, // media time since which the candidate has been silent, while the floor is theirs
    silence: "breath",
    flags: [],
    gaps: [],
    signal: null,
    cue: null,
    limit: null, // of a drill's clock: {since, budget}
    behind: 0,
    muted: false,
    trouble: null,
    ended: null,
  };
}

const HANDLERS = {
  preparing: (state, { what }) => Object.assign(state, { what }),
  welcome(state, message) {
    return Object.assign(state, { welcome: message, spent: { ...message.spent }, phase: message.paused ? "paused" : "live", muted: message.muted });
  },
  refused: (state, message) => Object.assign(state, { phase: "refused", trouble: message }),
  taken_over: (state) => Object.assign(state, { phase: "taken" }),
  saved: (state, { session, ended }) => Object.assign(state, { phase: "ended", ended: { session, reason: ended } }),
  clock: (state, { at, media }, now) => Object.assign(state, { at, media, told: now }),
  muted: (state, { on }) => Object.assign(state, { muted: on }),
  session_paused: (state, { reason }) => Object.assign(state, { phase: "paused", pausedFor: reason }),
  session_resumed: (state) => Object.assign(state, { phase: "live" }),
  session_closing: (state) => Object.assign(state, { phase: "closing" }),
  session_ended: (state, { reason }) => Object.assign(state, { phase: "closing", reason }),

  speak(state, { id, text, language, move }) {
    state.lines[id] = { id, text, language, move };
  },
  speaking_started(state, { of, media }) {
    const line = state.lines[of];
    state.speaking = of;
    state.quiet = null;
    if (line && !line.shown) {
      line.shown = true;
      place(state, { who: "interviewer", of, text: line.text, lang: line.language, move: line.move, media });
    }
  },
  speaking_finished(state, { of, media, heard, complete }) {
    if (state.speaking === of) state.speaking = null;
    const entry = state.script.findLast((each) => each.of === of);
    if (entry && !complete) Object.assign(entry, { text: heard, cut: true });
    if (!state.voice) state.quiet = media;
    state.silence = "breath";
    delete state.lines[of];
  },
  turn_started(state, { speaker, turn, media }) {
    state.holder = speaker;
    if (speaker === "candidate") current(state, turn, media);
  },
  turn_ended(state, { speaker }) {
    if (speaker === "interviewer") state.holder = "candidate";
    else if (state.holder === "candidate") state.holder = null;
  },
  floor_yielded: (state) => Object.assign(state, { silence: "yielded" }),
  voice_started(state, { speaker }) {
    if (speaker === "candidate") Object.assign(state, { voice: true, quiet: null, silence: "breath" });
  },
  voice_stopped(state, { speaker, media }) {
    if (speaker === "candidate") Object.assign(state, { voice: false, quiet: media });
  },
  silence_changed: (state, { state: silence, media }) => Object.assign(state, { silence, quiet: media }),
  caption_changed: caption,
  words_committed(state, { words, turn, trusted }) {
    const entry = current(state, turn, words[0]?.start ?? state.media);
    entry.words.push(...words);
    if (!trusted) entry.doubtful = true;
  },
  captions_behind: (state, { seconds }) => Object.assign(state, { behind: seconds }),
  section_changed(state, { section, budget, at }) {
    if (state.section) state.spent[state.section.id] = at - state.section.since;
    state.section = { id: section, budget, since: at - (state.spent[section] ?? 0) };
  },
  interrupted: (state, { by, at }) => Object.assign(state, { broke: { by, at } }),
  signal_given: (state, { signal, at }) => Object.assign(state, { signal: { signal, at } }),
  flag_raised(state, { rule, level, advice, start, end, at }) {
    state.flags.push({ rule, level, advice, start, end, at });
  },
  audio_gap(state, { start, end, reason }) {
    state.gaps.push({ start, end, reason });
    place(state, { who: "gap", start, end, reason, media: start });
  },
  note_added(state, { media, text }) {
    place(state, { who: "note", media, text });
  },
  edge_failed: (state, { code, message }) => Object.assign(state, { trouble: { code, message } }),
  clock_started: (state, { media, limit, budget }) => Object.assign(state, { limit: { since: media, budget: budget || limit } }),
  cue_given(state, { cue, mark, text, at }) {
    state.cue = { cue, mark, text, at };
  },
};

/** Where it belongs in the recording, after what began no later: words that are written down late still stand in their place. */
function place(state, entry) {
  const before = state.script.findLastIndex(({ media }) => media <= entry.media);
  state.script.splice(before + 1, 0, entry);
}

/** The turn of the candidate with this number, made where it is new. */
function current(state, turn, media) {
  let entry = state.script.findLast((each) => each.who === "candidate" && each.turn === turn);
  if (!entry) {
    entry = { who: "candidate", turn, words: [], firm: [], tentative: [], media };
    place(state, entry);
  }
  return entry;
}

const EARLY = 0.3; // s: a recogniser may hear a word begin before the turn does

/** Live captions go to the turns that they were said in: an answer that is not written down yet, and the one after it. */
function caption(state, { firm, tentative }) {
  const turns = state.script.filter(({ who }) => who === "candidate");
  for (const each of [...turns, state.loose]) Object.assign(each, { firm: [], tentative: [] });
  for (const [name, words] of [["firm", firm], ["tentative", tentative]]) {
    for (const word of words) (turns.findLast(({ media }) => media <= word.start + EARLY) ?? state.loose)[name].push(word);
  }
}

/** Take a message in. Messages that nothing is shown of change nothing. */
export function take(state, message, now) {
  HANDLERS[message.kind]?.(state, message, now);
  return state;
}

/** The recording's time at this moment of the page's clock: it runs on between two messages, and stands while paused. */
export function mediaAt(state, now) {
  return state.phase === "live" ? state.media + Math.min(1, Math.max(0, now - state.told)) : state.media;
}

export function atNow(state, now) {
  return state.phase === "live" ? state.at + Math.min(1, Math.max(0, now - state.told)) : state.at;
}

/** Seconds the candidate has been thinking, or null: somebody speaks, or it was a breath. */
export function thinking(state, now) {
  if (state.quiet === null || state.voice || state.speaking || state.silence === "yielded") return null;
  const seconds = mediaAt(state, now) - state.quiet;
  return seconds >= 2 ? seconds : null;
}

/** Latin words want blanks between them, Chinese characters do not. */
export function textOf(words) {
  return words.reduce((text, { text: word }) => {
    const joined = /[\p{Script=Han}，。！？、；：]$/u.test(text) || /^[\p{Script=Han}，。！？、；：,.!?;:'’]/u.test(word);
    return text + (text && !(joined && !(/[a-z0-9]$/i.test(text) && /^\p{Script=Han}/u.test(word))) ? " " : "") + word;
  }, "").trim();
}
