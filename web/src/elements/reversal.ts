// SPDX-License-Identifier: MIT
// <lookback-reversal>: an encoder-decoder learns digit reversal, or another task, while the reader watches its alignment form.
import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import type { Lookback, TrainingRun, TrainingStep } from '../engine/types.js';
import { Frames } from '../kit/frames.js';
import { CurveView, FigureElement, figureStyles, formatNumber, type NamedArray } from '../kit/index.js';
import { inputOf, optionsOf, reversalTable, type ReversalState } from './reversal_model.js';
import type { ReversalContext } from './reversal_views.js';
import type { TrainingSession } from './training_session.js';
import { trainingStyles } from './training_styles.js';

type Views = typeof import('./reversal_views.js');

export interface ReversalResult {
  session: TrainingSession;
}

export interface ReversalElement extends ReversalState {}

export class ReversalElement extends FigureElement<ReversalResult> {
  static override readonly table = reversalTable;
  static override styles: CSSResultGroup = [...figureStyles, trainingStyles];

  protected readonly titleKey = 'reversal.title';
  protected override readonly labels = { rate: 'η' };

  #views: Views | undefined;
  #session: TrainingSession | undefined;
  #pairs = '';
  /** The settings of the run that is shown, as text. */
  #opened = '';
  /** A run that ended because the element left its page, to go on where it arrives. */
  #left: { bytes: Uint8Array; settings: string } | undefined;
  #hasCurves = false;
  readonly #frames = new Frames(() => this.invalidate());
  readonly #curves = { loss: new CurveView(this), accuracy: new CurveView(this) };

  /** The reader's or the page's own pairs for the task 'pairs': lines of source, a tab, target. Not part of the state in a link. */
  get pairs(): string {
    return this.#pairs;
  }
  set pairs(text: string) {
    this.#pairs = String(text);
    this.invalidate();
  }

  /** The engine's run, once there is one; the figure disposes it. */
  get run(): TrainingRun | undefined {
    return this.#session?.run;
  }

  /** The steps of the run that is shown, oldest first. */
  get history(): readonly TrainingStep[] {
    return this.#session?.history ?? [];
  }

  // --- Life

  protected override async prepare(): Promise<void> {
    this.#views = await import('./reversal_views.js');
    this.#session ??= new this.#views.TrainingSession({
      changed: () => this.#changed(),
      rested: () => this.#rested(),
      failed: (error) => this.#failed(error),
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#frames.cancel();
    const bytes = this.#session?.kept;
    if (bytes) this.#left = { bytes, settings: this.#opened };
    this.#session?.close();
    this.result = undefined;
    this.invalidate();
  }

  protected override visibilityChanged(isNear: boolean): void {
    this.#session?.hold(!isNear);
  }

  protected override edited(): void {
    super.edited();
    void this.#session?.show(this.#input);
  }

  // --- Training

  get #state(): ReversalState {
    const { task, model, attention, cell, reverseSource, rate, seed, steps, input, unit } = this;
    return { task, model, attention, cell, reverseSource, rate, seed, steps, input, unit };
  }

  get #input(): string {
    return inputOf(this.#state, this.#pairs);
  }

  get #settings(): string {
    return JSON.stringify(optionsOf(this.#state, this.#pairs));
  }

  /** A new run with the settings as they are; one that was left behind with the same settings goes on. */
  async #open(): Promise<void> {
    const session = this.#session;
    if (!session || !this.engine) return;
    this.problems.clear('train');
    const left = this.#left?.settings === this.#settings ? this.#left.bytes : undefined;
    this.#left = undefined;
    this.#opened = this.#settings;
    await session.open(this.engine, { ...optionsOf(this.#state, this.#pairs), ...(left ? { from: left } : {}) }, this.#input);
  }

  async #start(): Promise<void> {
    this.#left = undefined;
    await this.#resume();
  }

  async #resume(): Promise<void> {
    await this.#open();
    if (this.run) this.#train(this.steps);
  }

  #train(until: number): void {
    this.problems.clear('train');
    this.#session?.train(until);
  }

  async #one(): Promise<void> {
    if (!this.run || this.#opened !== this.#settings) await this.#open();
    if (this.run) this.#train(this.run.step + 1);
  }

  async #load(bytes: Uint8Array): Promise<void> {
    if (!this.run || this.#opened !== this.#settings) await this.#open();
    if (!this.run) return;
    this.problems.clear('train');
    await this.#session?.load(bytes);
  }

  #changed(): void {
    const step = this.#session?.step ?? 0;
    if (this.#session?.activity === 'running') this.fire('progress', { phase: 'train', loaded: step, total: this.steps });
    this.#frames.ask(1);
  }

  #rested(): void {
    this.fire('progress', { phase: 'rest', loaded: this.#session?.step ?? 0, total: this.steps });
    this.edited();
  }

  #failed(error: unknown): void {
    const { code } = (error ?? {}) as { code?: unknown };
    this.report('train', { code: typeof code === 'string' ? code : 'state', where: '', message: error instanceof Error ? error.message : String(error) });
    this.invalidate();
  }

  // --- Showing

  protected compute(_engine: Lookback): ReversalResult {
    return { session: this.#session! };
  }

  #context(session: TrainingSession): ReversalContext {
    return {
      ...{ state: this.#state, session, pairs: this.#pairs, curves: this.#curves, kindWords: this.kindWords },
      isStale: session.run !== undefined && this.#opened !== this.#settings,
      cells: (name) => this.cells(name),
      onEdit: (changes) => this.edit(changes),
      onPairs: (text) => {
        this.pairs = text;
      },
      onStart: () => void this.#start(),
      onTrain: () => this.#train(session.step >= this.steps ? session.step + this.steps : this.steps),
      onStep: () => void this.#one(),
      onPause: () => session.pause(),
      onLoad: (bytes) => void this.#load(bytes),
      t: (key, values) => this.t(key, values),
    };
  }

  protected inputs({ session }: ReversalResult): TemplateResult {
    const { settingsView, runView } = this.#views!;
    const context = this.#context(session);
    const goOn = this.#left && !session.run ? html`<p>${this.t('train.left')} <button type="button" class="link-button" @click=${() => void this.#resume()}>${this.t('train.left.goOn')}</button></p>` : nothing;
    return html`${settingsView(context)} ${runView(context)} ${goOn}`;
  }

  protected results({ session }: ReversalResult): unknown {
    if (!session.run) return nothing;
    const { curvesView, lookView } = this.#views!;
    const context = this.#context(session);
    // The first time one after the other: made in one task, they would hold up the page.
    const isFirst = !this.#hasCurves;
    this.#hasCurves = true;
    if (isFirst) this.#frames.ask(1);
    return html`${curvesView(context)} ${isFirst ? nothing : lookView(context)}`;
  }

  arrays({ session }: ReversalResult): NamedArray[] {
    return this.#views!.arraysOf(this.#context(session));
  }

  protected describe({ session }: ReversalResult): string {
    const { latest, evaluations } = session;
    if (!latest) return this.t('reversal.before');
    const last = evaluations.at(-1)?.accuracy.findLast(({ count }) => count > 0);
    const scores = last ? this.t('reversal.scores', { length: last.length, token: formatNumber(last.tokenAccuracy), exact: formatNumber(last.exactMatch), count: last.count }) : '';
    return `${this.t('train.progress', { step: latest.step, until: this.steps })} ${this.t('train.report', { loss: formatNumber(latest.loss), norm: formatNumber(latest.gradientNorm) })} ${scores}`;
  }
}
