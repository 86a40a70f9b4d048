// SPDX-License-Identifier: MIT
// Loads the reader's model: sources kept, progress, errors that name the file, and a tokenizer that may come later.
import type { Decoder, Lookback, Progress } from '../engine/types.js';
import { Latest } from '../kit/index.js';
import type { Chosen, NamedSource } from './decoder_model.js';

export interface LoaderHost {
  changed(): void;
  progressed(progress: Progress): void;
  /** `where` names the file or address. */
  failed(error: unknown, where: string): void;
  loaded(decoder: Decoder): void;
}

export class DecoderLoader {
  decoder: Decoder | undefined;
  /** What is being loaded. */
  loading: { name: string; progress: Progress | undefined } | undefined;
  /** A tokenizer that came without its model, or a model whose tokenizer failed. */
  waiting: Chosen = {};
  #current: Chosen = {};
  readonly #latest = new Latest();

  constructor(private readonly host: LoaderHost) {}

  get current(): Chosen {
    return this.#current;
  }

  /** Takes what was chosen, together with what waits for it or, for a tokenizer alone, the model at hand. */
  async open(engine: Lookback, chosen: Chosen): Promise<void> {
    const model = chosen.model ?? this.waiting.model ?? (chosen.tokenizer && this.#current.model);
    const tokenizer = chosen.tokenizer ?? this.waiting.tokenizer;
    this.waiting = { ...(model && { model }), ...(tokenizer && { tokenizer }) };
    if (!model) return this.host.changed();
    await this.#latest.run((signal) => this.#load(engine, model, tokenizer, signal));
  }

  cancel(): void {
    this.#latest.cancel();
    this.loading = undefined;
    this.waiting = {};
    this.host.changed();
  }

  /** Gives everything back; what was open can be opened again with the sources returned. */
  close(): Chosen {
    const chosen = this.loading ? this.waiting : this.#current;
    this.#latest.cancel();
    this.loading = undefined;
    void this.decoder?.dispose();
    this.decoder = undefined;
    return chosen;
  }

  async #load(engine: Lookback, model: NamedSource, tokenizer: NamedSource | undefined, signal: AbortSignal): Promise<void> {
    this.loading = { name: model.name, progress: undefined };
    this.host.changed();
    try {
      const onProgress = (progress: Progress): void => {
        // A worker's last reports may come after its answer.
        if (signal.aborted || !this.loading) return;
        this.loading = { name: model.name, progress };
        this.host.progressed(progress);
      };
      const decoder = await engine.loadDecoder(model.source, { signal, onProgress, ...(tokenizer && { tokenizer: tokenizer.source }) });
      if (signal.aborted) return void decoder.dispose();
      void this.decoder?.dispose();
      this.decoder = decoder;
      this.#current = { model, ...(tokenizer && { tokenizer }) };
      this.waiting = {};
      this.loading = undefined;
      this.host.loaded(decoder);
    } catch (error) {
      if (signal.aborted) return;
      this.loading = undefined;
      const isTokenizer = tokenizer !== undefined && blames(error, tokenizer);
      // The one that is not to blame waits for a better partner.
      this.waiting = isTokenizer ? { model } : tokenizer ? { tokenizer } : {};
      this.host.failed(error, isTokenizer ? tokenizer.name : model.name);
    }
  }
}

function blames(error: unknown, { source }: NamedSource): boolean {
  const text = error instanceof Error ? error.message : '';
  return text.startsWith('tokenizer') || (typeof source === 'string' && text.includes(source));
}
