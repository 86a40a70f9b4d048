// SPDX-License-Identifier: MIT
// The five steps of lookback-self-attention, each with its formula, its matrices and the numbers of the chosen word.
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, gridView, matrixInput, matrixView, toggle, type CellEditor, type KindWords, type MessageKey, type Rows } from '../kit/index.js';
import type { SelfAttentionResult, SelfAttentionState } from './self_attention_model.js';
import { features, handSet } from './self_attention_words.js';

export interface StepContext {
  state: SelfAttentionState;
  result: SelfAttentionResult;
  /** Index of the chosen word. */
  chosen: number;
  kindWords: KindWords;
  onChoose: (row: number) => void;
  onKeep: (index: number, isKept: boolean) => void;
  wordEditor: CellEditor;
  weightEditor: (name: 'wq' | 'wk' | 'wv') => CellEditor;
  t: (key: MessageKey, values?: Record<string, unknown>) => string;
  parts: (key: MessageKey, values: Record<string, unknown>) => unknown[];
}

const vectorText = (values: readonly number[]): string => `(${values.map((value) => formatNumber(value, values.every(Number.isInteger) ? 0 : 3)).join(', ')})`;

function featureNames({ t }: StepContext): string[] {
  return features.map((feature) => t(`self.feature.${feature}`));
}

/** Words may repeat: names for screen readers carry the position then. */
export function wordLabels(words: readonly string[]): string[] {
  return words.map((word, index) => (words.indexOf(word) === words.lastIndexOf(word) ? word : `${word} (${index + 1})`));
}

export function embedStep(context: StepContext): TemplateResult {
  const { result, t, wordEditor } = context;
  const unknown = [...new Set(result.words)].filter((word) => !Object.hasOwn(handSet, word) && !Object.hasOwn(context.state.vectors, word));
  return html`<div class="formula">${tex`X = [\mathbf{x}_1; \ldots; \mathbf{x}_T]`}</div>
    ${matrixInput({
      name: t('self.embedding'), rows: result.x, rowLabels: wordLabels(result.words), rowHeads: result.words,
      columnLabels: featureNames(context), editor: wordEditor, hint: t('kit.editHint'), dataName: 'x',
      rowTail: (row) => toggle(t('self.keep'), result.keep[row]!, (isKept) => context.onKeep(row, isKept), t('self.keep.name', { word: wordLabels(result.words)[row] })),
    })}
    <p class="quiet">${t('self.byHand')}</p>
    ${unknown.length > 0 ? html`<p class="quiet">${t('self.unknown', { words: unknown.join(', ') })}</p>` : nothing}`;
}

interface ProjectionSpec {
  property: 'wq' | 'wk' | 'wv';
  name: string;
  weightSymbol: TemplateResult;
  symbol: TemplateResult;
  rows: readonly Rows[];
  dataName: string;
}

function headGroups(context: StepContext, rows: readonly Rows[], name: string, dataName: string): Parameters<typeof gridView>[0]['groups'] {
  return rows.map((each, head) => ({
    name: rows.length === 1 ? name : `${name}, ${context.t('self.head', { head: head + 1 })}`,
    rows: each,
    ...(rows.length === 1 ? {} : { head: context.t('self.head', { head: head + 1 }) }),
    dataName: head === 0 ? dataName : `${dataName}-${head + 1}`,
  }));
}

function projection(context: StepContext, spec: ProjectionSpec): TemplateResult {
  const { state, result, t, kindWords, chosen, onChoose } = context;
  const { property, name, weightSymbol, symbol, rows, dataName } = spec;
  const grid = gridView({ name, groups: headGroups(context, rows, name, dataName), rowLabels: wordLabels(result.words), rowHeads: result.words, kindWords, chosenRow: chosen, onChooseRow: onChoose });
  return html`<div class="projection">
    <span>${weightSymbol}</span>
    ${matrixInput({ name: `${t('self.weightMatrix')} ${property}`, rows: state[property], rowLabels: featureNames(context), editor: context.weightEditor(property), hint: t('kit.editHint'), dataName: property })}
    <span>${symbol}</span>
    <div class="matrix">${grid}</div>
  </div>`;
}

export function projectStep(context: StepContext): TemplateResult {
  const { state, result, t, parts, chosen } = context;
  if (state.form === 'free') return html`<p>${parts('self.free.project', { equation: tex`Q = K = V = X` })}</p>`;
  const subject = result.words[chosen]!;
  return html`<div class="formula">${tex`Q = X W_Q \qquad K = X W_K \qquad V = X W_V`}</div>
    <div class="projections">
      ${projection(context, { property: 'wq', name: t('self.queries'), weightSymbol: tex`W_Q`, symbol: tex`Q`, rows: result.q, dataName: 'q' })}
      ${projection(context, { property: 'wk', name: t('self.keys'), weightSymbol: tex`W_K`, symbol: tex`K`, rows: result.k, dataName: 'k' })}
      ${projection(context, { property: 'wv', name: t('self.values'), weightSymbol: tex`W_V`, symbol: tex`V`, rows: result.v, dataName: 'v' })}
    </div>
    <p class="numbers">${tex`\mathbf{q}`}<sub>${subject}</sub> = ${vectorText(result.x[chosen]!)} ${tex`W_Q`} = ${result.q.map((rows, head) => html`${head > 0 ? ' ; ' : nothing}${vectorText(rows[chosen]!)}`)}</p>
    <p class="quiet">${t('self.byHand')}</p>`;
}

