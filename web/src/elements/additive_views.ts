// SPDX-License-Identifier: MIT
// The three steps of lookback-additive: score, normalise, read; each with its formula, its numbers and its result.
import { html, nothing, type TemplateResult } from 'lit';
import { barsView, formatNumber, gridView, largestIndex, rowsOf, planeView, vectorOf, type CurveView, type KindWords, type MessageKey, type PlaneVector, type Rows } from '../kit/index.js';
import type { AdditiveResult, AdditiveState } from './additive_model.js';

export interface StepContext {
  state: AdditiveState;
  result: AdditiveResult;
  chosen: number;
  onChoose: (row: number) => void;
  kindWords: KindWords;
  t: (key: MessageKey, values?: Record<string, unknown>) => string;
  parts: (key: MessageKey, values: Record<string, unknown>) => unknown[];
}

const column = (values: readonly number[]): Rows => values.map((value) => [value]);

export function annotationHead(index: number): TemplateResult {
  return html`<math><msub><mi mathvariant="normal" class="bold">h</mi><mn>${index + 1}</mn></msub></math>`;
}

/** (1.000, 0.000) */
function vectorText(values: readonly number[], digits = 3): string {
  return `(${values.map((value) => formatNumber(value, digits)).join(', ')})`;
}

function step(number: number, title: string, formula: TemplateResult, main: unknown, beside: unknown): TemplateResult {
  return html`<section class="step">
    <h3><span class="step-number">${number}</span> ${title}</h3>
    <div class="formula">${formula}</div>
    <div class="step-columns"><div class="step-main">${main}</div><div class="step-beside">${beside}</div></div>
  </section>`;
}

function besideTitle({ t }: StepContext, formula: TemplateResult): TemplateResult {
  return html`<p class="beside-title">${t('additive.beside')} ${formula}</p>`;
}

function rowNames({ state, t }: StepContext): { rowLabels: string[]; rowHeads: TemplateResult[] } {
  return { rowLabels: state.keys.map((_, index) => t('additive.annotation', { index: index + 1 })), rowHeads: state.keys.map((_, index) => annotationHead(index)) };
}

function substitution({ state, result, chosen }: StepContext): TemplateResult {
  const { additive } = result;
  const query = vectorText(vectorOf(additive.queryProjection));
  const key = vectorText(rowsOf(additive.keyProjection)[chosen]!);
  const hidden = vectorText(rowsOf(additive.hidden)[chosen]!);
  const score = formatNumber(additive.scores.data[chosen]!);
  return html`<p class="numbers">
    <math><msub><mi>e</mi><mn>${chosen + 1}</mn></msub></math> = ${vectorText(state.va, digitsOf(state.va))} · tanh(${query} + ${key}) = ${vectorText(state.va, digitsOf(state.va))} · ${hidden} = ${score}
  </p>`;
}

/** Digits that show typed numbers as they were typed. */
function digitsOf(values: readonly number[]): number {
  return values.every(Number.isInteger) ? 0 : 3;
}

function rowVector(context: StepContext, values: readonly number[], symbol: TemplateResult, name: string, dataName: string): TemplateResult {
  return html`<div class="matrix"><span class="symbol">${symbol} =</span>${gridView({ name, groups: [{ name, rows: [values], dataName }], kindWords: context.kindWords })}</div>`;
}

