// SPDX-License-Identifier: MIT
// Bahdanau, Cho, Bengio 2015, Table 1: BLEU on the English-French test set of WMT'14. The number in a name is the length up to
// which sentences were trained on.

export interface PublishedScore {
  model: string;
  hasAttention: boolean;
  /** on all sentences */
  all: number;
  /** on sentences without unknown words */
  known: number;
}

export const publishedScores: readonly PublishedScore[] = [
  { model: 'RNNencdec-30', hasAttention: false, all: 13.93, known: 24.19 },
  { model: 'RNNsearch-30', hasAttention: true, all: 21.5, known: 31.44 },
  { model: 'RNNencdec-50', hasAttention: false, all: 17.82, known: 26.71 },
  { model: 'RNNsearch-50', hasAttention: true, all: 26.75, known: 34.16 },
  { model: 'RNNsearch-50*', hasAttention: true, all: 28.45, known: 36.15 },
  { model: 'Moses', hasAttention: false, all: 33.3, known: 35.63 },
];

export const publishedSource = 'https://arxiv.org/abs/1409.0473';
