// SPDX-License-Identifier: MIT
// Drives a generation token by token: the engine's generator is pulled, so that pausing and single steps continue one and the same run.
import type { Decoder, GenerateEnd, Step } from '../engine/types.js';
import { isSameSampling, samplingOf, type DecoderState, type Origin, type Sampling, type TokenRow } from './decoder_model.js';

export interface WriterHost {
  /** Often: to be shown when the browser paints next. */
  wrote(): void;
  /** A run came to rest. */
  rested(): void;
  failed(error: unknown): void;
}

interface Run {
  decoder: Decoder;
  prompt: string;
  sampling: Sampling;
  given: readonly Origin[];
  steps: AsyncGenerator<Step, GenerateEnd, void>;
  controller: AbortController;
  isWanted: boolean;
}

/** Bytes of attention that are kept; later tokens then have none. */
const kMostAttention = 64 * 2 ** 20;

export class DecoderWriter {
  rows: readonly TokenRow[] = [];
  activity: 'idle' | 'running' | 'paused' = 'idle';
  end: GenerateEnd | undefined;
  /** Of the rows. */
  sampling: Sampling | undefined;
  /** Tokens a second of the last pull, once there were enough to tell. */
  speed: number | undefined;
  #run: Run | undefined;
  #kept = 0;

  constructor(private readonly host: WriterHost) {}

  /** Whether the run at rest can go on for this state: another prompt needs a new one. */
  canContinue({ prompt }: Pick<DecoderState, 'prompt'>): boolean {
    return this.activity === 'paused' && this.#run?.prompt === prompt;
  }

  /** Reads the ids, then writes `count` tokens. `given` says where the ids came from. */
  async start(decoder: Decoder, state: DecoderState, ids: readonly number[], given: readonly Origin[], count: number): Promise<void> {
    await this.stop();
    const controller = new AbortController();
    const sampling = samplingOf(state);
    const options = { ...sampling, maxTokens: decoder.info.context, echo: true, capture: { attention: true }, signal: controller.signal };
    const run = { decoder, prompt: state.prompt, sampling, given, steps: decoder.generate(ids, options), controller, isWanted: true };
    this.#run = run;
    this.#kept = 0;
    Object.assign(this, { rows: [], end: undefined, sampling });
    await this.#pull(run, count);
  }

  /** Writes on; with other sampling the text so far is read again first. */
  async resume(state: DecoderState, count: number): Promise<void> {
    const run = this.#run;
    if (!run || this.activity !== 'paused') return;
    if (isSameSampling(run.sampling, samplingOf(state))) return this.#pull(run, count);
    await this.start(run.decoder, state, this.rows.map(({ step }) => step.token), this.rows.map(({ origin }) => origin), count);
  }

  /** Reads the text before `position` again, then `token` instead of what stood there, and writes on. */
  async take(decoder: Decoder, state: DecoderState, position: number, token: number, count: number): Promise<void> {
    const before = this.rows.slice(0, position);
    await this.start(decoder, state, [...before.map(({ step }) => step.token), token], [...before.map(({ origin }) => origin), 'taken'], count);
  }

  /** Stops after the present token; while a prompt is still being read, at once. */
  pause(): void {
    const run = this.#run;
    if (!run || this.activity !== 'running') return;
    run.isWanted = false;
    if (this.rows.length < run.given.length) run.controller.abort();
  }

  /** Ends the run; its rows stay. */
  async stop(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    this.activity = 'idle';
    if (!run) return;
    run.controller.abort();
    await run.steps.return({ reason: 'aborted', text: '' }).catch(() => {});
  }

  clear(): void {
    void this.stop();
    Object.assign(this, { rows: [], end: undefined, sampling: undefined, speed: undefined });
  }

  async #pull(run: Run, count: number): Promise<void> {
    run.isWanted = true;
    this.activity = 'running';
    this.speed = undefined;
    this.host.wrote();
    try {
      if (await this.#pullSteps(run, count)) this.host.rested();
    } catch (error) {
      if (this.#run !== run) return;
      this.#run = undefined;
      this.activity = 'idle';
      this.host.failed(error);
    }
  }

  /** False when another run took over. */
  async #pullSteps(run: Run, count: number): Promise<boolean> {
    let written = 0;
    let firstAt = 0;
    while (run.isWanted && written < count) {
      const next = await run.steps.next();
      if (this.#run !== run) return false;
      if (next.done) return this.#finish(next.value);
      const [piece = ''] = await run.decoder.pieces([next.value.token]);
      if (this.#run !== run) return false;
      this.rows = [...this.rows, this.#row(next.value, piece, run.given)];
      if (next.value.phase === 'generated') {
        if (++written === 1) firstAt = performance.now();
        if (written > 8) this.speed = ((written - 1) * 1000) / (performance.now() - firstAt);
      }
      this.host.wrote();
    }
    this.activity = 'paused';
    return true;
  }

  #row(step: Step, piece: string, given: readonly Origin[]): TokenRow {
    const origin = given[step.position] ?? 'generated';
    const bytes = (step.attention ?? []).flat().reduce((sum, weights) => sum + weights.byteLength, 0);
    this.#kept += bytes;
    if (this.#kept <= kMostAttention) return { step, piece, origin };
    const { attention: _, ...rest } = step;
    return { step: rest, piece, origin };
  }

  #finish(end: GenerateEnd): true {
    this.#run = undefined;
    this.activity = 'idle';
    this.end = end;
    return true;
  }
}