export function scoreStep(context: StepContext, onceNote: unknown): TemplateResult {
  const { result, chosen, onChoose, kindWords, t } = context;
  const { additive, dot } = result;
  const names = rowNames(context);
  const groups = [
    { name: t('additive.projected.annotation'), head: tex`\mathbf{h}_j U_a`, rows: rowsOf(additive.keyProjection), dataName: 'key-projection' },
    { name: t('additive.hidden'), head: tex`\tanh(\mathbf{s} W_a + \mathbf{h}_j U_a)`, rows: rowsOf(additive.hidden), limit: 1, dataName: 'hidden' },
    { name: t('additive.additiveScore'), head: tex`e_j`, rows: column(vectorOf(additive.scores)), dataName: 'e' },
  ];
  const projected = rowVector(context, vectorOf(additive.queryProjection), tex`\mathbf{s} W_a`, t('additive.projected.state'), 'query-projection');
  const main = html`${projected}
    <div class="matrix">${gridView({ name: t('additive.score'), groups, ...names, kindWords, chosenRow: chosen, onChooseRow: onChoose })}</div>
    ${substitution(context)}
    <p class="quiet">${onceNote}</p>`;
  const dotGroup = { name: t('additive.dotScore'), head: tex`\mathbf{s} \cdot \mathbf{h}_j`, rows: column(vectorOf(dot.scores)), dataName: 'dot-e' };
  const beside = html`${besideTitle(context, tex`e_j = \mathbf{s} \cdot \mathbf{h}_j`)}
    <div class="matrix">${gridView({ name: t('additive.dotScore'), groups: [dotGroup], ...names, kindWords, chosenRow: chosen, onChooseRow: onChoose })}</div>`;
  return step(1, t('additive.score'), tex`e_j = \mathbf{v}_a \cdot \tanh(\mathbf{s} W_a + \mathbf{h}_j U_a)`, main, beside);
}

function weightBars(context: StepContext, weights: readonly number[], name: string, dataName: string): TemplateResult {
  const { rowLabels, rowHeads } = rowNames(context);
  const largest = largestIndex(weights);
  const bars = weights.map((value, index) => ({
    label: rowHeads[index], name: rowLabels[index]!, value, isMasked: !context.result.keep[index], isChosen: index === largest,
  }));
  return barsView({ name, bars, kindWords: context.kindWords, dataName });
}

function normaliser({ state, result, chosen }: StepContext): TemplateResult {
  const { scores, weights } = result.additive;
  const isScaled = state.temperature !== 1;
  const power = (index: number): TemplateResult =>
    html`<span class="power">e<sup>${formatNumber(scores.data[index]!)}${isScaled ? html`/${formatNumber(state.temperature, 2)}` : nothing}</sup></span>`;
  const kept = vectorOf(scores).flatMap((_, index) => (result.keep[index] ? [power(index)] : []));
  const sum = kept.flatMap((term, index) => (index === 0 ? [term] : [' + ', term]));
  const top = result.keep[chosen] ? power(chosen) : '0';
  return html`<p class="numbers"><math><msub><mi>α</mi><mn>${chosen + 1}</mn></msub></math> = ${top} / (${kept.length === 0 ? '0' : sum}) = ${formatNumber(weights.data[chosen]!)}</p>`;
}

function temperatureCurve({ state, t }: StepContext, curve: CurveView, { temperatures, weights }: NonNullable<AdditiveResult['curve']>): TemplateResult {
  const series = state.keys.map((_, index) => ({
    name: t('additive.annotation', { index: index + 1 }),
    values: weights.map(({ data }) => data[index]!),
    symbol: html`<math><msub><mi>α</mi><mn>${index + 1}</mn></msub></math>`,
  }));
  const title = html`${t('additive.curve')} ${tex`\tau`}`;
  return curve.render({ name: t('additive.curve'), title, x: temperatures, xName: 'τ', xLabel: t('additive.curve.now'), series, isLogX: true, mark: state.temperature });
}

export function normaliseStep(context: StepContext, curve: CurveView): TemplateResult {
  const { result, t } = context;
  const weights = vectorOf(result.additive.weights);
  const main = html`${weightBars(context, weights, t('additive.weight'), 'alpha')}
    <p class="quiet sum">${t('kit.sum')} <span data-name="alpha-sum">${formatNumber(result.additive.sum.data[0]!)}</span></p>
    ${normaliser(context)}
    ${result.curve ? temperatureCurve(context, curve, result.curve) : html`<div class="curve-room"></div>`}`;
  const beside = html`${besideTitle(context, tex`\alpha_j`)}${weightBars(context, vectorOf(result.dot.weights), t('additive.dotWeight'), 'dot-alpha')}`;
  return step(2, t('additive.normalise'), tex`\alpha_j = \frac{\exp(e_j / \tau)}{\sum_k \exp(e_k / \tau)}`, main, beside);
}

