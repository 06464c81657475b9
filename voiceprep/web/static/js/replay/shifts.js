/**
 * The interviewer's track runs on the session's clock, the candidate's recording on its own; where capture lost time they are
 * apart by another amount. `pairs` are the places where that changes: [session time, place in the recording].
 */
export class Shifts {
  constructor(pairs) {
    this.steps = (pairs?.length ? pairs : [[0, 0]]).map(([at, media]) => ({ media, shift: at - media }));
    this.steps[0].media = 0;
  }

  shift(media) {
    return (this.steps.findLast((step) => step.media <= media) ?? this.steps[0]).shift;
  }

  /** Where the interviewer's track stands at this place of the recording. */
  there(media) {
    return media + this.shift(media);
  }

  /** A stretch of the recording in parts of one shift each. */
  parts(from, to) {
    const edges = [from, ...this.steps.map(({ media }) => media).filter((media) => media > from && media < to), to];
    return edges.slice(0, -1).map((edge, n) => ({ from: edge, to: edges[n + 1], shift: this.shift(edge) }));
  }
}
