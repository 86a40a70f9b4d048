// SPDX-License-Identifier: MIT
// The numbers of lookback-decoder as tables for downloads, and its state as a sentence.
import type { Alternative } from '../engine/types.js';
import { formatNumber, type NamedArray, type Rows } from '../kit/index.js';
import { mapRows } from './decoder_attention_views.js';
import { shownPiece, weightsAt, type TokenRow } from './decoder_model.js';
import type { WritingContext } from './decoder_views.js';

/** Alternatives named in the description. */
const kNamed = 3;

/** One number of each alternative of each token; NaN where there are fewer. */
function topRows(rows: readonly TokenRow[], read: (alternative: Alternative) => number): Rows {
  const most = Math.max(...rows.map(({ step }) => step.top.length));
  return rows.map(({ step: { top } }) => Array.from({ length: most }, (_, index) => (top[index] ? read(top[index]) : NaN)));
}

export function arraysOf({ writer: { rows, activity }, selection: { layer, head } }: WritingContext): NamedArray[] {
  const rowLabels = rows.map(({ piece }) => shownPiece(piece));
  const tokens = { name: 'tokens', symbol: 'tokens', rowLabels, columnLabels: ['id', 'log p'], rows: rows.map(({ step }) => [step.token, step.logProbability]) };
  // A table that grows with each token would cost more than the writing.
  if (activity === 'running' || rows.length < 2) return [tokens];
  const read = rowLabels.slice(0, -1);
  return [
    tokens,
    { name: 'top_tokens', symbol: 'top', rowLabels, rows: topRows(rows, ({ token }) => token) },
    { name: 'top_probabilities', symbol: 'p', rowLabels, rows: topRows(rows, ({ probability }) => probability) },
    { name: `attention_layer_${layer + 1}_head_${head + 1}`, symbol: 'A', rowLabels: read, columnLabels: read, rows: mapRows(rows, layer, head) },
  ];
}

export function describeToken({ writer: { rows }, selection, t }: WritingContext, model: string): string {
  const weights = weightsAt(rows, selection);
  if (!weights) return t('decoder.describe.ready', { name: model });
  const most = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]!).slice(0, kNamed);
  const list = most.map((index) => `${shownPiece(rows[index]!.piece)} ${formatNumber(weights[index]!)}`).join(', ');
  const { position, layer, head } = selection;
  return t('decoder.describe.token', { position, token: shownPiece(rows[position]!.piece), layer: layer + 1, head: head + 1, list });
}
