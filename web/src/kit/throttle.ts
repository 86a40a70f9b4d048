// SPDX-License-Identifier: MIT
// Says the last of many messages, at most once per interval, so that a screen reader isn't flooded.

export class Throttle {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly intervalMs: number,
    private readonly say: (text: string) => void,
  ) {}

  push(text: string): void {
    this.cancel();
    this.#timer = setTimeout(() => this.say(text), this.intervalMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
