// SPDX-License-Identifier: MIT
// A decoder session beside its wasm instance: in a worker, or on the page's own thread in slices. The facade in decoder.ts
// talks to it in the same words wherever it lives; every answer is {value} or {error}, so that errors cross threads whole.
import { type Answer, type Reports, answer, report } from './calls.js';
import { LookbackError } from './errors.js';
import { type Build, type RawDecoder, type RawFileBytes, type RawSample, loadModule, unwrap } from './module.js';
import { Slices } from './slices.js';
import { type PlainSource, readParts } from './source.js';
import type { DecoderInfo, GenerateEnd, Progress, Step } from './types.js';

export interface LoadRequest {
  build: Build;
  source: PlainSource;
  tokenizer: PlainSource | undefined;
  /** Most tokens the session holds; 0 for the default. */
  context: number;
}

export type HostInfo = DecoderInfo & { sessionBytes: number };

/** Checked by the facade. */
export interface Settings {
  maxTokens: number;
  alternatives: number;
  echo: boolean;
  attention: boolean;
  logits: boolean;
  sampling: { temperature: number; topK: number; topP: number; seedLow: number; seedHigh: number };
}

/** Ops of the plan between two looks at the clock. */
const OPS_PER_STEP = 4;
/** Tokens of a prompt read at once: enough to use each weight many times, few enough to stop soon. */
const PROMPT_CHUNK = 32;

export class DecoderHost {
  readonly #slices = new Slices();
  #decoder: RawDecoder | undefined;
  #info: HostInfo | undefined;
  #steps: AsyncGenerator<Step, GenerateEnd, void> | undefined;
  #loading = new AbortController();
  #stopped = false;

  /** Answers once the thread is up. */
  hello(): string {
    return 'ready';
  }

