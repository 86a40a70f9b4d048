// SPDX-License-Identifier: MIT
// Drives one training run for a figure: step by step, so that pausing, single steps and scrolling away continue the same run.
import type { Alignment, DecodedSequence, LengthScore, Lookback, TrainOptions, TrainingRun, TrainingStep } from '../engine/types.js';

export interface SessionHost {
  /** Often: to be shown when the browser paints next. */
  changed(): void;
  /** The run came to rest. */
  rested(): void;
  failed(error: unknown): void;
  /** More to ask of the run whenever it is evaluated. */
  probe?(run: TrainingRun): Promise<void>;
}

export interface Evaluation {
  step: number;
  accuracy: readonly LengthScore[];
}

/** What the model makes of one source. */
export interface Look {
  /** by the right tokens where the task knows them, else by the model's own */
  alignment: Alignment;
  output: DecodedSequence;
}

/** Steps between looks at the chosen input, and between evaluations with a copy of the run. */
const kLookEvery = 5;
const kEvaluateEvery = 25;
/** Held-out examples of each length. */
const kEvaluateCount = 64;
/** Steps whose numbers are kept; of longer runs only every second, fourth .. */
const kMostSteps = 1000;

export class TrainingSession {
  activity: 'idle' | 'opening' | 'running' | 'paused' = 'idle';
  /** Oldest first. */
  history: readonly TrainingStep[] = [];
  evaluations: readonly Evaluation[] = [];
  look: Look | undefined;
  run: TrainingRun | undefined;
  #stride = 1;
  #until = 0;
  #isHeld = false;
  #isLooping = false;
  #input = '';
  #looked = -1;
  #kept: Uint8Array | undefined;
  /** Changes with every opening: what an earlier run still answers is not shown. */
  #opening = 0;

  constructor(private readonly host: SessionHost) {}

  get step(): number {
    return this.run?.step ?? 0;
  }

  get latest(): TrainingStep | undefined {
    return this.history.at(-1);
  }

  /** The run as it was at the last evaluation. */
  get kept(): Uint8Array | undefined {
    return this.#kept;
  }

  /** Begins a new run; the one before is given up. */
  async open(engine: Lookback, options: TrainOptions, input: string): Promise<void> {
    this.close();
    const opening = this.#opening;
    this.activity = 'opening';
    this.#input = input;
    this.host.changed();
    try {
      const run = await engine.train(options);
      if (opening !== this.#opening) return void run.dispose();
      this.run = run;
      this.#kept = undefined;
      Object.assign(this, { activity: 'paused', history: [], evaluations: [], look: undefined });
      this.#stride = 1;
      await this.#guard(opening, () => this.#refresh(opening));
    } catch (error) {
      if (opening !== this.#opening) return;
      this.activity = 'idle';
      this.host.failed(error);
    }
    this.host.changed();
  }

  /** Trains up to that step. */
  train(until: number): void {
    if (!this.run || this.activity === 'opening') return;
    this.#until = until;
    this.activity = 'running';
    void this.#loop();
    this.host.changed();
  }

  pause(): void {
    if (this.activity === 'running') this.#rest();
  }

  /** Off screen: the run waits, and goes on by itself when it is seen again. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld && this.activity === 'running') void this.#loop();
  }

  /** Another input to look at. */
  async show(input: string): Promise<void> {
    if (input === this.#input) return;
    this.#input = input;
    this.#looked = -1;
    if (this.run && this.activity !== 'opening') await this.#guard(this.#opening, () => this.#refresh(this.#opening));
    this.host.changed();
  }

  async save(): Promise<Uint8Array | undefined> {
    return this.run?.save();
  }

  /** Goes on from a saved run of the same task and model. */
  async load(bytes: Uint8Array): Promise<void> {
    this.pause();
    const opening = this.#opening;
    await this.#guard(opening, async () => {
      await this.run?.load(bytes);
      Object.assign(this, { history: [], evaluations: [] });
      this.#looked = -1;
      await this.#evaluate(opening);
      await this.#refresh(opening);
    });
    this.host.changed();
  }

  close(): void {
    ++this.#opening;
    void this.run?.dispose();
    this.run = undefined;
    this.activity = 'idle';
    this.#isLooping = false;
    this.#looked = -1;
  }

  async #loop(): Promise<void> {
    if (this.#isLooping) return;
    this.#isLooping = true;
    const opening = this.#opening;
    await this.#guard(opening, async () => {
      while (this.#goesOn(opening)) await this.#advance(opening);
    });
    if (opening !== this.#opening) return;
    this.#isLooping = false;
    if (this.activity === 'running' && !this.#isHeld) this.#rest();
  }

  #goesOn(opening: number): boolean {
    return opening === this.#opening && this.activity === 'running' && !this.#isHeld && this.step < this.#until;
  }

  async #advance(opening: number): Promise<void> {
    const report = await this.run!.advance();
    if (opening !== this.#opening) return;
    this.#keepStep(report);
    if (report.step % kEvaluateEvery === 0 || report.step === this.#until) await this.#evaluate(opening);
    if (report.step % kLookEvery === 0 || this.activity !== 'running' || report.step === this.#until) await this.#refresh(opening);
    if (opening === this.#opening) this.host.changed();
  }

  #keepStep(report: TrainingStep): void {
    if (report.step % this.#stride !== 0) return;
    this.history = [...this.history, report];
    if (this.history.length < kMostSteps) return;
    this.#stride *= 2;
    this.history = this.history.filter(({ step }) => step % this.#stride === 0);
  }

  async #evaluate(opening: number): Promise<void> {
    const { run } = this;
    if (!run) return;
    const accuracy = await run.evaluate({ count: kEvaluateCount });
    const kept = await run.save();
    await this.host.probe?.(run);
    if (opening !== this.#opening) return;
    this.#kept = kept;
    this.evaluations = [...this.evaluations.filter(({ step }) => step !== run.step), { step: run.step, accuracy }];
  }

  /** Looks at the chosen input with the weights as they are. */
  async #refresh(opening: number): Promise<void> {
    const { run } = this;
    if (!run || this.#looked === run.step || this.#input === '') return;
    const input = this.#input;
    const output = await run.decode(input);
    const alignment = await run.alignment(input).catch(() => output);
    if (opening !== this.#opening || input !== this.#input) return;
    this.#looked = run.step;
    this.look = { alignment, output };
  }

  /** An error ends the work, not the run: what was reached stays. */
  async #guard(opening: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (opening !== this.#opening) return;
      if (this.activity === 'running') this.activity = 'paused';
      this.host.failed(error);
    }
  }

  #rest(): void {
    this.activity = 'paused';
    this.host.rested();
    this.host.changed();
  }
}
