// SPDX-License-Identifier: MIT
// The public types of decoders: loading, generating, and what each step knows.
// Shape letters: B batch, T queries, S keys, H query heads, G key/value heads, D width, K head width, V vocabulary, L layers.

export type Source = string | URL | Blob | ArrayBuffer | Uint8Array;

export interface Progress {
  phase: 'fetch' | 'read' | 'load';
  /** bytes */
  loaded: number;
  /** bytes; absent when the server does not say */
  total?: number;
}

export interface LoadDecoderOptions {
  /** Decoders run on wasm so far: 'webgpu' falls back to it, and `backendReason` says so. Default 'auto'. */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /** A llama2.c checkpoint holds no vocabulary: its tokenizer file. Without one, prompts are token ids. */
  tokenizer?: Source;
  /** Most tokens a text may have; memory for all of them is taken at once. Default: the model's own context, at most 4096. */
  context?: number;
  /** `false` runs in slices on this thread; default: a worker where one can be had. */
  worker?: boolean;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface DecoderInfo {
  format: 'gguf' | 'llama2.c';
  architecture: string;
  layers: number;
  heads: number;
  kvHeads: number;
  width: number;
  headWidth: number;
  feedForward: number;
  vocabulary: number;
  /** most tokens a text may have here */
  context: number;
  /** most tokens the model was made for */
  modelContext: number;
  parameters: number;
  /** of the file */
  byteLength: number;
  hasTokenizer: boolean;
  /** `general.name` and the like, when the file has one */
  name?: string;
}

export interface GenerateOptions {
  /** Default 64. */
  maxTokens?: number;
  /** 0 takes the most likely token. Default 1. */
  temperature?: number;
  /** Only the k most likely tokens; 0 is off. Default 0. */
  topK?: number;
  /** The smallest set of tokens whose probability reaches p; 1 is off. Default 1. */
  topP?: number;
  /** 64 bits: a bigint, or an integer up to 2^53. Default 0. */
  seed?: number | bigint;
  /** How many alternatives `step.top` holds. Default 10. */
  alternatives?: number;
  /** Also a step for each token of the prompt. Default false. */
  echo?: boolean;
  /** Ask for data that costs memory or time. */
  capture?: { attention?: boolean; logits?: boolean };
  signal?: AbortSignal;
}

export interface Alternative {
  token: number;
  text: string;
  /** after temperature, before top-k and top-p */
  probability: number;
  /** still there after top-k and top-p */
  kept: boolean;
}

/** One token at one position, and what was known before it: everything here was computed from positions before this one. */
export interface Step {
  phase: 'prompt' | 'generated';
  position: number;
  token: number;
  /** What this token adds to the text; may be empty while a character is incomplete. */
  text: string;
  /** of this token under the model, temperature 1; NaN for the first token, which nothing predicts */
  logProbability: number;
  top: readonly Alternative[];
  /** [layer][head] -> weights of the last read position over positions 0 .. position - 1 */
  attention?: readonly (readonly Float32Array[])[];
  /** [V] */
  logits?: Float32Array;
}

export interface Decoder {
  readonly info: DecoderInfo;
  readonly backend: 'wasm' | 'webgpu';
  /** Why this backend and not the other one, in a sentence; empty when nothing was tried and failed. */
  readonly backendReason: string;
  readonly mode: 'worker' | 'slices';
  /** Ids of a text, the start token in front unless `start` is false. */
  tokenize(text: string, options?: { start?: boolean }): Promise<number[]>;
  detokenize(ids: readonly number[]): Promise<string>;
  /** Each token alone, as text that can be shown: bytes as <0x0A>. */
  pieces(ids: readonly number[]): Promise<string[]>;
  /** One generation at a time; a text or token ids. Ends at maxTokens, an end token or a full context. */
  generate(prompt: string | readonly number[], options?: GenerateOptions): AsyncGenerator<Step, GenerateEnd, void>;
  /** Logits [V] after the last of the ids, and the attention of that position when asked for. */
  logits(ids: readonly number[], options?: { capture?: { attention?: boolean }; signal?: AbortSignal }): Promise<{ logits: Float32Array; attention?: readonly (readonly Float32Array[])[] }>;
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface GenerateEnd {
  reason: 'maxTokens' | 'end' | 'context' | 'aborted';
  /** What was left of an unfinished character, as U+FFFD; most often empty. */
  text: string;
}