function mixture({ state, result }: StepContext): TemplateResult {
  const terms = vectorOf(result.additive.weights).map((weight, index) => `${formatNumber(weight)} · ${vectorText(state.keys[index]!, digitsOf(state.keys[index]!))}`);
  return html`<p class="numbers"><math><mi mathvariant="normal" class="bold">c</mi></math> = ${terms.join(' + ')} = ${vectorText(vectorOf(result.additive.context))}</p>`;
}

/** Only vectors of two numbers fit a drawing. */
function plane({ state, result, t }: StepContext): TemplateResult | typeof nothing {
  if (state.query.length !== 2) return nothing;
  const pair = (values: readonly number[]): readonly [number, number] => [values[0]!, values[1]!];
  const keys = state.keys.map((key, index) => ({ symbol: 'h', index: String(index + 1), value: pair(key), kind: 'arrow' as const, isMuted: !result.keep[index] }));
  const vectors: PlaneVector[] = [
    ...keys,
    { symbol: 's', index: '', value: pair(state.query), kind: 'query' },
    { symbol: 'c', index: t('additive.plane.dot'), value: pair(vectorOf(result.dot.context)), kind: 'ring' },
    { symbol: 'c', index: '', value: pair(vectorOf(result.additive.context)), kind: 'point' },
  ];
  return html`<div class="plane-holder">${planeView(t('additive.plane'), vectors)}<p class="quiet">${t('additive.plane.note')}</p></div>`;
}

export function readStep(context: StepContext): TemplateResult {
  const { state, result, chosen, onChoose, kindWords, t } = context;
  const { additive, dot, keep } = result;
  const isMasked = (row: number): boolean => !keep[row];
  const groups = [
    { name: t('additive.weight'), head: tex`\alpha_j`, rows: column(vectorOf(additive.weights)), scale: 'weight' as const, isMasked },
    { name: t('additive.annotations'), head: tex`\mathbf{h}_j`, rows: state.keys },
    { name: t('additive.part'), head: tex`\alpha_j \mathbf{h}_j`, rows: rowsOf(additive.parts) },
  ];
  const main = html`<div class="matrix">${gridView({ name: t('additive.read'), groups, ...rowNames(context), kindWords, chosenRow: chosen, onChooseRow: onChoose })}</div>
    ${mixture(context)}
    ${rowVector(context, vectorOf(additive.context), tex`\mathbf{c}`, t('additive.context'), 'c')}`;
  const beside = html`${besideTitle(context, tex`\mathbf{c}`)}${rowVector(context, vectorOf(dot.context), tex`\mathbf{c}`, t('additive.dotContext'), 'dot-c')}${plane(context)}`;
  return step(3, t('additive.read'), tex`\mathbf{c} = \sum_j \alpha_j \mathbf{h}_j`, main, beside);
}

export function verdict({ result, t, parts }: StepContext): unknown {
  if (!result.keep.some(Boolean)) return t('additive.verdict.none');
  const best = largestIndex(vectorOf(result.additive.weights));
  const dotBest = largestIndex(vectorOf(result.dot.weights));
  return parts(best === dotBest ? 'additive.verdict.same' : 'additive.verdict.differ', {
    additive: annotationHead(best),
    dot: annotationHead(dotBest),
    additiveWeight: formatNumber(result.additive.weights.data[best]!),
    dotWeight: formatNumber(result.dot.weights.data[dotBest]!),
    parameters: tex`W_a, U_a, \mathbf{v}_a`,
  });
}
