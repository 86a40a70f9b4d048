// SPDX-License-Identifier: MIT
// State of lookback-additive and what the engine makes of it.
import type { AdditiveReading, Lookback, NdArray, Reading } from '../engine/types.js';
import { flagsField, matrixField, numberField, vectorField, type Matrix, type StateOf, type Vector } from '../kit/index.js';

/** Beyond these the table no longer fits beside its dot score. */
export const sizeLimits = { count: { min: 1, max: 6 }, width: { min: 1, max: 4 } };
export const temperatureLimits = { min: 0.05, max: 10 };

const square = { maxRows: sizeLimits.width.max, maxColumns: sizeLimits.width.max };
const identity = [
  [1, 0],
  [0, 1],
];

export const additiveTable = {
  query: vectorField([1, 0], { maxColumns: sizeLimits.width.max }),
  keys: matrixField([[1, 0], [0, 1], [-1, 0]], { maxRows: sizeLimits.count.max, maxColumns: sizeLimits.width.max }),
  wa: matrixField(identity, square),
  ua: matrixField(identity, square),
  va: vectorField([1, 1], { maxColumns: sizeLimits.width.max }),
  keep: flagsField([], sizeLimits.count.max),
  temperature: numberField(1, temperatureLimits),
};

export type AdditiveState = StateOf<typeof additiveTable>;

/** alpha_j h_j for every j, [S, D], and the sum of the weights. */
interface Recipe {
  parts: NdArray;
  sum: NdArray;
}

/** Weights [S] over temperatures; the present one is among them. */
interface Curve {
  temperatures: readonly number[];
  weights: readonly NdArray[];
}

export interface AdditiveResult {
  additive: AdditiveReading & Recipe;
  dot: Reading & Recipe;
  keep: readonly boolean[];
  /** Absent until the first result is on the page. */
  curve?: Curve;
}

/** Places on the logarithmic axis of the curve, 0.05 to 10. */
const sampled: readonly number[] = Array.from({ length: 47 }, (_, index) => Number((0.05 * 200 ** (index / 46)).toPrecision(3)));

export function keepFlags({ keep, keys }: Pick<AdditiveState, 'keep' | 'keys'>): boolean[] {
  return keys.map((_, index) => keep[index] ?? true);
}

function recipe(engine: Lookback, { weights }: Reading, keys: Matrix): Recipe {
  const count = keys.length;
  const width = keys[0]!.length;
  const column = { data: weights.data, shape: [count, 1, 1] };
  const parts = engine.matmul(column, { data: new Float32Array(keys.flat()), shape: [count, 1, width] });
  const sum = engine.matmul({ data: weights.data, shape: [1, count] }, keys.map(() => [1]));
  return { parts: { data: parts.data, shape: [count, width] }, sum };
}

function readAdditive(engine: Lookback, state: AdditiveState, temperature: number): AdditiveReading {
  const { query, keys, wa: Wa, ua: Ua, va } = state;
  return engine.attention.additive({ query, keys, Wa, Ua, va, keep: keepFlags(state), temperature });
}

export function computeAdditive(engine: Lookback, state: AdditiveState): Omit<AdditiveResult, 'curve'> {
  const { query, keys, temperature } = state;
  const keep = keepFlags(state);
  const additive = readAdditive(engine, state, temperature);
  const dot = engine.attention.luong({ query, keys, keep, score: 'dot', temperature });
  return { additive: { ...additive, ...recipe(engine, additive, keys) }, dot: { ...dot, ...recipe(engine, dot, keys) }, keep };
}

export function computeCurve(engine: Lookback, state: AdditiveState): Curve {
  const temperatures = [...new Set([...sampled, state.temperature])].sort((a, b) => a - b);
  return { temperatures, weights: temperatures.map((temperature) => readAdditive(engine, state, temperature).weights) };
}

function resizeVector(vector: Vector, width: number, filler: number): Vector {
  return Array.from({ length: width }, (_, index) => vector[index] ?? filler);
}

/** New rows and columns continue the identity. */
function resizeSquare(matrix: Matrix, width: number): Matrix {
  return Array.from({ length: width }, (_, row) => Array.from({ length: width }, (_, column) => matrix[row]?.[column] ?? (row === column ? 1 : 0)));
}

export function withWidth(state: AdditiveState, width: number): Partial<AdditiveState> {
  return {
    query: resizeVector(state.query, width, 0),
    keys: state.keys.map((key) => resizeVector(key, width, 0)),
    wa: resizeSquare(state.wa, width),
    ua: resizeSquare(state.ua, width),
    va: resizeVector(state.va, width, 1),
  };
}

export function withCount({ keys, keep }: AdditiveState, count: number): Partial<AdditiveState> {
  const zero = keys[0]!.map(() => 0);
  return { keys: Array.from({ length: count }, (_, index) => keys[index] ?? zero), keep: keep.slice(0, count) };
}
