// SPDX-License-Identifier: MIT
// Shows a growing text at the pace of the screen, and a long one less often, so that writing and scrolling stay fluid.

/** Milliseconds between two showings, for each token. */
const kMsPerToken = 0.3;

export class Frames {
  #frame: number | undefined;
  #shownAt = 0;
  #count = 0;

  constructor(private readonly show: () => void) {}

  /** Asks for a showing of a text of `count` tokens. */
  ask(count: number): void {
    this.#count = count;
    this.#frame ??= requestAnimationFrame(this.#tick);
  }

  cancel(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  readonly #tick = (now: number): void => {
    this.#frame = undefined;
    if (now - this.#shownAt < this.#count * kMsPerToken) return this.ask(this.#count);
    this.#shownAt = now;
    this.show();
  };
}
