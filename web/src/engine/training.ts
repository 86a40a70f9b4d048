// SPDX-License-Identifier: MIT
// lb.train: options checked, a host found, and the run that callers hold.
import { checkInteger, checkNumber, seedHalves } from './arrays.js';
import { type Answer, disposedError } from './calls.js';
import { type Connection, type HostKind, connect } from './connect.js';
import { LookbackError } from './errors.js';
import type { Build } from './module.js';
import { TrainingHost } from './training_host.js';
import type { RawTrainingInfo } from './training_module.js';
import type { Alignment, DecodedSequence, LengthScore, PairTask, TrainOptions, TrainingInfo, TrainingRun, TrainingStep } from './types.js';

const trainingKind: HostKind<TrainingHost> = {
  name: 'training',
  script: () => new URL('../worker/training_worker.ts', import.meta.url),
  create: () => new TrainingHost(),
};

const TASKS = ['reverse', 'copy', 'sort', 'dates'];
/** Items that are computed without a pause: some milliseconds of work. Fixed, since sums depend on it. */
const MICRO_BATCH = 32;

interface Plan {
  steps: number;
  evaluateEvery: number;
  evaluateCount: number;
}

/** Encoding here turns lone surrogates into U+FFFD. */
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function toText(name: string, value: unknown): Uint8Array {
  if (typeof value !== 'string') throw new LookbackError('value', `${name} must be a text, got ${typeof value}`);
  return utf8(value);
}

function toBytes(name: string, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new LookbackError('value', `${name} must be the bytes that save() gave`);
}

function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) throw new LookbackError('value', `train: ${name} must be one of ${allowed.join(', ')}, got '${String(value)}'`);
  return value as T;
}

function pairLines({ pairs }: PairTask): string {
  if (typeof pairs === 'string') return pairs;
  if (!Array.isArray(pairs)) throw new LookbackError('value', 'train: pairs must be lines or a list of pairs');
  return pairs.map((pair: unknown, index) => {
    const [source, target] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof source !== 'string' || typeof target !== 'string' || /[\t\n\r]/.test(source + target)) {
      throw new LookbackError('value', `train: pair ${index + 1} must be two texts without tabs or line ends`);
    }
    return `${source}\t${target}`;
  }).join('\n');
}

function taskFields(options: TrainOptions): Record<string, unknown> {
  const { task = 'reverse', lengths } = options;
  if (typeof task === 'object' && task !== null) {
    return { pairs: utf8(pairLines(task)), unit: oneOf('unit', task.unit ?? 'character', ['character', 'word']) };
  }
  const name = oneOf('task', task, TASKS);
  if (lengths === undefined || name === 'dates') return { task: name };
  const [least, most] = lengths;
  return { task: name, least: checkInteger('train: lengths[0]', least, 1, 200), most: checkInteger('train: lengths[1]', most, least, 200) };
}

function size(name: string, value: number | undefined, usual: number): number {
  return checkInteger(`train: ${name}`, value ?? usual, 1, 4096);
}

function positive(name: string, value: number | undefined, usual: number): number {
  return checkNumber(`train: ${name}`, value ?? usual);
}

const RECURRENT_ONLY = ['attention', 'cell', 'bidirectional', 'reverseSource', 'embedding', 'attentionHidden'] as const;
const TRANSFORMER_ONLY = ['heads', 'feedForward', 'layers'] as const;

function modelFields(options: TrainOptions): Record<string, unknown> {
  const model = oneOf('model', options.model ?? 'recurrent', ['recurrent', 'transformer']);
  for (const name of model === 'recurrent' ? TRANSFORMER_ONLY : RECURRENT_ONLY) {
    if (options[name] !== undefined) throw new LookbackError('value', `train: a ${model} model has no option ${name}`);
  }
  const hidden = size('hidden', options.hidden, 64);
  if (model === 'transformer') {
    return { model, hidden, heads: size('heads', options.heads, 4), feedForward: size('feedForward', options.feedForward, 128), layers: checkInteger('train: layers', options.layers ?? 2, 1, 64) };
  }
  return {
    model,
    hidden,
    attention: oneOf('attention', options.attention ?? 'additive', ['additive', 'none']),
    cell: oneOf('cell', options.cell ?? 'gru', ['gru', 'lstm']),
    bidirectional: options.bidirectional !== false,
    reverseSource: options.reverseSource === true,
    embedding: size('embedding', options.embedding, 32),
    attentionHidden: size('attentionHidden', options.attentionHidden, 64),
  };
}

function fieldsOf(options: TrainOptions): Record<string, unknown> {
  const fields = modelFields(options);
  return {
    ...taskFields(options),
    ...fields,
    dropout: positive('dropout', options.dropout, 0),
    batch: size('batch', options.batch, 64),
    microBatch: MICRO_BATCH,
    learningRate: positive('learningRate', options.learningRate, fields.model === 'transformer' ? 3e-3 : 5e-3),
    warmup: checkInteger('train: warmup', options.warmup ?? 0, 0),
    clip: positive('clip', options.clip, 1),
    ...seedHalves('train: seed', options.seed ?? 1),
  };
}

