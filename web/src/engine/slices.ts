// SPDX-License-Identifier: MIT
// Long work in short slices, so that a page stays alive while its own thread computes.

/** Milliseconds of work between two pauses: half a frame. */
const SLICE_MS = 8;

/** Lets input, painting and messages through; no timer, since hidden tabs slow timers down. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

export class Slices {
  #start = performance.now();

  /** To be awaited between small steps of work: pauses when the slice is used up. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#start < SLICE_MS) return;
    await pause();
    this.#start = performance.now();
  }
}
