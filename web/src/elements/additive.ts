// SPDX-License-Identifier: MIT
// <lookback-additive>: Bahdanau's score worked by hand, with the dot score of the same inputs beside it.
import { html, type CSSResultGroup, type TemplateResult } from 'lit';
import type { Lookback } from '../engine/types.js';
import {
  counter,
  CurveView,
  figureStyles,
  FigureElement,
  formatNumber,
  largestIndex,
  matrixInput,
  slider,
  toggle,
  vectorOf,
  rowsOf,
  type NamedArray,
  type Question,
  type Vector,
} from '../kit/index.js';
import { additiveTable, computeAdditive, computeCurve, keepFlags, sizeLimits, temperatureLimits, withCount, withWidth, type AdditiveResult, type AdditiveState } from './additive_model.js';
import { additiveStyles } from './additive_styles.js';
import { annotationHead, normaliseStep, readStep, scoreStep, verdict, type StepContext } from './additive_views.js';

/** Long enough for the first result to be painted. */
const kCurveDelayMs = 80;

export interface AdditiveElement extends AdditiveState {}

export class AdditiveElement extends FigureElement<AdditiveResult> {
  static override readonly table = additiveTable;
  static override styles: CSSResultGroup = [...figureStyles, additiveStyles];

  protected readonly titleKey = 'additive.title';
  protected override readonly labels = { query: 's', keys: 'h', wa: 'W_a', ua: 'U_a', va: 'v_a', keep: 'keep', temperature: 'τ' };

