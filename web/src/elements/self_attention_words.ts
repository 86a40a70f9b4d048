// SPDX-License-Identifier: MIT
// Words of the self-attention figure and the vectors set by hand for some of them.
import { FieldError, type Field, type Vector } from '../kit/index.js';
import { inputNumber, parseNumber } from '../kit/number_text.js';

/** What the four numbers of an embedding stand for; a choice made for this example. */
export const features = ['water', 'money', 'place', 'act'] as const;
export const kWidth = features.length;
/** More words make the matrices wider than a phone. */
export const kMaxWords = 8;

export const handSet: Readonly<Record<string, Vector>> = {
  river: [2, 0, 0, 0],
  water: [2, 0, 0, 0],
  stream: [1.5, 0, 0, 0],
  fish: [1, 0, 0, 0],
  boat: [1, 0, 0.5, 0],
  bank: [1, 1, 1, 0],
  shore: [1, 0, 1, 0],
  house: [0, 0, 1, 0],
  loan: [0, 2, 0, 0],
  money: [0, 2, 0, 0],
  cash: [0, 1.5, 0, 0],
  deposit: [0, 1.5, 0, 0.5],
  account: [0, 1, 0.5, 0],
  flooded: [1, 0, 0, 2],
  rose: [0.5, 0.5, 0, 1],
  swam: [1, 0, 0, 1.5],
  approved: [0, 1, 0, 2],
  paid: [0, 1, 0, 1.5],
  closed: [0, 0.5, 0, 1.5],
  the: [0, 0, 0, 0],
  a: [0, 0, 0, 0],
  of: [0, 0, 0, 0],
  by: [0, 0, 0, 0],
  at: [0, 0, 0, 0],
  on: [0, 0, 0, 0],
};

/** Vectors changed by the reader, by word. */
export type WordVectors = Readonly<Record<string, Vector>>;

/** Longer words are cut: they would push the matrices off the page. */
const kMaxWordLength = 24;

export function splitWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  return words.map((word) => [...word].slice(0, kMaxWordLength).join(''));
}

export function embeddingOf(word: string, changed: WordVectors): Vector {
  if (Object.hasOwn(changed, word)) return changed[word]!;
  return Object.hasOwn(handSet, word) ? handSet[word]! : features.map(() => 0);
}

function parseEntry(entry: string): [string, Vector] {
  const [word = '', ...cells] = entry.trim().split(/\s+/);
  if (cells.length !== kWidth) throw new FieldError('size', { text: String(cells.length), limit: kWidth });
  return [word, cells.map(parseCell)];
}

function parseCell(cell: string): number {
  const parsed = parseNumber(cell);
  if (!parsed.ok) throw new FieldError(parsed.problem, { text: cell, limit: parsed.limit });
  return parsed.value;
}

/** `bank 1 1 1 0; river 2 0 0 0` */
export const wordVectorsField: Field<WordVectors> = {
  initial: {},
  check(value) {
    const entries = Object.entries(value as WordVectors);
    return Object.fromEntries(entries.map(([word, vector]) => parseEntry(`${word} ${vector.join(' ')}`)));
  },
  parse: (text) => Object.fromEntries(text.split(';').filter((entry) => entry.trim() !== '').map(parseEntry)),
  print: (value) =>
    Object.entries(value)
      .map(([word, vector]) => `${word} ${vector.map(inputNumber).join(' ')}`)
      .join('; '),
};
