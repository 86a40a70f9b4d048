// SPDX-License-Identifier: MIT
// Calls to a host that may vanish: each one settles, also when its thread is ended or dies.
import { LookbackError, type PlainError, fromPlain, toPlain } from './errors.js';

/** What a host answers: errors cross threads whole. */
export type Answer<T> = { value: T } | { error: PlainError };

export async function answer<T>(work: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error: toPlain(error) };
  }
}

export class Calls {
  readonly #pending = new Set<(error: LookbackError) => void>();
  #gone: LookbackError | undefined;

  /** The value of the answer, or its error thrown. */
  run<T>(ask: () => Promise<Answer<T>>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      this.#pending.add(reject);
      ask()
        .then((answer) => ('error' in answer ? reject(fromPlain(answer.error)) : resolve(answer.value)), reject)
        .finally(() => this.#pending.delete(reject));
    });
  }

  /** Ends all calls, now and later, with this error. */
  end(error: LookbackError): void {
    this.#gone ??= error;
    for (const reject of this.#pending) reject(this.#gone);
    this.#pending.clear();
  }
}

/** Where a host tells how far it is: a function on its own thread, or a port. */
export type Reports<P> = ((progress: P) => void) | MessagePort;

/** For hosts. */
export function report<P>(reports: Reports<P>, progress: P): void {
  if (typeof reports === 'function') reports(progress);
  else reports.postMessage(progress);
}

export function disposedError(what: string): LookbackError {
  return new LookbackError('disposed', `${what}: it was disposed`);
}
