// SPDX-License-Identifier: MIT
// State of lookback-reversal: what is trained, with what, and which input is looked at.
import type { TrainOptions } from '../engine/types.js';
import { choiceField, flagField, numberField, textField, type StateOf } from '../kit/index.js';

export const tasks = ['reverse', 'copy', 'sort', 'dates', 'pairs'] as const;
export type TaskName = (typeof tasks)[number];

export type ModelName = 'recurrent' | 'transformer';
/** Learning rates that suit the models. */
export const usualRates: Readonly<Record<ModelName, number>> = { recurrent: 0.005, transformer: 0.003 };

export const attends = ({ model, attention }: Pick<ReversalState, 'model' | 'attention'>): boolean => model === 'transformer' || attention === 'additive';

/** What is looked at until the reader types something. */
export const exampleInputs: Readonly<Record<TaskName, string>> = { reverse: '31415926', copy: '31415926', sort: '31415926', dates: '7 March 1997', pairs: '' };

export const reversalTable = {
  task: choiceField<TaskName>('reverse', tasks),
  model: choiceField('recurrent', ['recurrent', 'transformer']),
  attention: choiceField('additive', ['additive', 'none']),
  cell: choiceField('gru', ['gru', 'lstm']),
  reverseSource: flagField(false),
  rate: numberField(0.005, { min: 0.00001, max: 10 }),
  seed: numberField(1, { min: 0, max: 4294967295, whole: true }),
  /** Steps of one training. */
  steps: numberField(250, { min: 1, max: 10000, whole: true }),
  /** The source whose alignment is shown; empty for the task's example. */
  input: textField('', 60),
  unit: choiceField('character', ['character', 'word']),
};

export type ReversalState = Omit<StateOf<typeof reversalTable>, 'model' | 'attention' | 'cell' | 'unit'> & { model: ModelName; attention: 'additive' | 'none'; cell: 'gru' | 'lstm'; unit: 'character' | 'word' };

export function inputOf({ input, task }: Pick<ReversalState, 'input' | 'task'>, pairs: string): string {
  if (input !== '') return input;
  return task === 'pairs' ? (pairs.split(/[\t\n]/, 1)[0] ?? '') : exampleInputs[task];
}

export function optionsOf(state: ReversalState, pairs: string): TrainOptions {
  return {
    task: state.task === 'pairs' ? { pairs, unit: state.unit } : state.task,
    model: state.model,
    ...(state.model === 'recurrent' ? { attention: state.attention, cell: state.cell, reverseSource: state.reverseSource } : {}),
    learningRate: state.rate,
    seed: state.seed,
  };
}
