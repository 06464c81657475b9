/** The words of a session, fetched in pieces as somebody comes near them. */
import { get } from "../api.js";

const PIECE = 300; // seconds of one request

export class Words {
  constructor(session, duration) {
    this.path = `/api/sessions/${encodeURIComponent(session)}/transcript`;
    this.duration = duration;
    this.pieces = new Map(); // number of the piece: promise of its words
    this.known = []; // in order of time, of the pieces that are here
  }

  /** Words that start within this stretch. */
  async of(start, end) {
    const numbers = [];
    for (let n = Math.max(0, Math.floor(start / PIECE)); n <= Math.floor(Math.min(end, this.duration) / PIECE); n += 1) numbers.push(n);
    const found = (await Promise.all(numbers.map((n) => this.piece(n)))).flat();
    return found.filter((word) => word.start >= start - 1e-6 && word.start < end);
  }

  all() {
    return this.of(0, this.duration + PIECE);
  }

  piece(n) {
    if (!this.pieces.has(n)) {
      const asked = get(this.path, { from: n * PIECE, to: (n + 1) * PIECE }).then(({ words }) => {
        const own = words.filter(({ start }) => start >= n * PIECE && start < (n + 1) * PIECE);
        this.known = [...this.known, ...own].sort((a, b) => a.start - b.start);
        return own;
      });
      asked.catch(() => this.pieces.delete(n));
      this.pieces.set(n, asked);
    }
    return this.pieces.get(n);
  }

  /** Have the words around this time asked for, before anybody has a place for them. */
  near(time) {
    this.piece(Math.max(0, Math.floor(time / PIECE)));
    return this;
  }

  /** Forget what was fetched: a word was corrected. */
  forget() {
    this.pieces.clear();
    this.known = [];
  }

  /** The word that sounds at `time`, or the last one before it; null before the first. Only among those that are here. */
  at(time) {
    let [low, high] = [0, this.known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.known[middle].start <= time) low = middle + 1;
      else high = middle;
    }
    return this.known[low - 1] ?? null;
  }

  next(time, step) {
    const here = this.known.indexOf(this.at(time));
    return this.known[here + step] ?? null;
  }
}
