// SPDX-License-Identifier: MIT
// The numbers of a figure as named tables: what its table view shows and what its downloads hold.
import type { Rows } from './nd.js';

export interface NamedArray {
  /** Plain name for files: "alpha". */
  name: string;
  /** Symbol for people: "α". */
  symbol: string;
  rows: Rows;
  rowLabels?: readonly string[];
  columnLabels?: readonly string[];
}

/** What a figure asks in predict mode. */
export interface Question {
  prompt: unknown;
  choices: readonly string[];
  /** Index of the right choice. */
  answer: number;
}
