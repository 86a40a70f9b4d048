// SPDX-License-Identifier: MIT
// The raw wasm module that trains, apart from the one that every page loads.
import { type Build, type RawFileBytes, type RawHandle, type Result, startModule } from './module.js';
import type { Alignment, DecodedSequence, LengthScore, NdArray } from './types.js';

export interface RawTrainingInfo {
  task: string;
  parameters: number;
  sourceSymbols: string[];
  targetSymbols: string[];
  lengths: number[];
  step: number;
  bytes: number;
}

export interface RawReport {
  step: number;
  loss: number;
  gradientNorm: number;
  learningRate: number;
}

type Rows<T> = Omit<T, 'weights'> & { weights: NdArray };

/** bindings/training.hpp says what each does. */
export interface RawTraining extends RawHandle {
  info(): Result<RawTrainingInfo>;
  advance(): Result<RawReport & { done: boolean }>;
  evaluate(length: number, count: number): Result<LengthScore>;
  decode(source: Uint8Array, beamWidth: number): Result<Rows<DecodedSequence>>;
  align(source: Uint8Array, target: Uint8Array | undefined): Result<Rows<Alignment>>;
  gradients(source: Uint8Array, target: Uint8Array | undefined, position: number, isRelative: boolean): Result<Float32Array>;
  save(): Result<Uint8Array>;
  restore(file: RawFileBytes): Result<object>;
}

export interface RawTrainingModule {
  FileBytes: new () => RawFileBytes;
  openTraining(options: object): Result<{ training: RawTraining }>;
}

export function loadTrainingModule(build: Build): Promise<RawTrainingModule> {
  return startModule(build, () => (build === 'relaxed' ? import('#wasm/training/relaxed') : import('#wasm/training/baseline')));
}
