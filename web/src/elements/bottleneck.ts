// SPDX-License-Identifier: MIT
// <lookback-bottleneck>: one fixed vector, the same read backwards, and attention learn the same task; what falls with length?
import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import type { Lookback, TrainingRun } from '../engine/types.js';
import { Frames } from '../kit/frames.js';
import { CurveView, FigureElement, figureStyles, formatNumber, type NamedArray } from '../kit/index.js';
import { bottleneckTable, optionsOf, sourceOf, variants, type BottleneckState, type Variant, type VariantResult } from './bottleneck_model.js';
import { bottleneckStyles } from './bottleneck_styles.js';
import type { BottleneckContext } from './bottleneck_views.js';
import type { TrainingSession } from './training_session.js';
import { trainingStyles } from './training_styles.js';

type Views = typeof import('./bottleneck_views.js');

export interface BottleneckElement extends BottleneckState {}

export class BottleneckElement extends FigureElement<readonly VariantResult[]> {
  static override readonly table = bottleneckTable;
  static override styles: CSSResultGroup = [...figureStyles, trainingStyles, bottleneckStyles];

  protected readonly titleKey = 'bottleneck.title';
  protected override readonly labels = { length: 'n' };

  #views: Views | undefined;
  readonly #sessions = new Map<Variant, TrainingSession>();
  readonly #gradients = new Map<Variant, readonly number[]>();
  /** Seed of the runs that are shown. */
  #opened = '';
  readonly #frames = new Frames(() => this.invalidate());
  readonly #curves = { loss: new CurveView(this), accuracy: new CurveView(this), gradient: new CurveView(this) };

  /** The engine's runs by model: 'vector', 'reversed', 'attention'. */
  get runs(): Readonly<Partial<Record<Variant, TrainingRun>>> {
    return Object.fromEntries([...this.#sessions].flatMap(([variant, { run }]) => (run ? [[variant, run]] : [])));
  }

  // --- Life

  protected override async prepare(): Promise<void> {
    this.#views = await import('./bottleneck_views.js');
    for (const variant of variants) {
      if (this.#sessions.has(variant)) continue;
      this.#sessions.set(variant, new this.#views.TrainingSession({
        changed: () => this.#changed(),
        rested: () => this.#rested(),
        failed: (error) => this.#failed(error),
        probe: (run) => this.#probe(variant, run),
      }));
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#frames.cancel();
    for (const session of this.#sessions.values()) session.close();
    this.#gradients.clear();
    this.result = undefined;
    this.invalidate();
  }

  protected override visibilityChanged(isNear: boolean): void {
    for (const session of this.#sessions.values()) session.hold(!isNear);
  }

  protected override edited(): void {
    super.edited();
    void this.#probeAll();
  }

  // --- Training

  get #state(): BottleneckState {
    const { steps, seed, length, output } = this;
    return { steps, seed, length, output };
  }

  get #isRunning(): boolean {
    return [...this.#sessions.values()].some(({ activity }) => activity === 'running');
  }

  async #start(): Promise<void> {
    const { engine } = this;
    if (!engine) return;
    this.problems.clear('train');
    this.#opened = String(this.seed);
    this.#gradients.clear();
    await Promise.all([...this.#sessions].map(([variant, session]) => session.open(engine, optionsOf(variant, this.#state), '')));
    if (Object.keys(this.runs).length === variants.length) this.#goOn();
  }

  #goOn(): void {
    this.problems.clear('train');
    for (const session of this.#sessions.values()) session.train(this.steps);
  }

  async #probe(variant: Variant, run: TrainingRun): Promise<void> {
    const { length, output } = this;
    const gradient = await run.gradients(sourceOf({ length }), { position: output === 'first' ? 0 : length - 1, relative: true });
    if (length === this.length && output === this.output && this.#sessions.get(variant)?.run === run) this.#gradients.set(variant, [...gradient]);
  }

  async #probeAll(): Promise<void> {
    try {
      await Promise.all([...this.#sessions].flatMap(([variant, { run }]) => (run ? [this.#probe(variant, run)] : [])));
    } catch (error) {
      // A run that was given up meanwhile has nothing to say.
      if ((error as { code?: unknown } | null)?.code !== 'disposed') this.#failed(error);
    }
    this.invalidate();
  }

  #changed(): void {
    this.#frames.ask(1);
  }

  #rested(): void {
    if (this.#isRunning) return;
    this.fire('progress', { phase: 'rest', loaded: Math.min(...[...this.#sessions.values()].map(({ step }) => step)), total: this.steps });
    this.edited();
  }

  #failed(error: unknown): void {
    const { code } = (error ?? {}) as { code?: unknown };
    this.report('train', { code: typeof code === 'string' ? code : 'state', where: '', message: error instanceof Error ? error.message : String(error) });
    this.invalidate();
  }

  // --- Showing

  protected compute(_engine: Lookback): readonly VariantResult[] {
    return variants.map((variant) => ({ variant, scores: this.#sessions.get(variant)?.evaluations.at(-1)?.accuracy ?? [], gradient: this.#gradients.get(variant) ?? [] }));
  }

  #context(results: readonly VariantResult[]): BottleneckContext {
    return {
      ...{ state: this.#state, sessions: this.#sessions, results, curves: this.#curves, kindWords: this.kindWords },
      isRunning: this.#isRunning,
      isStale: this.#opened !== '' && this.#opened !== String(this.seed),
      cells: (name) => this.cells(name),
      onEdit: (changes) => this.edit(changes),
      onStart: () => void this.#start(),
      onGoOn: () => this.#goOn(),
      onPause: () => {
        for (const session of this.#sessions.values()) session.pause();
      },
      t: (key, values) => this.t(key, values),
      parts: (key, values) => this.parts(key, values),
    };
  }

  protected inputs(results: readonly VariantResult[]): unknown {
    return this.#views!.runView(this.#context(results));
  }

  protected results(results: readonly VariantResult[]): TemplateResult {
    const { experimentView, reachView, publishedView } = this.#views!;
    const context = this.#context(results);
    const hasRun = Object.keys(this.runs).length > 0;
    return html`${hasRun ? experimentView(context) : nothing} ${reachView(context)} ${publishedView(context)}`;
  }

  arrays(results: readonly VariantResult[]): NamedArray[] {
    return this.#views!.arraysOf(this.#context(results));
  }

  protected describe(results: readonly VariantResult[]): string {
    const parts = results.flatMap(({ variant, scores }) => {
      const last = scores.findLast(({ count }) => count > 0);
      return last ? [`${this.t(`bottleneck.${variant}`)}: ${this.t('bottleneck.describe', { length: last.length, accuracy: formatNumber(last.tokenAccuracy) })}`] : [];
    });
    return parts.length > 0 ? parts.join(' ') : this.t('bottleneck.before');
  }
}
