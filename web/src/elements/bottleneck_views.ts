// SPDX-License-Identifier: MIT
// The parts of lookback-bottleneck. Loaded when the figure is first seen.
import { html, nothing, type TemplateResult } from 'lit';
import { button, formatNumber, numberInput, segmented, slider, type CellEditor, type CurveView, type MessageKey, type NamedArray } from '../kit/index.js';
import { kLongest, sourceOf, storedNumbers, variants, type BottleneckState, type Variant, type VariantResult } from './bottleneck_model.js';
import { publishedScores, publishedSource } from './published_scores.js';
import type { TrainingSession } from './training_session.js';
import { accuracyCurve, known, lossCurve, type ViewWords } from './training_views.js';

export { TrainingSession } from './training_session.js';

export interface BottleneckContext extends ViewWords {
  state: BottleneckState;
  sessions: ReadonlyMap<Variant, TrainingSession>;
  results: readonly VariantResult[];
  isRunning: boolean;
  isStale: boolean;
  curves: Readonly<Record<'loss' | 'accuracy' | 'gradient', CurveView>>;
  cells: (name: 'steps' | 'seed' | 'length') => CellEditor;
  onEdit: (changes: Partial<BottleneckState>) => void;
  onStart: () => void;
  onGoOn: () => void;
  onPause: () => void;
  parts: (key: MessageKey, values: Record<string, unknown>) => unknown[];
}

function numberControl({ state, cells, t }: BottleneckContext, name: 'steps' | 'seed', limits: { min: number; max: number; whole: boolean }, step: number): TemplateResult {
  const editor = cells(name);
  const label = t(`reversal.${name}`);
  return html`<div class="control"><span class="control-label">${label}</span>${numberInput({
    label, value: state[name], isRefused: editor.isRefused(0, 0), limits, step,
    onNumber: (value) => editor.set(0, 0, value), onRefuse: (parsed) => editor.refuse(0, 0, parsed),
  })}</div>`;
}

export function runView(context: BottleneckContext): TemplateResult {
  const { state, sessions, isRunning, isStale, onStart, onGoOn, onPause, t } = context;
  const steps = variants.map((variant) => sessions.get(variant)!.step);
  const reached = Math.min(...steps);
  const hasRun = variants.some((variant) => sessions.get(variant)!.run);
  const canGoOn = hasRun && !isStale && reached < state.steps;
  const isOpening = variants.some((variant) => sessions.get(variant)!.activity === 'opening');
  return html`<div class="controls">
      ${numberControl(context, 'steps', { min: 1, max: 5000, whole: true }, 50)} ${numberControl(context, 'seed', { min: 0, max: 4294967295, whole: true }, 1)}
    </div>
    <div class="run" data-export="skip">
      ${isRunning ? button(t('train.pause'), onPause) : button(t(canGoOn ? 'train.resume' : 'bottleneck.start'), canGoOn ? onGoOn : onStart, { isDisabled: isOpening })}
      ${hasRun && !isRunning && canGoOn ? button(t('train.again'), onStart, { isDisabled: isOpening }) : nothing}
    </div>
    ${isStale && hasRun ? html`<p class="quiet">${t('train.stale')}</p>` : nothing}
    ${hasRun ? html`<progress class="course" max=${state.steps * variants.length} value=${steps.reduce((sum, step) => sum + Math.min(step, state.steps), 0)} aria-label=${t('train.step')}></progress>
      <p class="report" data-name="step" data-value=${reached}>${t('train.progress', { step: reached, until: state.steps })}</p>` : html`<p>${t('bottleneck.before')}</p>`}`;
}

const nameOf = ({ t }: ViewWords, variant: Variant): string => t(`bottleneck.${variant}`);

function verdict({ results, t }: BottleneckContext): unknown {
  const at = (variant: Variant): string | undefined => {
    const last = known(results.find((each) => each.variant === variant)?.scores ?? []).at(-1);
    return last && formatNumber(last.tokenAccuracy, 2);
  };
  const [vector, reversed, attention] = variants.map(at);
  const longest = known(results[0]?.scores ?? []).at(-1)?.length;
  if (!vector || !reversed || !attention) return nothing;
  return html`<p class="quiet" data-name="verdict">${t('bottleneck.verdict', { length: longest, vector, reversed, attention })}</p>`;
}

export function experimentView(context: BottleneckContext): TemplateResult {
  const { sessions, results, curves } = context;
  const runs = variants.map((variant) => ({ name: nameOf(context, variant), history: sessions.get(variant)!.history }));
  const scores = results.map(({ variant, scores: each }) => ({ name: nameOf(context, variant), scores: each }));
  return html`<div class="curves">
      <div class="curve-room">${accuracyCurve(curves.accuracy, scores, context, known(results[0]?.scores ?? []).at(-1)?.length ?? 0)}</div>
      <div class="curve-room">${lossCurve(curves.loss, runs, context)}</div>
    </div>
    ${verdict(context)}`;
}

