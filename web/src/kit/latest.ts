// SPDX-License-Identifier: MIT
// Keeps only the newest of overlapping asynchronous runs.

/** `run` aborts the run before it; the result of an overtaken run is undefined and its error is silent. */
export class Latest {
  #controller: AbortController | undefined;

  async run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const result = await task(controller.signal);
      return controller.signal.aborted ? undefined : result;
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    }
  }

  cancel(): void {
    this.#controller?.abort();
    this.#controller = undefined;
  }
}
