// SPDX-License-Identifier: MIT
// lb.nn.lstm and lb.nn.gru: arguments checked and converted, then the core.
import { toIntegers } from './arrays.js';
import type { Core } from './core.js';
import { LookbackError } from './errors.js';
import type { LstmDirection, LstmInput, NnFunctions } from './types.js';

function direction(core: Core, name: string, given: LstmDirection | undefined): Record<string, unknown> | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null) throw new LookbackError('value', `${name} must be an object with W and R`);
  const fields: Record<string, unknown> = { W: core.input(`${name}.W`, given.W), R: core.input(`${name}.R`, given.R) };
  for (const field of ['bW', 'bR', 'hidden', 'cell'] as const) fields[field] = core.optional(`${name}.${field}`, given[field]);
  return fields;
}

/** A GRU is an LSTM's call with a place to reset. */
function run<Result>(core: Core, name: string, { x, forward, reverse, lengths, gates }: LstmInput, reset?: string): Result {
  if (gates !== undefined && typeof gates !== 'string') throw new LookbackError('value', `${name}: gates must be a word such as 'ifgo', got ${String(gates)}`);
  return core.call('recurrent', {
    x: core.input(`${name}: x`, x),
    forward: direction(core, `${name}: forward`, forward),
    reverse: direction(core, `${name}: reverse`, reverse),
    lengths: lengths === undefined ? undefined : toIntegers(`${name}: lengths`, lengths),
    gates,
    reset,
  });
}

export function recurrentFunctions(core: Core): Pick<NnFunctions, 'lstm' | 'gru'> {
  return {
    lstm: (input) => run(core, 'lstm', input ?? {}),
    gru(input) {
      const reset: unknown = input?.reset;
      if (reset !== 'before' && reset !== 'after') throw new LookbackError('value', `gru: reset must be 'before' or 'after', got ${String(reset)}`);
      return run(core, 'gru', input, reset);
    },
  };
}