function lengthSlider({ state, cells, t }: BottleneckContext): TemplateResult {
  const editor = cells('length');
  return slider({
    label: tex`n`, name: t('bottleneck.length'), value: state.length, limits: { min: 2, max: kLongest }, step: 1, isRefused: editor.isRefused(0, 0),
    onNumber: (value) => editor.set(0, 0, value), onRefuse: (parsed) => editor.refuse(0, 0, parsed),
  });
}

/** What the decoder is given, drawn to scale. */
function storedView({ state, t }: BottleneckContext): TemplateResult {
  const { vector, attention } = storedNumbers(state.length);
  const row = (name: string, count: number): TemplateResult => html`<tr><th scope="row">${name}</th><td class="stored-number" data-value=${count}>${count}</td><td><meter class="stored" min="0" max=${storedNumbers(kLongest).attention} value=${count}></meter></td></tr>`;
  return html`<table class="stored-table"><caption>${t('bottleneck.stored')}</caption><tbody>${row(t('bottleneck.vector'), vector)}${row(t('bottleneck.attention'), attention)}</tbody></table>`;
}

export function reachView(context: BottleneckContext): TemplateResult {
  const { state, results, curves, onEdit, parts, t } = context;
  const shown = results.filter(({ gradient }) => gradient.length === state.length);
  const series = shown.map(({ variant, gradient }) => ({ name: nameOf(context, variant), symbol: nameOf(context, variant), values: gradient }));
  const top = Math.max(...series.flatMap(({ values }) => values));
  const source = sourceOf(state);
  const curve = shown.length === 0 ? nothing : curves.gradient.render({
    name: t('bottleneck.gradient.curve'), title: t('bottleneck.gradient.title'), x: [...source].map((_, index) => index + 1), xName: '', xLabel: t('bottleneck.position'),
    series, yRange: [0, top], mark: state.output === 'last' ? 1 : state.length,
  });
  return html`<section class="reach">
    <div class="controls">${lengthSlider(context)}
      ${segmented('output', t('bottleneck.output'), [{ value: 'last', label: t('bottleneck.output.last') }, { value: 'first', label: t('bottleneck.output.first') }], state.output, (output) => onEdit({ output }))}</div>
    ${storedView(context)}
    <p class="quiet">${parts('bottleneck.gradient.note', { source: html`<span class="piece">${source}</span>`, norm: tex`\lVert \partial \ell / \partial \mathbf{x}_j \rVert` })}</p>
    ${curve}
  </section>`;
}

export function publishedView({ t }: BottleneckContext): TemplateResult {
  const cell = (value: number): TemplateResult => html`<td class="stored-number" data-value=${value}>${value.toFixed(2)}</td><td><meter class="stored" min="0" max="40" value=${value}></meter></td>`;
  return html`<details class="published"><summary>${t('bottleneck.published')}</summary>
    <table class="stored-table"><caption>${t('bottleneck.published.caption')}</caption>
      <thead><tr><th scope="col">${t('bottleneck.published.model')}</th><th scope="colgroup" colspan="2">${t('bottleneck.published.all')}</th><th scope="colgroup" colspan="2">${t('bottleneck.published.known')}</th></tr></thead>
      <tbody>${publishedScores.map(({ model, hasAttention, all, known: without }) => html`<tr ?data-attention=${hasAttention}><th scope="row">${model}</th>${cell(all)}${cell(without)}</tr>`)}</tbody></table>
    <p class="quiet">${t('bottleneck.published.note')} <a href=${publishedSource} rel="noreferrer">Bahdanau, Cho, Bengio 2015, Table 1</a>.</p>
  </details>`;
}

export function arraysOf(context: BottleneckContext): NamedArray[] {
  const { results, sessions, t } = context;
  const names = results.map(({ variant }) => nameOf(context, variant));
  const lengths = known(results[0]?.scores ?? []).map(({ length }) => length);
  const arrays: NamedArray[] = [];
  if (lengths.length > 0) {
    const at = ({ scores }: VariantResult, length: number): number => scores.find((score) => score.length === length)?.tokenAccuracy ?? NaN;
    arrays.push({ name: 'accuracy', symbol: t('train.tokenAccuracy'), rows: lengths.map((length) => results.map((result) => at(result, length))), rowLabels: lengths.map(String), columnLabels: names });
  }
  const gradients = results.filter(({ gradient }) => gradient.length > 0);
  if (gradients.length > 0) arrays.push({ name: 'gradient', symbol: '|∂ℓ/∂x|', rows: gradients.map(({ gradient }) => gradient), rowLabels: gradients.map(({ variant }) => nameOf(context, variant)) });
  for (const variant of variants) {
    const history = sessions.get(variant)!.history;
    if (history.length > 0) arrays.push({ name: `loss_${variant}`, symbol: `${t('train.loss')}, ${nameOf(context, variant)}`, rows: history.map(({ step, loss }) => [step, loss]), columnLabels: [t('train.step'), t('train.loss')] });
  }
  return arrays;
}