class HostedTraining implements TrainingRun {
  readonly info: TrainingInfo;
  readonly mode: 'worker' | 'slices';
  /** Bytes that the run held when it was opened, for stats(). */
  readonly bytes: number;
  readonly #connection: Connection<TrainingHost>;
  readonly #plan: Plan;
  readonly #signal: AbortSignal | undefined;
  readonly #onDispose: (run: HostedTraining) => void;
  #step: number;
  #isDisposed = false;

  constructor(connection: Connection<TrainingHost>, { step, bytes, ...info }: RawTrainingInfo, plan: Plan, signal: AbortSignal | undefined, onDispose: (run: HostedTraining) => void) {
    this.info = Object.freeze(info);
    this.mode = connection.mode;
    this.bytes = bytes;
    this.#connection = connection;
    this.#plan = plan;
    this.#signal = signal;
    this.#onDispose = onDispose;
    this.#step = step;
  }

  get step(): number {
    return this.#step;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TrainingStep, void> {
    const { steps, evaluateEvery, evaluateCount } = this.#plan;
    while (this.#step < steps) {
      if (this.#signal?.aborted) return;
      const report = await this.advance();
      const isDue = evaluateEvery > 0 && (report.step % evaluateEvery === 0 || report.step === steps);
      yield isDue ? { ...report, accuracy: await this.evaluate({ count: evaluateCount }) } : report;
    }
  }

  async advance(): Promise<TrainingStep> {
    const report = await this.#ask((host) => host.advance());
    this.#step = report.step;
    return report;
  }

  async evaluate(options: { lengths?: readonly number[]; count?: number } = {}): Promise<LengthScore[]> {
    const lengths = (options.lengths ?? this.info.lengths).map((length, index) => checkInteger(`evaluate: lengths[${index}]`, length, 1, 200));
    const count = checkInteger('evaluate: count', options.count ?? this.#plan.evaluateCount, 1, 4096);
    return this.#ask((host) => host.evaluate(lengths, count));
  }

  async decode(source: string, options: { beam?: number } = {}): Promise<DecodedSequence> {
    const beam = checkInteger('decode: beam', options.beam ?? 1, 1, 64);
    const bytes = toText('decode: source', source);
    return this.#ask((host) => host.decode(bytes, beam));
  }

  async alignment(source: string, target?: string): Promise<Alignment> {
    const bytes = toText('alignment: source', source);
    const given = target === undefined ? undefined : toText('alignment: target', target);
    return this.#ask((host) => host.align(bytes, given));
  }

  async gradients(source: string, options: { target?: string; position?: number; relative?: boolean } = {}): Promise<Float32Array> {
    const bytes = toText('gradients: source', source);
    const given = options.target === undefined ? undefined : toText('gradients: target', options.target);
    const position = checkInteger('gradients: position', options.position ?? 0, 0);
    return this.#ask((host) => host.gradients(bytes, given, position, options.relative === true));
  }

  save(): Promise<Uint8Array> {
    return this.#ask((host) => host.save());
  }

  async load(bytes: Uint8Array | ArrayBuffer): Promise<void> {
    const given = toBytes('load: bytes', bytes);
    this.#step = (await this.#ask((host) => host.load(given))).step;
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#connection.close();
    this.#onDispose(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** In a worker the host is a proxy whose methods answer with the same promises. */
  async #ask<T>(call: (host: TrainingHost) => Promise<Answer<T>>): Promise<T> {
    if (this.#isDisposed) throw disposedError('training');
    return this.#connection.calls.run(() => call(this.#connection.host as TrainingHost));
  }
}

export type { HostedTraining };

export async function train(build: Build, options: TrainOptions, onDispose: (run: HostedTraining) => void): Promise<HostedTraining> {
  const plan = {
    steps: checkInteger('train: steps', options.steps ?? 250, 0),
    evaluateEvery: checkInteger('train: evaluateEvery', options.evaluateEvery ?? 25, 0),
    evaluateCount: checkInteger('train: evaluateCount', options.evaluateCount ?? 64, 1, 4096),
  };
  const request = { build, options: fieldsOf(options), from: options.from === undefined ? undefined : toBytes('train: from', options.from) };
  const { signal } = options;
  const checkAborted = (): void => {
    if (signal?.aborted) throw new LookbackError('aborted', 'train: stopped by the signal');
  };
  checkAborted();
  const connection = await connect(trainingKind, options.worker !== false);
  try {
    const info = await connection.calls.run(() => connection.host.open(request));
    checkAborted();
    return new HostedTraining(connection, info, plan, signal, onDispose);
  } catch (error) {
    connection.close();
    throw error;
  }
}
