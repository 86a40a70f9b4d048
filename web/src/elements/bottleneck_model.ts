// SPDX-License-Identifier: MIT
// State of lookback-bottleneck, and the three models that it trains side by side.
import type { LengthScore, TrainOptions } from '../engine/types.js';
import { choiceField, numberField, type StateOf } from '../kit/index.js';

export const variants = ['vector', 'reversed', 'attention'] as const;
export type Variant = (typeof variants)[number];

/** Longest source that the gradient is shown for. */
export const kLongest = 24;
/** Width of a state in each direction, lb.train's own. */
export const kHidden = 64;

export const bottleneckTable = {
  steps: numberField(300, { min: 1, max: 5000, whole: true }),
  seed: numberField(1, { min: 0, max: 4294967295, whole: true }),
  /** Digits of the source that is looked at. */
  length: numberField(12, { min: 2, max: kLongest, whole: true }),
  /** The output whose loss sends the gradient: the last digit written needs the first one read. */
  output: choiceField('last', ['first', 'last']),
};

export type BottleneckState = Omit<StateOf<typeof bottleneckTable>, 'output'> & { output: 'first' | 'last' };

const digits = '314159265358979323846264';

export function sourceOf({ length }: Pick<BottleneckState, 'length'>): string {
  return digits.slice(0, length);
}

/** All three are alike but for what they are named after. */
export function optionsOf(variant: Variant, { seed }: Pick<BottleneckState, 'seed'>): TrainOptions {
  return { task: 'reverse', attention: variant === 'attention' ? 'additive' : 'none', reverseSource: variant === 'reversed', hidden: kHidden, seed };
}

/** Numbers that the decoder is given of a source: its first state, or one annotation of two directions for each digit. */
export function storedNumbers(length: number): { vector: number; attention: number } {
  return { vector: kHidden, attention: length * 2 * kHidden };
}

export interface VariantResult {
  variant: Variant;
  scores: readonly LengthScore[];
  /** |d loss / d x_j| by source position j, over their sum */
  gradient: readonly number[];
}