  readonly #curve = new CurveView(this);
  #chosen = 0;
  #draw: ReturnType<typeof setTimeout> | undefined;
  #keyProjection: readonly number[] | undefined;
  #isProjectionKept: boolean | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#draw);
  }

  /** A figure taken off the page before its curve was drawn gets it when it is back. */
  protected override visibilityChanged(isNear: boolean): void {
    if (isNear && this.engine && this.result) this.#drawLater(this.engine);
  }

  #drawLater(engine: Lookback): void {
    clearTimeout(this.#draw);
    this.#draw = setTimeout(() => this.#drawCurve(engine), kCurveDelayMs);
  }

  /** The first result need not wait for the many readings that the curve takes. */
  #drawCurve(engine: Lookback): void {
    if (!this.result || this.result.curve) return;
    this.result = { ...this.result, curve: computeCurve(engine, this.#state) };
    this.requestUpdate();
  }

  get #state(): AdditiveState {
    const { query, keys, wa, ua, va, keep, temperature } = this;
    return { query, keys, wa, ua, va, keep, temperature };
  }

  protected compute(engine: Lookback): AdditiveResult {
    const result: AdditiveResult = computeAdditive(engine, this.#state);
    if (this.result) result.curve = computeCurve(engine, this.#state);
    else this.#drawLater(engine);
    const projection = vectorOf(result.additive.keyProjection);
    const before = this.#keyProjection;
    this.#isProjectionKept = before && (before.length === projection.length && before.every((value, index) => value === projection[index]));
    this.#keyProjection = projection;
    this.#chosen = Math.min(this.#chosen, this.keys.length - 1);
    return result;
  }

  protected inputs(): TemplateResult {
    return html`<div class="input-matrices">
        ${this.#vector('query', 's', tex`\mathbf{s}`)} ${this.#annotations()} ${this.#square('wa', 'W_a', tex`W_a`)} ${this.#square('ua', 'U_a', tex`U_a`)}
        ${this.#vector('va', 'v_a', tex`\mathbf{v}_a`)}
      </div>
      <div class="controls">
        ${counter(this.t('additive.count'), this.t('additive.count'), this.keys.length, sizeLimits.count, (count) => this.edit(withCount(this.#state, count)))}
        ${counter(this.t('additive.width'), this.t('additive.width'), this.query.length, sizeLimits.width, (width) => this.edit(withWidth(this.#state, width)))}
        ${this.#temperature()}
      </div>`;
  }

  #vector(property: 'query' | 'va', name: string, symbol: TemplateResult): TemplateResult {
    return matrixInput({ name, symbol, rows: [this[property]], editor: this.cells(property), hint: this.t('kit.editHint'), dataName: property });
  }

  #square(property: 'wa' | 'ua', name: string, symbol: TemplateResult): TemplateResult {
    const rowLabels = this[property].map((_, row) => this.t('kit.row', { row: row + 1 }));
    return matrixInput({ name, symbol, rows: this[property], rowLabels, rowHeads: [], editor: this.cells(property), hint: this.t('kit.editHint'), dataName: property });
  }

  #annotations(): TemplateResult {
    const keep = keepFlags(this.#state);
    const toggleAt = (index: number) => (isKept: boolean) => this.edit({ keep: keep.map((flag, each) => (each === index ? isKept : flag)) });
    return matrixInput({
      name: 'h', rows: this.keys, editor: this.cells('keys'), hint: this.t('kit.editHint'), dataName: 'keys',
      rowLabels: this.keys.map((_, index) => this.t('additive.annotation', { index: index + 1 })),
      rowHeads: this.keys.map((_, index) => annotationHead(index)),
      rowTail: (index) => toggle(this.t('additive.keep'), keep[index]!, toggleAt(index), this.t('additive.keep.name', { index: index + 1 })),
    });
  }

  #temperature(): TemplateResult {
    const editor = this.cells('temperature');
    return slider({
      label: html`${this.t('additive.temperature')} ${tex`\tau`}`, name: this.t('additive.temperature'), value: this.temperature,
      limits: temperatureLimits, step: 0.05, isRefused: editor.isRefused(0, 0),
      onNumber: (value) => editor.set(0, 0, value),
      onRefuse: (parsed) => editor.refuse(0, 0, parsed),
    });
  }

  #context(result: AdditiveResult): StepContext {
    return {
      state: this.#state, result, chosen: this.#chosen, kindWords: this.kindWords,
      onChoose: (row) => {
        this.#chosen = row;
        this.requestUpdate();
      },
      t: (key, values) => this.t(key, values),
      parts: (key, values) => this.parts(key, values),
    };
  }

  protected results(result: AdditiveResult): TemplateResult {
    const context = this.#context(result);
    return html`${scoreStep(context, this.#onceNote())} ${normaliseStep(context, this.#curve)} ${readStep(context)}
      <p class="verdict">${verdict(context)}</p>`;
  }

  #onceNote(): unknown[] {
    const u = tex`\mathbf{h}_j U_a`;
    const note = this.parts('additive.once', { s: tex`\mathbf{s}`, u });
    if (this.#isProjectionKept === undefined) return note;
    return [...note, ' ', ...this.parts(this.#isProjectionKept ? 'additive.once.kept' : 'additive.once.changed', { u })];
  }

  arrays({ additive, dot }: AdditiveResult): NamedArray[] {
    const rowLabels = this.keys.map((_, index) => this.t('additive.annotation', { index: index + 1 }));
    const column = (name: string, symbol: string, values: Vector): NamedArray => ({ name, symbol, rowLabels, rows: values.map((value) => [value]) });
    return [
      { name: 'query', symbol: 's', rows: [this.query] },
      { name: 'keys', symbol: 'h', rows: this.keys, rowLabels },
      { name: 'wa', symbol: 'W_a', rows: this.wa },
      { name: 'ua', symbol: 'U_a', rows: this.ua },
      { name: 'va', symbol: 'v_a', rows: [this.va] },
      { name: 'query_projection', symbol: 's W_a', rows: [vectorOf(additive.queryProjection)] },
      { name: 'key_projection', symbol: 'h U_a', rows: rowsOf(additive.keyProjection), rowLabels },
      { name: 'hidden', symbol: 'tanh(s W_a + h U_a)', rows: rowsOf(additive.hidden), rowLabels },
      column('e', 'e', vectorOf(additive.scores)),
      column('alpha', 'α', vectorOf(additive.weights)),
      { name: 'c', symbol: 'c', rows: [vectorOf(additive.context)] },
      column('dot_e', 's · h', vectorOf(dot.scores)),
      column('dot_alpha', 'α, dot', vectorOf(dot.weights)),
      { name: 'dot_c', symbol: 'c, dot', rows: [vectorOf(dot.context)] },
    ];
  }

  protected describe({ additive, dot }: AdditiveResult): string {
    const list = (values: readonly number[]): string => values.map((value) => formatNumber(value)).join(', ');
    const values = { weights: list(vectorOf(additive.weights)), context: list(vectorOf(additive.context)), dotWeights: list(vectorOf(dot.weights)) };
    return this.t('additive.describe', values);
  }

  override question({ additive }: AdditiveResult): Question {
    return {
      prompt: this.t('additive.question'),
      choices: this.keys.map((_, index) => this.t('additive.annotation', { index: index + 1 })),
      answer: largestIndex(vectorOf(additive.weights)),
    };
  }
}
