// SPDX-License-Identifier: MIT
// lb.nn and lb.positions: arguments checked and converted, then the core.
import { checkInteger, checkNumber, toIntegers } from './arrays.js';
import type { Core } from './core.js';
import { LookbackError } from './errors.js';
import { recurrentFunctions } from './recurrent.js';
import type { ArrayInput, NnFunctions, NormOptions, PositionFunctions } from './types.js';

function axis(name: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : checkInteger(`${name}: axis`, value);
}

function number(name: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : checkNumber(name, value);
}

/** One of some words; a misspelt one must not pass for the default. */
function word(name: string, value: unknown, words: readonly string[]): string {
  if (typeof value !== 'string' || !words.includes(value)) {
    throw new LookbackError('value', `${name} must be ${words.map((each) => `'${each}'`).join(' or ')}, got ${String(value)}`);
  }
  return value;
}

const pairing = (options: { pairing: string } | undefined): string => word('rotary: pairing', options?.pairing, ['interleaved', 'half']);

function norm(name: string, options: NormOptions = {}): Record<string, unknown> {
  return { axis: axis(name, options?.axis), epsilon: number(`${name}: epsilon`, options?.epsilon) };
}

export function nnFunctions(core: Core): NnFunctions {
  const activation = (name: string, x: ArrayInput, fn: string, alpha?: number) =>
    core.call<never>('activation', { x: core.input(`${name}: x`, x), function: fn, alpha: number(`${name}: alpha`, alpha) });
  return {
    softmax: (x, options = {}) =>
      core.call('softmax', { x: core.input('softmax: x', x), axis: axis('softmax', options?.axis), temperature: number('softmax: temperature', options?.temperature) }),
    logSoftmax: (x, options = {}) => core.call('logSoftmax', { x: core.input('logSoftmax: x', x), axis: axis('logSoftmax', options?.axis) }),
    layerNorm: (x, weight, bias, options) =>
      core.call('layerNorm', {
        x: core.input('layerNorm: x', x),
        weight: core.optional('layerNorm: weight', weight),
        bias: core.optional('layerNorm: bias', bias),
        ...norm('layerNorm', options),
      }),
    rmsNorm: (x, weight, options) =>
      core.call('rmsNorm', { x: core.input('rmsNorm: x', x), weight: core.optional('rmsNorm: weight', weight), ...norm('rmsNorm', options) }),
    gelu(x, form = 'erf') {
      if (form !== 'erf' && form !== 'tanh') throw new LookbackError('value', `gelu: form must be 'erf' or 'tanh', got '${String(form)}'`);
      return activation('gelu', x, `gelu_${form}`);
    },
    swish: (x, alpha = 1) => activation('swish', x, 'swish', alpha),
    tanh: (x) => activation('tanh', x, 'tanh'),
    sigmoid: (x) => activation('sigmoid', x, 'sigmoid'),
    linear: (x, weight, bias) =>
      core.call('linear', { x: core.input('linear: x', x), weight: core.input('linear: weight', weight), bias: core.optional('linear: bias', bias) }),
    embedding: (table, ids) => core.call('embedding', { table: core.input('embedding: table', table), ids: toIntegers('embedding: ids', ids) }),
    ...recurrentFunctions(core),
  };
}

export function positionFunctions(core: Core): PositionFunctions {
  return {
    sinusoidal: (length, width, options = {}) =>
      core.call('sinusoidal', {
        length: checkInteger('sinusoidal: length', length, 0),
        width: checkInteger('sinusoidal: width', width, 1),
        base: number('sinusoidal: base', options?.base),
        layout: options?.layout === undefined ? undefined : word('sinusoidal: layout', options?.layout, ['interleaved', 'concatenated']),
      }),
    rotary: (x, options) =>
      core.call('rotary', {
        x: core.input('rotary: x', x),
        positions: options?.positions === undefined ? undefined : toIntegers('rotary: positions', options.positions),
        pairing: pairing(options),
        base: number('rotary: base', options?.base),
        width: options?.width === undefined ? undefined : checkInteger('rotary: width', options?.width, 0),
      }),
    rotaryFromTables: (x, cos, sin, options) =>
      core.call('rotaryFromTables', {
        x: core.input('rotary: x', x), cos: core.input('rotary: cos', cos), sin: core.input('rotary: sin', sin), pairing: pairing(options),
      }),
  };
}
