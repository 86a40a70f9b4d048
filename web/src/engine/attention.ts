// SPDX-License-Identifier: MIT
// lb.attention: arguments checked and converted, then the core.
import { checkInteger, checkNumber, toIntegers } from './arrays.js';
import type { Core } from './core.js';
import { LookbackError } from './errors.js';
import type { ArrayInput, AttentionFunctions, Causal, MaskOptions, ReadingOptions, ScaledDotProductInput } from './types.js';

function numberOrNone(name: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : checkNumber(name, value);
}

function masks(core: Core, name: string, input: MaskOptions): Record<string, unknown> {
  return {
    keep: core.optional(`${name}: keep`, input.keep),
    ignore: core.optional(`${name}: ignore`, input.ignore),
    bias: core.optional(`${name}: bias`, input.bias),
  };
}

function reading(core: Core, name: string, input: ReadingOptions): Record<string, unknown> {
  return {
    ...masks(core, name, input),
    values: core.optional(`${name}: values`, input.values),
    temperature: numberOrNone(`${name}: temperature`, input.temperature),
    hard: input.hard === true,
  };
}

function causalName(causal: Causal | undefined): string {
  return causal === true ? 'bottom-right' : causal ? String(causal) : 'none';
}

function rules(name: string, input: Partial<ScaledDotProductInput>): Record<string, unknown> {
  const integer = (field: string, value: number | undefined): number | undefined =>
    value === undefined ? undefined : checkInteger(`${name}: ${field}`, value);
  return {
    causal: causalName(input.causal),
    scale: numberOrNone(`${name}: scale`, input.scale),
    softCap: numberOrNone(`${name}: softCap`, input.softCap),
    queryPosition: integer('queryPosition', input.queryPosition),
    windowLeft: integer('window.left', input.window?.left),
    windowRight: integer('window.right', input.window?.right),
    validLengths: input.validLengths === undefined ? undefined : toIntegers(`${name}: validLengths`, input.validLengths),
  };
}

function heads(name: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : checkInteger(name, value, 1);
}

/** Checks that the argument is one object, since positional arguments are the likely slip. */
function checkOptions(name: string, input: unknown): void {
  if (typeof input !== 'object' || input === null) throw new LookbackError('value', `${name}: takes one object of named arguments`);
}

/** Without capture the output stays in the core when the queries came from there. */
function capture(core: Core, wanted: boolean | undefined, query: ArrayInput): Record<string, unknown> {
  return wanted === false ? { fused: true, resident: core.isResident(query) } : {};
}

/** A resident output comes as its number. */
function withOutput<T extends object>(core: Core, result: T & { output: unknown }): T {
  return typeof result.output === 'number' ? { ...result, output: core.adopt(result.output) } : result;
}

export function attentionFunctions(core: Core): AttentionFunctions {
  return {
    additive(input) {
      checkOptions('additive', input);
      const array = (field: 'query' | 'keys' | 'Wa' | 'Ua' | 'va') => core.input(`additive: ${field}`, input[field]);
      return core.call('additive', {
        query: array('query'), keys: array('keys'), Wa: array('Wa'), Ua: array('Ua'), va: array('va'),
        ba: core.optional('additive: ba', input.ba),
        ...reading(core, 'additive', input),
      });
    },

    luong(input) {
      checkOptions('luong', input);
      return core.call('luong', {
        query: core.input('luong: query', input.query),
        keys: core.input('luong: keys', input.keys),
        score: String(input.score),
        Wa: core.optional('luong: Wa', input.Wa),
        va: core.optional('luong: va', input.va),
        ...reading(core, 'luong', input),
      });
    },

    scaledDotProduct(input) {
      checkOptions('scaledDotProduct', input);
      const array = (field: 'q' | 'k' | 'v') => core.input(`scaledDotProduct: ${field}`, input[field]);
      return withOutput(core, core.call('scaledDotProduct', {
        q: array('q'), k: array('k'), v: array('v'),
        pastKey: core.optional('scaledDotProduct: pastKey', input.pastKey),
        pastValue: core.optional('scaledDotProduct: pastValue', input.pastValue),
        heads: heads('scaledDotProduct: heads', input.heads),
        kvHeads: heads('scaledDotProduct: kvHeads', input.kvHeads),
        ...masks(core, 'scaledDotProduct', input),
        ...rules('scaledDotProduct', input),
        ...capture(core, input.capture, input.q),
      }));
    },

    multiHead(input) {
      checkOptions('multiHead', input);
      const array = (field: 'x' | 'Wq' | 'Wk' | 'Wv') => core.input(`multiHead: ${field}`, input[field]);
      const optional = (field: 'memory' | 'Wo' | 'bq' | 'bk' | 'bv' | 'bo') => core.optional(`multiHead: ${field}`, input[field]);
      return withOutput(core, core.call('multiHead', {
        x: array('x'), Wq: array('Wq'), Wk: array('Wk'), Wv: array('Wv'),
        memory: optional('memory'), Wo: optional('Wo'), bq: optional('bq'), bk: optional('bk'), bv: optional('bv'), bo: optional('bo'),
        heads: checkInteger('multiHead: heads', input.heads, 1),
        kvHeads: heads('multiHead: kvHeads', input.kvHeads),
        ...masks(core, 'multiHead', input),
        ...rules('multiHead', { causal: input.causal, scale: input.scale }),
        ...capture(core, input.capture, input.x),
      }));
    },
  };
}