function squares(context: StepContext, matrices: readonly Rows[], options: { name: string; symbol: TemplateResult; dataName: string; scale: 'weight' | 'signed'; isMasked: (row: number, column: number) => boolean }): TemplateResult {
  const { result, t, kindWords, chosen, onChoose } = context;
  const labels = wordLabels(result.words);
  return html`<div class="squares">${matrices.map((rows, head) =>
    matrixView({
      ...options,
      rows, rowLabels: labels, rowHeads: result.words, columnLabels: labels, columnHeads: result.words, kindWords, chosenRow: chosen, onChooseRow: onChoose,
      name: matrices.length === 1 ? options.name : `${options.name}, ${t('self.head', { head: head + 1 })}`,
      symbol: matrices.length === 1 ? options.symbol : html`${options.symbol}<sub>${head + 1}</sub>`,
      dataName: head === 0 ? options.dataName : `${options.dataName}-${head + 1}`,
    }),
  )}</div>`;
}

function maskTest({ result }: StepContext): (head: number) => (row: number, column: number) => boolean {
  return (head) => (row, column) => result.maskedScores[head]?.[row]?.[column] === -Infinity;
}

export function scoreStep(context: StepContext): TemplateResult {
  const { result, chosen, t } = context;
  const width = result.q[0]![0]!.length;
  const isMasked = maskTest(context)(0);
  const lines = result.words.map((word, index) => html`<li>${result.words[chosen]} · ${word}: ${vectorText(result.q[0]![chosen]!)} · ${vectorText(result.k[0]![index]!)} / √${width} = ${formatNumber(result.scores[0]![chosen]![index]!)}</li>`);
  return html`<div class="formula">${tex`S = \frac{Q K^\top}{\sqrt{d_k}}`}</div>
    ${squares(context, result.maskedScores, { name: t('self.scores'), symbol: tex`S`, dataName: 'scores', scale: 'signed', isMasked })}
    ${result.maskedScores.some((rows) => rows.flat().includes(-Infinity)) ? html`<p class="quiet">${t('self.scores.masked')}</p>` : nothing}
    <ul class="numbers lines">${lines}</ul>`;
}

export function weighStep(context: StepContext): TemplateResult {
  const { result, t } = context;
  return html`<div class="formula">${tex`A = \operatorname{softmax}(S), \quad a_{ij} = \frac{\exp(s_{ij})}{\sum_k \exp(s_{ik})}`}</div>
    ${squares(context, result.weights, { name: t('self.weights'), symbol: tex`A`, dataName: 'weights', scale: 'weight', isMasked: maskTest(context)(0) })}`;
}

/** The output lives in the space of the embeddings only while nothing turns the values. */
function outputNames(context: StepContext): string[] {
  const { state } = context;
  const isTurned = state.form === 'projected' && state.wv.some((row, r) => row.some((value, c) => value !== (r === c ? 1 : 0)));
  return isTurned ? features.map((_, index) => String(index + 1)) : featureNames(context);
}

export function mixStep(context: StepContext): TemplateResult {
  const { state, result, chosen, t, parts, kindWords, onChoose } = context;
  const word = result.words[chosen]!;
  const names = outputNames(context);
  const terms = result.weights[0]![chosen]!.map((weight, index) => `${formatNumber(weight)} · ${vectorText(result.v[0]![index]!)}`);
  const comparison = [
    { name: t('self.before'), rows: features.map((_, index) => [result.x[chosen]![index]!]), head: t('self.before') },
    { name: t('self.after'), rows: features.map((_, index) => [result.output[chosen]![index]!]), head: t('self.after') },
  ];
  return html`<div class="formula">${state.form === 'free' ? tex`O = \operatorname{softmax}\left(\frac{X X^\top}{\sqrt{d}}\right) X` : tex`O = A V`}</div>
    <div class="squares">
      ${matrixView({ name: t('self.output'), symbol: tex`O`, rows: result.output, rowLabels: wordLabels(result.words), rowHeads: result.words, columnLabels: names, kindWords, chosenRow: chosen, onChooseRow: onChoose, dataName: 'output' })}
      <div><p class="beside-title">${parts('self.inAndOut', { word: html`<b>${word}</b>` })}</p><div class="matrix">${gridView({ name: t('self.output'), groups: comparison, rowLabels: names, kindWords })}</div></div>
    </div>
    ${result.weights.length === 1 ? html`<p class="numbers">${tex`\mathbf{o}`}<sub>${word}</sub> = ${terms.join(' + ')} = ${vectorText(result.output[chosen]!)}</p>` : nothing}`;
}
