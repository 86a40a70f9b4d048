// SPDX-License-Identifier: MIT
// State of lookback-self-attention and what the engine makes of it.
import type { Lookback, NdArray } from '../engine/types.js';
import { choiceField, flagsField, matrixField, numberField, rowsOf, textField, vectorOf, type Matrix, type Rows, type StateOf } from '../kit/index.js';
import { embeddingOf, kMaxWords, kWidth, splitWords, wordVectorsField } from './self_attention_words.js';

export const steps = ['embed', 'project', 'score', 'weigh', 'mix'] as const;
export type StepName = (typeof steps)[number];

const size = { minRows: kWidth, maxRows: kWidth, minColumns: kWidth, maxColumns: kWidth };

// Set by hand: a place asks for water or money, an act asks for a place; a place does not answer its own question.
const handQuery = [[0, 0, 0, 0], [0, 0, 0, 0], [2, 2, 0, 0], [0, 0, 2, 0]];
const handKey = [[1, 0, 0, 0], [0, 1, 0, 0], [-1, -1, 1, 0], [0, 0, 0, 0]];
const handValue = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];

export const selfAttentionTable = {
  text: textField('the river bank flooded', 160),
  vectors: wordVectorsField,
  form: choiceField('projected', ['projected', 'free']),
  wq: matrixField(handQuery, size),
  wk: matrixField(handKey, size),
  wv: matrixField(handValue, size),
  heads: numberField(1, { min: 1, max: 2, whole: true }),
  mask: choiceField('none', ['none', 'causal']),
  keep: flagsField([], kMaxWords),
  /** Index of the word whose reading is shown. */
  word: numberField(2, { min: 0, max: kMaxWords - 1, whole: true }),
  /** The shuffle, as positions of the original words: "2 0 1 3"; empty for none. */
  order: textField('', 40),
  step: choiceField('embed', steps),
};

export type SelfAttentionState = Omit<StateOf<typeof selfAttentionTable>, 'form' | 'mask' | 'step'> & { form: 'projected' | 'free'; mask: 'none' | 'causal'; step: StepName };

/** One layer's intermediate values by head. */
export interface Layer {
  q: readonly Rows[];
  k: readonly Rows[];
  v: readonly Rows[];
  scores: readonly Rows[];
  maskedScores: readonly Rows[];
  weights: readonly Rows[];
  output: Rows;
}

export interface Shuffle {
  order: readonly number[];
  /** Largest size of (outputs of the shuffled words) minus (shuffled outputs). */
  difference: number;
}

export interface SelfAttentionResult extends Layer {
  words: readonly string[];
  isCut: boolean;
  x: Matrix;
  keep: readonly boolean[];
  shuffle: Shuffle | undefined;
}

export function wordsOf({ text }: Pick<SelfAttentionState, 'text'>): { words: string[]; isCut: boolean } {
  const words = splitWords(text);
  return { words: words.slice(0, kMaxWords), isCut: words.length > kMaxWords };
}

export function keepOf({ keep }: Pick<SelfAttentionState, 'keep'>, count: number): boolean[] {
  return Array.from({ length: count }, (_, index) => keep[index] ?? true);
}

/** The order when it is a permutation of all positions. */
export function orderOf({ order }: Pick<SelfAttentionState, 'order'>, count: number): number[] | undefined {
  const positions = order.trim() === '' ? [] : order.trim().split(/\s+/).map(Number);
  const isPermutation = positions.length === count && new Set(positions).size === count && positions.every((at) => Number.isInteger(at) && at >= 0 && at < count);
  return isPermutation ? positions : undefined;
}

function byHead(array: NdArray, heads: number): Rows[] {
  return Array.from({ length: heads }, (_, head) => rowsOf(array, head));
}

function attend(engine: Lookback, x: Matrix, keep: readonly boolean[], state: SelfAttentionState): Layer & { outputArray: NdArray } {
  const causal = state.mask === 'causal';
  const allKept = keep.every(Boolean);
  const masks = { causal, ...(allKept ? {} : { keep }) };
  if (state.form === 'free') {
    const run = engine.attention.scaledDotProduct({ q: x, k: x, v: x, ...masks });
    const shared = { q: [x], k: [x], v: [x] };
    return { ...shared, scores: byHead(run.scores, 1), maskedScores: byHead(run.maskedScores, 1), weights: byHead(run.weights, 1), output: rowsOf(run.output), outputArray: run.output };
  }
  const { heads, wq: Wq, wk: Wk, wv: Wv } = state;
  const run = engine.attention.multiHead({ x, heads, Wq, Wk, Wv, ...masks });
  const split = (array: NdArray): Rows[] => byHead(array, heads);
  return {
    q: split(run.q), k: split(run.k), v: split(run.v), scores: split(run.scores),
    maskedScores: split(run.maskedScores), weights: split(run.weights), output: rowsOf(run.output), outputArray: run.output,
  };
}

/** Runs the layer on the shuffled words and lets the engine subtract the shuffled outputs: rows [a, b] times [1, -1]. */
function compareShuffled(engine: Lookback, x: Matrix, keep: readonly boolean[], state: SelfAttentionState, output: NdArray, order: readonly number[]): Shuffle {
  const permutation = order.map((from) => order.map((_, column) => (column === from ? 1 : 0)));
  const shuffledOutput = engine.matmul(permutation, output);
  const ofShuffled = attend(engine, rowsOf(engine.matmul(permutation, x)), order.map((from) => keep[from]!), state).outputArray;
  const pairs = vectorOf(ofShuffled).map((value, index) => [value, shuffledOutput.data[index]!]);
  const differences = engine.matmul(pairs, [[1], [-1]]);
  return { order, difference: vectorOf(differences).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) };
}

export function computeSelfAttention(engine: Lookback, state: SelfAttentionState): SelfAttentionResult {
  const { words, isCut } = wordsOf(state);
  const x = words.map((word) => embeddingOf(word, state.vectors));
  const keep = keepOf(state, words.length);
  if (words.length === 0) return { words, isCut, x, keep, q: [], k: [], v: [], scores: [], maskedScores: [], weights: [], output: [], shuffle: undefined };
  const { outputArray, ...layer } = attend(engine, x, keep, state);
  const order = orderOf(state, words.length);
  return { words, isCut, x, keep, ...layer, shuffle: order && compareShuffled(engine, x, keep, state, outputArray, order) };
}
