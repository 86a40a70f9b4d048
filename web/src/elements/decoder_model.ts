// SPDX-License-Identifier: MIT
// State of lookback-decoder, how its tokens are shown, and which of a reader's files is the model and which the tokenizer.
import type { DecoderInfo, Step } from '../engine/types.js';
import { numberField, textField, type StateOf } from '../kit/index.js';

export const limits = {
  temperature: { min: 0, max: 2 },
  topK: { min: 0, max: 1e6, whole: true },
  topP: { min: 0, max: 1 },
  seed: { min: 0, max: 1e6, whole: true },
  maxTokens: { min: 1, max: 4096, whole: true },
};

/** Characters of a prompt: longer ones would not fit a link. */
export const kLongestPrompt = 4000;
/** `position` of a reader who follows the newest token. */
export const kNewest = -1;

export const decoderTable = {
  prompt: textField('Once upon a time', kLongestPrompt),
  temperature: numberField(0.8, limits.temperature),
  topK: numberField(0, limits.topK),
  topP: numberField(0.9, limits.topP),
  seed: numberField(1, limits.seed),
  maxTokens: numberField(64, limits.maxTokens),
  layer: numberField(1, { min: 1, max: 1000, whole: true }),
  head: numberField(1, { min: 1, max: 1000, whole: true }),
  position: numberField(kNewest, { min: kNewest, max: 1e6, whole: true }),
};

export type DecoderState = StateOf<typeof decoderTable>;
export type Sampling = Pick<DecoderState, 'temperature' | 'topK' | 'topP' | 'seed'>;

export function samplingOf({ temperature, topK, topP, seed }: Sampling): Sampling {
  return { temperature, topK, topP, seed };
}

export function isSameSampling(a: Sampling, b: Sampling): boolean {
  return a.temperature === b.temperature && a.topK === b.topK && a.topP === b.topP && a.seed === b.seed;
}

/** Where a token came from: the prompt, the model, or the reader's click on a bar. */
export type Origin = 'prompt' | 'generated' | 'taken';

export interface TokenRow {
  step: Step;
  piece: string;
  origin: Origin;
}

export interface NamedSource {
  name: string;
  source: string | File;
}

export interface Chosen {
  model?: NamedSource;
  tokenizer?: NamedSource;
}

/** What is chosen of a model and of a text, within what there is. */
export interface Selection {
  /** From 0. */
  layer: number;
  head: number;
  /** Index into the rows; -1 when there are none. */
  position: number;
}

export function selectionOf(state: DecoderState, info: DecoderInfo | undefined, count: number): Selection {
  return {
    layer: Math.min(state.layer, info?.layers ?? 1) - 1,
    head: Math.min(state.head, info?.heads ?? 1) - 1,
    position: state.position === kNewest ? count - 1 : Math.min(state.position, count - 1),
  };
}

/** Weights with which the token before `position` read, when `position` was guessed; absent for the first token. */
export function weightsAt(rows: readonly TokenRow[], { layer, head, position }: Selection): Float32Array | undefined {
  return rows[position]?.step.attention?.[layer]?.[head];
}

/** A token as it can be seen: spaces and line ends have signs. */
export function shownPiece(piece: string): string {
  if (piece === '<0x0A>') return '↵';
  if (piece === '') return '∅';
  return piece.replace(/ /g, '␣').replace(/\r?\n/g, '↵').replace(/\t/g, '⇥');
}

/** Ids of a prompt for a model without a tokenizer: "1, 5, 7". Undefined for anything else; nothing at all is the start token. */
export function idsOfText(text: string): number[] | undefined {
  if (text.trim() === '') return [1];
  const parts = text.trim().split(/[\s,]+/);
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : undefined;
}

export function fromAddresses(model: string, tokenizer: string): Chosen {
  return { model: { name: model, source: model }, ...(tokenizer === '' ? {} : { tokenizer: { name: tokenizer, source: tokenizer } }) };
}

/** Larger files are no tokenizers, whatever their name. */
const kLargestTokenizer = 1 << 24;

async function isGguf(file: File): Promise<boolean> {
  // A file that can't be read is the engine's to complain about.
  return (await file.slice(0, 4).text().catch(() => '')) === 'GGUF';
}

/** Tells model and tokenizer apart: by the first bytes of a GGUF file, by name, by size. The engine checks what they hold. */
export async function sortFiles(files: readonly File[]): Promise<Chosen> {
  const named = files.map((file) => ({ name: file.name, source: file }));
  const flags = await Promise.all(files.map(isGguf));
  const looksLikeTokenizer = (file: File): boolean => /tok|vocab/i.test(file.name) && file.size <= kLargestTokenizer;
  const rest = named.filter((_, index) => !flags[index]);
  const tokenizer = rest.find(({ source }) => looksLikeTokenizer(source)) ?? (rest.length > 1 ? smallest(rest) : undefined);
  const model = named[flags.indexOf(true)] ?? rest.find((each) => each !== tokenizer);
  return { ...(model && { model }), ...(tokenizer && { tokenizer }) };
}

function smallest(files: readonly { name: string; source: File }[]): { name: string; source: File } {
  return files.reduce((least, each) => (each.source.size < least.source.size ? each : least));
}
