// SPDX-License-Identifier: MIT
// Calls to a host that may vanish: each one settles, also when its thread is ended or dies.
import type { Answer } from './decoder_host.js';
import { LookbackError, fromPlain } from './errors.js';

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

export function disposedError(): LookbackError {
  return new LookbackError('disposed', 'decoder: it was disposed');
}
