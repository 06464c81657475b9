/**
 * The live socket (docs/web-protocol.md): what was not acknowledged is kept and sent again after a drop, and a drop is
 * mended by itself as long as the server keeps the session. Emits every message as an event of its kind, sound as "voice",
 * and "down" / "up" for the line itself.
 */
import { TOKEN } from "../api.js";

const VERSION = 1;
const SUBPROTOCOL = "voiceprep.v1";
const HEADER = 16;
const UP = 1;
const DOWN = 2;
const KEPT = 16000 * 60 * 10; // samples: the server waits five minutes for a page
const WAITS = [250, 500, 1000, 2000, 3000];
const DEAD_AFTER = 8000; // ms without a word of a server that tells the time four times a second
const FINAL = new Set([4000, 4001, 4002, 4003]); // coming back the same way would end the same way

/** The same through a reload, another for a second tab: browsers copy what a tab has kept when they duplicate it. */
function tabName() {
  const [entry] = performance.getEntriesByType("navigation");
  const kept = sessionStorage.getItem("voiceprep.tab");
  if (kept && entry?.type === "reload") return kept;
  const made = `tab-${crypto.randomUUID()}`;
  sessionStorage.setItem("voiceprep.tab", made);
  return made;
}
const TAB = tabName();

export class Line extends EventTarget {
  /** @param {object} wanted fields of `hello`: round, drill or session, lang, mode, headphones, ... */
  constructor(wanted) {
    super();
    this.wanted = wanted;
    this.session = wanted.session ?? null;
    this.sequence = 0;
    this.kept = []; // {position, pcm}: sent or to be sent, not acknowledged
    this.acked = null;
    this.next = 0; // position of the next sample of ours
    this.open = false;
    this.over = false;
    this.tries = 0;
    this.last = 0;
    this.hurry = () => !this.open && !this.over && this.connect();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.watch = setInterval(() => this.check(), 2000);
  }

  connect() {
    clearTimeout(this.retry);
    this.socket?.close();
    const { protocol, host } = location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/ws/session`, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.last = performance.now();
      socket.send(JSON.stringify(this.hello()));
    };
    socket.onmessage = ({ data }) => socket === this.socket && this.took(data);
    socket.onclose = ({ code }) => socket === this.socket && this.lost(code);
    this.socket = socket;
  }

  hello() {
    const { take_over: takeOver = false, ...wanted } = this.wanted;
    const common = { kind: "hello", version: VERSION, token: TOKEN, tab: TAB, take_over: takeOver };
    return this.session
      ? { ...common, session: this.session, acked: this.acked, audio: wanted.audio ?? "browser", headphones: wanted.headphones ?? false, page: wanted.page ?? null }
      : { ...common, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null && value !== "")) };
  }

  /** Ask for the session although another tab holds it. */
  takeOver() {
    this.wanted.take_over = true;
    this.over = false;
    this.connect();
  }

  took(data) {
    this.last = performance.now();
    if (data instanceof ArrayBuffer) {
      const head = new DataView(data);
      if (head.getUint8(0) !== DOWN) return;
      this.emit("voice", { number: head.getUint32(4, true), position: Number(head.getBigUint64(8, true)), pcm: new Int16Array(data, HEADER) });
      return;
    }
    const message = JSON.parse(data);
    if (message.kind === "welcome") this.welcomed(message);
    if (message.kind === "ack") this.forget(message.position);
    if (["refused", "taken_over", "saved"].includes(message.kind)) this.over = true;
    if (message.kind === "saved") sessionStorage.removeItem("voiceprep.session");
    this.emit("message", message);
  }

  welcomed({ session, position, resumed }) {
    const again = this.acked !== null && session === this.session && resumed;
    this.session = session;
    this.wanted.take_over = false;
    sessionStorage.setItem("voiceprep.session", session);
    this.open = true;
    this.tries = 0;
    // A page that was there before sends again what the server lacks. One that is new begins where the server is.
    if (!again) this.kept = [];
    this.forget(position);
    if (!this.kept.length) this.next = position;
    for (const frame of this.kept) this.transmit(frame);
    this.emit("up", { resumed });
  }

  forget(position) {
    this.acked = position;
    while (this.kept.length && this.kept[0].position + this.kept[0].pcm.length <= position) this.kept.shift();
  }

  /** The next frame of the microphone. Kept while the line is down, so that nothing said meanwhile is lost. */
  sound(pcm) {
    if (this.over || this.acked === null) return;
    const frame = { position: this.next, pcm };
    this.next += pcm.length;
    this.kept.push(frame);
    if (this.next - this.kept[0].position > KEPT) this.kept.shift();
    if (this.open) this.transmit(frame);
  }

  transmit({ position, pcm }) {
    const message = new ArrayBuffer(HEADER + pcm.byteLength);
    const head = new DataView(message);
    head.setUint8(0, UP);
    head.setUint32(4, this.sequence, true);
    head.setBigUint64(8, BigInt(position), true);
    new Int16Array(message, HEADER).set(pcm);
    this.sequence = (this.sequence + 1) >>> 0;
    this.socket.send(message);
  }

  /** Say something; false while the line is down. */
  say(kind, more = {}) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify({ kind, ...more }));
    return true;
  }

  lost(code) {
    const was = this.open;
    this.open = false;
    if (this.over || FINAL.has(code)) {
      this.over = true;
      this.emit("down", { code, final: true });
      return;
    }
    if (was || this.tries === 0) this.emit("down", { code, final: false });
    this.retry = setTimeout(() => this.connect(), WAITS[Math.min(this.tries, WAITS.length - 1)]);
    this.tries += 1;
  }

  check() {
    if (this.open && performance.now() - this.last > DEAD_AFTER) {
      const dead = this.socket;
      this.socket = null; // its close may take a minute to come
      dead.close();
      this.lost(0);
    }
  }

  emit(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  close() {
    this.over = true;
    this.open = false;
    clearInterval(this.watch);
    clearTimeout(this.retry);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
