// SPDX-License-Identifier: MIT
// The decoder that callers hold: arguments checked, one generation at a time, the same whether its host is a worker or not.
import { checkInteger, checkNumber, seedHalves, toIds } from './arrays.js';
import { type Calls, disposedError } from './calls.js';
import type { Connection } from './connect.js';
import type { DecoderHost, HostInfo, Settings } from './decoder_host.js';
import { LookbackError } from './errors.js';
import type { Decoder, DecoderInfo, GenerateEnd, GenerateOptions, Step } from './types.js';


function settingsOf(options: GenerateOptions): Settings {
  return {
    maxTokens: checkInteger('generate: maxTokens', options.maxTokens ?? 64, 0),
    alternatives: checkInteger('generate: alternatives', options.alternatives ?? 10, 0),
    echo: options.echo === true,
    attention: options.capture?.attention === true,
    logits: options.capture?.logits === true,
    sampling: {
      temperature: checkNumber('generate: temperature', options.temperature ?? 1),
      topK: checkInteger('generate: topK', options.topK ?? 0, 0),
      topP: checkNumber('generate: topP', options.topP ?? 1),
      ...seedHalves('generate: seed', options.seed ?? 0),
    },
  };
}

export class HostedDecoder implements Decoder {
  readonly info: DecoderInfo;
  readonly backend = 'wasm';
  readonly backendReason: string;
  readonly mode: 'worker' | 'slices';
  /** Bytes that the session holds, for stats(). */
  readonly bytes: number;
  readonly #connection: Connection<DecoderHost>;
  readonly #onDispose: (decoder: HostedDecoder) => void;
  #isBusy = false;
  #isDisposed = false;

  constructor(connection: Connection<DecoderHost>, { sessionBytes, ...info }: HostInfo, backendReason: string, onDispose: (decoder: HostedDecoder) => void) {
    this.info = Object.freeze(info);
    this.bytes = info.byteLength + sessionBytes;
    this.backendReason = backendReason;
    this.mode = connection.mode;
    this.#connection = connection;
    this.#onDispose = onDispose;
  }

  async tokenize(text: string, options: { start?: boolean } = {}): Promise<number[]> {
    // Encoding here turns lone surrogates into U+FFFD, and keeps NUL.
    const bytes = new TextEncoder().encode(String(text));
    return Array.from(await this.#calls().run(() => this.#host().tokenize(bytes, options.start !== false)));
  }

  async detokenize(ids: readonly number[]): Promise<string> {
    const checked = toIds('detokenize: ids', ids);
    return this.#calls().run(() => this.#host().detokenize(checked));
  }

  async pieces(ids: readonly number[]): Promise<string[]> {
    const checked = toIds('pieces: ids', ids);
    return this.#calls().run(() => this.#host().pieces(checked));
  }

  async *generate(prompt: string | readonly number[], options: GenerateOptions = {}): AsyncGenerator<Step, GenerateEnd, void> {
    const settings = settingsOf(options);
    const { signal } = options;
    const host = this.#take();
    const calls = this.#calls();
    const stop = (): void => this.#stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const ids = await this.#ids(prompt);
      // Nothing may be awaited from here to start(), which forgets earlier stops.
      if (signal?.aborted) return { reason: 'aborted', text: '' };
      await calls.run(() => host.start(ids, settings));
      for (;;) {
        const result = await calls.run(() => host.next());
        if ('reason' in result) return result;
        yield result;
      }
    } catch (error) {
      // Disposed in between: the host is gone, and so is what it could still say.
      if (this.#isDisposed) return { reason: 'aborted', text: '' };
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#isBusy = false;
    }
  }

  async logits(
    ids: readonly number[],
    options: { capture?: { attention?: boolean }; signal?: AbortSignal } = {},
  ): Promise<{ logits: Float32Array; attention?: readonly (readonly Float32Array[])[] }> {
    const checked = toIds('logits: ids', ids);
    const host = this.#take();
    const stop = (): void => this.#stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    try {
      const result = options.signal?.aborted ? null : await this.#calls().run(() => host.logits(checked, options.capture?.attention === true));
      if (!result) throw new LookbackError('aborted', 'logits: stopped by the signal');
      return result;
    } finally {
      options.signal?.removeEventListener('abort', stop);
      this.#isBusy = false;
    }
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#connection.close();
    this.#onDispose(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #host(): Connection<DecoderHost>['host'] {
    if (this.#isDisposed) throw disposedError('decoder');
    return this.#connection.host;
  }

  #calls(): Calls {
    if (this.#isDisposed) throw disposedError('decoder');
    return this.#connection.calls;
  }

  #stop(): void {
    if (!this.#isDisposed) void this.#connection.host.stop();
  }

  /** The host for a run of its own: its cache holds one text. */
  #take(): Connection<DecoderHost>['host'] {
    const host = this.#host();
    if (this.#isBusy) throw new LookbackError('state', 'decoder: a generation is running; stop it first, or load a second decoder');
    this.#isBusy = true;
    return host;
  }

  async #ids(prompt: string | readonly number[]): Promise<Int32Array> {
    if (typeof prompt !== 'string') return toIds('generate: prompt', prompt);
    if (!this.info.hasTokenizer) {
      throw new LookbackError('state', 'generate: this model came without a tokenizer; give its tokenizer file when loading, or token ids as the prompt');
    }
    return Int32Array.from(await this.tokenize(prompt));
  }
}
