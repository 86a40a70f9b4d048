// SPDX-License-Identifier: MIT
// A training run beside its wasm instance: in a worker, or on the page's own thread in slices.
import { type Answer, answer } from './calls.js';
import { LookbackError } from './errors.js';
import { type Build, type RawFileBytes, unwrap } from './module.js';
import { Slices } from './slices.js';
import { type RawReport, type RawTraining, type RawTrainingInfo, type RawTrainingModule, loadTrainingModule } from './training_module.js';
import type { Alignment, DecodedSequence, LengthScore } from './types.js';

export interface OpenRequest {
  build: Build;
  /** As bindings/training.hpp lists them. */
  options: Record<string, unknown>;
  from: Uint8Array | undefined;
}

export class TrainingHost {
  readonly #slices = new Slices();
  #module: RawTrainingModule | undefined;
  #training: RawTraining | undefined;
  #last: Promise<unknown> = Promise.resolve();

  hello(): string {
    return 'ready';
  }

  open({ build, options, from }: OpenRequest): Promise<Answer<RawTrainingInfo>> {
    return this.#inTurn(async () => {
      this.#module = await loadTrainingModule(build);
      this.#training = unwrap(this.#module.openTraining(options)).training;
      if (from) this.#restore(from);
      return unwrap(this.#training.info());
    });
  }

  info(): Promise<Answer<RawTrainingInfo>> {
    return this.#inTurn(() => unwrap(this.#raw().info()));
  }

  advance(): Promise<Answer<RawReport>> {
    return this.#inTurn(async () => {
      for (;;) {
        const { done, ...report } = unwrap(this.#raw().advance());
        await this.#slices.breathe();
        if (done) return report;
      }
    });
  }

  evaluate(lengths: readonly number[], count: number): Promise<Answer<LengthScore[]>> {
    return this.#inTurn(async () => {
      const scores: LengthScore[] = [];
      for (const length of lengths) {
        scores.push(unwrap(this.#raw().evaluate(length, count)));
        await this.#slices.breathe();
      }
      return scores;
    });
  }

  decode(source: Uint8Array, beamWidth: number): Promise<Answer<DecodedSequence>> {
    return this.#inTurn(() => unwrap(this.#raw().decode(source, beamWidth)));
  }

  align(source: Uint8Array, target: Uint8Array | undefined): Promise<Answer<Alignment>> {
    return this.#inTurn(() => unwrap(this.#raw().align(source, target)));
  }

  gradients(source: Uint8Array, target: Uint8Array | undefined, position: number, isRelative: boolean): Promise<Answer<Float32Array>> {
    return this.#inTurn(() => unwrap(this.#raw().gradients(source, target, position, isRelative)));
  }

  save(): Promise<Answer<Uint8Array>> {
    return this.#inTurn(() => unwrap(this.#raw().save()));
  }

  load(bytes: Uint8Array): Promise<Answer<RawTrainingInfo>> {
    return this.#inTurn(() => {
      this.#restore(bytes);
      return unwrap(this.#raw().info());
    });
  }

  dispose(): void {
    this.#training?.delete();
    this.#training = undefined;
  }

  /** One call after another: none sees another's unfinished step. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<Answer<T>> {
    const result = this.#last.then(() => answer(work));
    this.#last = result;
    return result;
  }

  #raw(): RawTraining {
    if (!this.#training) throw new LookbackError('disposed', 'training: it was disposed, or never opened');
    return this.#training;
  }

  #restore(bytes: Uint8Array): void {
    const training = this.#raw();
    const file: RawFileBytes = new this.#module!.FileBytes();
    try {
      unwrap(file.append(bytes));
      unwrap(training.restore(file));
    } finally {
      file.delete();
    }
  }
}
