// SPDX-License-Identifier: MIT
// What figures that train have in common: curves of a run, an alignment, and an output beside what was right.
import { html, nothing, type TemplateResult } from 'lit';
import type { Alignment, DecodedSequence, LengthScore, TrainingStep } from '../engine/types.js';
import { formatNumber, matrixView, rowsOf, tokenStrip, type CurveView, type KindWords, type MessageKey, type Token } from '../kit/index.js';

export interface ViewWords {
  kindWords: KindWords;
  t: (key: MessageKey, values?: Record<string, unknown>) => string;
}

export interface NamedScores {
  name: string;
  scores: readonly LengthScore[];
}

/** Scores of lengths that have held-out examples. */
export function known(scores: readonly LengthScore[]): LengthScore[] {
  return scores.filter(({ count }) => count > 0);
}

export function lossCurve(curve: CurveView, runs: readonly { name: string; history: readonly TrainingStep[] }[], { t }: ViewWords): unknown {
  const longest = runs.reduce((best, run) => (run.history.length > best.length ? run.history : best), [] as readonly TrainingStep[]);
  if (longest.length < 2) return nothing;
  const x = longest.map(({ step }) => step);
  const top = Math.max(...runs.flatMap(({ history }) => history.map(({ loss }) => loss)));
  const series = runs.map(({ name, history }) => ({ name, symbol: runs.length > 1 ? name : t('train.loss'), values: x.map((_, index) => history[index]?.loss ?? NaN) }));
  return curve.render({ name: t('train.loss.curve'), title: t('train.loss.title'), x, xName: '', xLabel: t('train.step'), series, yRange: [0, top], mark: x.at(-1)! });
}

export function accuracyCurve(curve: CurveView, runs: readonly NamedScores[], { t }: ViewWords, mark: number): unknown {
  const x = [...new Set(runs.flatMap(({ scores }) => known(scores).map(({ length }) => length)))].sort((a, b) => a - b);
  if (x.length < 2) return nothing;
  const at = (scores: readonly LengthScore[], length: number): number => known(scores).find((score) => score.length === length)?.tokenAccuracy ?? NaN;
  const series = runs.map(({ name, scores }) => ({ name, symbol: name, values: x.map((length) => at(scores, length)) }));
  return curve.render({ name: t('train.accuracy.curve'), title: t('train.accuracy.title'), x, xName: '', xLabel: t('train.length'), series, mark });
}

export function alignmentView({ source, target, weights }: Alignment, symbol: unknown, { kindWords, t }: ViewWords): TemplateResult {
  const rows = rowsOf(weights).slice(0, target.length);
  if (rows.length === 0) return html`<p>${t('train.alignment.none')}</p>`;
  const numbered = (symbols: readonly string[]): string[] => symbols.map((each, index) => `${each} (${index + 1})`);
  return matrixView({
    ...{ name: t('train.alignment'), symbol, rows, scale: 'weight', digits: 2, dataName: 'alignment', kindWords },
    ...{ rowLabels: numbered(target), rowHeads: target, columnLabels: numbered(source), columnHeads: source },
  });
}

/** Symbols of the output; those that are not what was right are marked. */
export function outputStrip(output: DecodedSequence, right: readonly string[] | undefined, { t }: ViewWords): TemplateResult {
  const tokens = output.target.map((text, index): Token => {
    if (!right) return { text };
    const isRight = right[index] === text;
    return { text, mark: { kind: isRight ? 'right' : 'wrong', word: t(isRight ? 'train.right' : 'train.wrong') } };
  });
  if (tokens.length === 0) return html`<p class="quiet">${t('train.output.empty')}</p>`;
  return tokenStrip({ name: t('train.output'), tokens, maskedWord: t('kit.masked'), dataName: 'output' });
}

export function reportLine(latest: TrainingStep | undefined, step: number, until: number, { t }: ViewWords): TemplateResult {
  const values = latest ? { loss: formatNumber(latest.loss), norm: formatNumber(latest.gradientNorm) } : undefined;
  return html`<p class="report" data-name="step" data-value=${step}>${t('train.progress', { step, until })}${values ? html` <span class="quiet">${t('train.report', values)}</span>` : nothing}</p>`;
}