  load(request: LoadRequest, reports: Reports<Progress>): Promise<Answer<HostInfo>> {
    const onProgress = (progress: Progress): void => report(reports, progress);
    return answer(async () => {
      const module = await loadModule(request.build);
      const file = new module.FileBytes();
      const vocabulary = new module.FileBytes();
      try {
        await this.#read(request.source, file, onProgress);
        if (request.tokenizer) await this.#read(request.tokenizer, vocabulary, () => {});
        this.#decoder = unwrap(module.openDecoder(file, vocabulary, request.context)).decoder;
      } finally {
        file.delete();
        vocabulary.delete();
      }
      this.#info = unwrap(this.#decoder.info());
      onProgress({ phase: 'load', loaded: this.#info.byteLength, total: this.#info.byteLength });
      return this.#info;
    });
  }

  abortLoad(): void {
    this.#loading.abort();
  }

  tokenize(text: Uint8Array, withStart: boolean): Promise<Answer<Int32Array>> {
    return answer(() => unwrap(this.#raw().tokenize(text, withStart)));
  }

  detokenize(ids: Int32Array): Promise<Answer<string>> {
    return answer(() => unwrap(this.#raw().detokenize(ids)));
  }

  pieces(ids: Int32Array): Promise<Answer<string[]>> {
    return answer(() => unwrap(this.#raw().pieces(ids)));
  }

  plan(): Promise<Answer<string>> {
    return answer(() => unwrap(this.#raw().plan()));
  }

  start(ids: Int32Array, settings: Settings): Promise<Answer<null>> {
    return answer(() => {
      this.#prepare(ids, settings.sampling);
      this.#steps = this.#generate(ids, settings);
      return null;
    });
  }

  next(): Promise<Answer<Step | GenerateEnd>> {
    return answer(async () => {
      if (!this.#steps) throw new LookbackError('state', 'generate: nothing was started');
      return (await this.#steps.next()).value;
    });
  }

  stop(): void {
    this.#stopped = true;
  }

  logits(ids: Int32Array, attention: boolean): Promise<Answer<{ logits: Float32Array; attention?: Float32Array[][] } | null>> {
    return answer(async () => {
      this.#prepare(ids, { temperature: 1, topK: 0, topP: 1, seedLow: 0, seedHigh: 0 });
      for (let start = 0; start < ids.length; start += PROMPT_CHUNK) {
        const isDone = await this.#run(ids.subarray(start, start + PROMPT_CHUNK), false, attention);
        if (!isDone) return null;
      }
      const last = (ids.length - 1) % PROMPT_CHUNK;
      const logits = unwrap(this.#raw().logits(-1));
      return attention ? { logits, attention: this.#attention(last) } : { logits };
    });
  }

  dispose(): void {
    this.#loading.abort();
    this.#decoder?.delete();
    this.#decoder = undefined;
  }

  #raw(): RawDecoder {
    if (!this.#decoder) throw new LookbackError('disposed', 'decoder: it was disposed, or never loaded');
    return this.#decoder;
  }

  async #read(source: PlainSource, target: RawFileBytes, onProgress: (progress: Progress) => void): Promise<void> {
    await readParts(source, (total) => {
      if (total !== undefined) unwrap(target.reserve(total));
      return (part) => void unwrap(target.append(part));
    }, onProgress, this.#loading.signal);
  }

  #prepare(ids: Int32Array, sampling: Settings['sampling']): void {
    const { context } = this.#info ?? { context: 0 };
    if (ids.length === 0) throw new LookbackError('value', 'generate: the prompt holds no token');
    if (ids.length > context) {
      throw new LookbackError('range', `generate: the prompt has ${ids.length} tokens, the model reads at most ${context}`);
    }
    this.#stopped = false;
    unwrap(this.#raw().start({ ...sampling }));
  }

  /** False when it was stopped in between; the tokens then do not count as read. */
  async #run(ids: Int32Array, allLogits: boolean, attention: boolean): Promise<boolean> {
    unwrap(this.#raw().begin(ids, allLogits, attention));
    while (!unwrap(this.#raw().advance(OPS_PER_STEP)).done) {
      await this.#slices.breathe();
      if (!this.#stopped) continue;
      this.#decoder?.cancel();
      return false;
    }
    return true;
  }

  async *#generate(ids: Int32Array, settings: Settings): AsyncGenerator<Step, GenerateEnd, void> {
    const prompt = this.#readPrompt(ids, settings);
    for (let step = await prompt.next(); ; step = await prompt.next()) {
      if (step.done && !step.value) return this.#end('aborted');
      if (step.done) break;
      yield step.value;
    }
    let row = (ids.length - 1) % PROMPT_CHUNK;
    for (let count = 0; count < settings.maxTokens; ++count) {
      await this.#slices.breathe();
      if (this.#stopped) return this.#end('aborted');
      const sample = unwrap(this.#raw().sample(settings.alternatives));
      const { text, end } = unwrap(this.#raw().pushText(sample.token));
      if (end) return this.#end('end');
      const position = ids.length + count;
      yield this.#step('generated', position, sample, text, row, settings);
      if (position + 1 > (this.#info?.context ?? 0)) return this.#end('context');
      if (count + 1 === settings.maxTokens) break;
      if (!(await this.#run(Int32Array.of(sample.token), false, settings.attention))) return this.#end('aborted');
      row = 0;
    }
    return this.#end('maxTokens');
  }

  /** Reads the prompt, with a step a token when asked for; returns whether it came to the end. */
  async *#readPrompt(ids: Int32Array, settings: Settings): AsyncGenerator<Step, boolean, void> {
    const texts = Array.from(ids, (id) => unwrap(this.#raw().pushText(id)).text);
    if (settings.echo) {
      yield { phase: 'prompt', position: 0, token: ids[0]!, text: texts[0]!, logProbability: NaN, top: [] };
    }
    for (let start = 0; start < ids.length; start += PROMPT_CHUNK) {
      const chunk = ids.subarray(start, start + PROMPT_CHUNK);
      if (!(await this.#run(chunk, settings.echo, settings.attention))) return false;
      for (let row = 0; settings.echo && row < chunk.length; ++row) {
        const position = start + row + 1;
        if (position === ids.length) break;
        const sample = unwrap(this.#raw().predicted(row, ids[position]!, settings.alternatives));
        yield this.#step('prompt', position, sample, texts[position]!, row, settings);
        await this.#slices.breathe();
        if (this.#stopped) return false;
      }
    }
    return true;
  }

  #step(phase: Step['phase'], position: number, sample: RawSample, text: string, row: number, settings: Settings): Step {
    return {
      phase, position, text, token: sample.token, logProbability: sample.logProbability, top: sample.top,
      ...(settings.attention && { attention: this.#attention(row) }),
      ...(settings.logits && { logits: unwrap(this.#raw().logits(phase === 'prompt' ? row : -1)) }),
    };
  }

  /** [layer][head] of one query of the last run. */
  #attention(row: number): Float32Array[][] {
    const { layers, heads } = this.#info!;
    const flat = unwrap(this.#raw().attention(row));
    const length = flat.length / (layers * heads);
    return Array.from({ length: layers }, (_, layer) =>
      Array.from({ length: heads }, (__, head) => flat.slice((layer * heads + head) * length, (layer * heads + head + 1) * length)));
  }

  #end(reason: GenerateEnd['reason']): GenerateEnd {
    return { reason, text: this.#decoder ? unwrap(this.#decoder.finishText()) : '' };
  }
}
