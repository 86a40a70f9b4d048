// SPDX-License-Identifier: MIT
// The parts of lookback-reversal: settings, the run's buttons, curves, alignment and output. Loaded when the figure is first seen.
import { html, nothing, type TemplateResult } from 'lit';
import { download } from '../kit/export/download.js';
import { button, formatNumber, numberInput, rowsOf, segmented, select, toggle, type CellEditor, type CurveView, type NamedArray } from '../kit/index.js';
import { attends, exampleInputs, inputOf, tasks, usualRates, type ModelName, type ReversalState, type TaskName } from './reversal_model.js';
import type { TrainingSession } from './training_session.js';
import { accuracyCurve, alignmentView, known, lossCurve, outputStrip, reportLine, type ViewWords } from './training_views.js';

export { TrainingSession } from './training_session.js';

export interface ReversalContext extends ViewWords {
  state: ReversalState;
  session: TrainingSession;
  /** The reader's own pairs, one a line. */
  pairs: string;
  /** The settings are not those of the run that is shown. */
  isStale: boolean;
  curves: { loss: CurveView; accuracy: CurveView };
  cells: (name: 'rate' | 'seed' | 'steps') => CellEditor;
  onEdit: (changes: Partial<ReversalState>) => void;
  onPairs: (text: string) => void;
  onStart: () => void;
  onTrain: () => void;
  onStep: () => void;
  onPause: () => void;
  onLoad: (bytes: Uint8Array) => void;
}

function numberControl(context: ReversalContext, name: 'rate' | 'seed' | 'steps', label: unknown, limits: { min: number; max: number; whole?: boolean }, step: number): TemplateResult {
  const editor = context.cells(name);
  const plain = context.t(`reversal.${name}`);
  return html`<div class="control"><span class="control-label">${label}</span>${numberInput({
    label: plain, value: context.state[name], isRefused: editor.isRefused(0, 0), limits, step,
    onNumber: (value) => editor.set(0, 0, value), onRefuse: (parsed) => editor.refuse(0, 0, parsed),
  })}</div>`;
}

function fileButton(label: string, onBytes: (bytes: Uint8Array) => void, accept: string): TemplateResult {
  const take = async (event: Event): Promise<void> => {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    // Emptied, so that the same file can be chosen again.
    field.value = '';
    if (file) onBytes(new Uint8Array(await file.arrayBuffer()));
  };
  return html`<label class="button file-button"><input type="file" accept=${accept} class="unseen" @change=${take} />${label}</label>`;
}

function pairsView({ pairs, state, onPairs, onEdit, t }: ReversalContext): TemplateResult {
  const dropped = async (event: DragEvent): Promise<void> => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    onPairs(await file.text());
  };
  return html`<div class="pairs">
    <label class="pairs-field"><span class="control-label">${t('reversal.pairs')}</span>
      <textarea rows="5" spellcheck="false" .value=${pairs} @input=${(event: Event) => onPairs((event.target as HTMLTextAreaElement).value)} @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${dropped}></textarea></label>
    <p class="quiet">${t('reversal.pairs.hint')}</p>
    <div class="controls">${segmented('unit', t('reversal.unit'), [{ value: 'character', label: t('reversal.unit.character') }, { value: 'word', label: t('reversal.unit.word') }], state.unit, (unit) => onEdit({ unit }))}
      ${fileButton(t('reversal.pairs.file'), (bytes) => onPairs(new TextDecoder().decode(bytes)), '.txt,.tsv,text/plain')}</div>
  </div>`;
}

function recurrentControls({ state, onEdit, t }: ReversalContext): TemplateResult {
  return html`${segmented('attention', t('reversal.attention'), [{ value: 'additive', label: t('reversal.attention.additive') }, { value: 'none', label: t('reversal.attention.none') }], state.attention, (attention) => onEdit({ attention }))}
      ${segmented('cell', t('reversal.cell'), [{ value: 'gru', label: 'GRU' }, { value: 'lstm', label: 'LSTM' }], state.cell, (cell) => onEdit({ cell }))}
      ${toggle(t('reversal.reverseSource'), state.reverseSource, (reverseSource) => onEdit({ reverseSource }))}`;
}

export function settingsView(context: ReversalContext): TemplateResult {
  const { state, onEdit, t } = context;
  // A rate that the reader has chosen stays.
  const choose = (model: ModelName): void => onEdit({ model, ...(state.rate === usualRates[state.model] ? { rate: usualRates[model] } : {}) });
  return html`<div class="controls">
      ${select(t('reversal.task'), tasks.map((value) => ({ value, label: t(`reversal.task.${value}`) })), state.task, (task: TaskName) => onEdit({ task, input: '' }))}
      ${segmented('model', t('reversal.model'), [{ value: 'recurrent', label: t('reversal.model.recurrent') }, { value: 'transformer', label: t('reversal.model.transformer') }], state.model, choose)}
      ${state.model === 'recurrent' ? recurrentControls(context) : nothing}
    </div>
    <div class="controls">
      ${numberControl(context, 'rate', t('reversal.rate'), { min: 0.00001, max: 10 }, 0.001)}
      ${numberControl(context, 'seed', t('reversal.seed'), { min: 0, max: 4294967295, whole: true }, 1)}
      ${numberControl(context, 'steps', t('reversal.steps'), { min: 1, max: 10000, whole: true }, 50)}
    </div>
    ${state.task === 'pairs' ? pairsView(context) : nothing}`;
}

export function runView(context: ReversalContext): TemplateResult {
  const { session, state, isStale, onStart, onTrain, onStep, onPause, onLoad, t } = context;
  const { activity, run, step } = session;
  const isRunning = activity === 'running';
  const isBusy = activity === 'opening';
  const isDone = step >= state.steps;
  const save = async (): Promise<void> => {
    const bytes = await session.save();
    if (bytes) download(`${state.task}-${state.model === 'transformer' ? state.model : state.attention}-${step}.gguf`, new Blob([bytes.slice()]));
  };
  const main = isRunning
    ? button(t('train.pause'), onPause)
    : button(t(!run || isStale ? 'train.start' : isDone ? 'train.more' : step > 0 ? 'train.resume' : 'train.start'), !run || isStale ? onStart : onTrain, { isDisabled: isBusy });
  return html`<div class="run" data-export="skip">
      ${main} ${button(t('train.one'), onStep, { isDisabled: isRunning || isBusy })} ${button(t('train.again'), onStart, { isDisabled: isBusy || !run })}
      <span class="run-files">${button(t('train.save'), () => void save(), { isDisabled: !run || step === 0 })} ${fileButton(t('train.load'), onLoad, '.gguf')}</span>
    </div>
    ${isStale && run ? html`<p class="quiet">${t('train.stale')}</p>` : nothing}
    ${run ? html`<progress class="course" max=${state.steps} value=${Math.min(step, state.steps)} aria-label=${t('train.step')}></progress>${reportLine(session.latest, step, state.steps, context)}` : html`<p>${t('reversal.before')}</p>`}`;
}

function scoreNote({ session, state, t }: ReversalContext): unknown {
  const scores = known(session.evaluations.at(-1)?.accuracy ?? []);
  const longest = scores.at(-1);
  if (!longest) return nothing;
  const values = { length: longest.length, token: formatNumber(longest.tokenAccuracy), exact: formatNumber(longest.exactMatch), count: longest.count };
  const band = state.task === 'reverse' && attends(state) ? t('reversal.band', { mass: formatNumber(longest.bandMass), lean: formatNumber(longest.lean) }) : '';
  return html`<p class="quiet" data-name="scores" data-value=${longest.tokenAccuracy}>${t('reversal.scores', values)} ${band}</p>`;
}

export function curvesView(context: ReversalContext): TemplateResult {
  const { session, curves, t } = context;
  const scores = session.evaluations.at(-1)?.accuracy ?? [];
  const exact = scores.map((score) => ({ ...score, tokenAccuracy: score.exactMatch }));
  const runs = [{ name: t('train.tokenAccuracy'), scores }, { name: t('train.exactMatch'), scores: exact }];
  return html`<div class="curves">
    <div class="curve-room">${lossCurve(curves.loss, [{ name: t('train.loss'), history: session.history }], context)}</div>
    <div class="curve-room">${accuracyCurve(curves.accuracy, runs, context, scores.at(-1)?.length ?? 0)}</div>
  </div>
  ${scoreNote(context)}`;
}

export function lookView(context: ReversalContext): TemplateResult {
  const { session: { look, run }, state, pairs, onEdit, t } = context;
  const right = look && look.alignment !== look.output ? look.alignment.target : undefined;
  const placeholder = state.task === 'pairs' ? inputOf({ ...state, input: '' }, pairs) : exampleInputs[state.task];
  return html`<div class="look">
    <label class="control look-field"><span class="control-label">${t('reversal.input')}</span>
      <input class="text" type="text" maxlength="60" spellcheck="false" autocomplete="off" placeholder=${placeholder} .value=${state.input} @input=${(event: Event) => onEdit({ input: (event.target as HTMLInputElement).value })} /></label>
    ${look ? html`<div class="output-line"><span class="control-label">${t('train.output')}</span>${outputStrip(look.output, right, context)}</div>
      <div class="alignment">${alignmentView(look.alignment, tex`\alpha`, context)}</div>
      ${attends(state) ? html`<p class="quiet">${t(right ? 'reversal.alignment.right' : 'reversal.alignment.own')} ${state.model === 'transformer' ? t('reversal.alignment.heads') : nothing}</p>` : nothing}` : html`<p class="quiet">${run ? t('reversal.input.hint') : nothing}</p>`}
  </div>`;
}

export function arraysOf({ session, t }: ReversalContext): NamedArray[] {
  const { history, evaluations, look } = session;
  const scores = evaluations.at(-1)?.accuracy ?? [];
  const arrays: NamedArray[] = [];
  if (history.length > 0) arrays.push({ name: 'loss', symbol: t('train.loss'), rows: history.map(({ step, loss, gradientNorm }) => [step, loss, gradientNorm]), columnLabels: [t('train.step'), t('train.loss'), t('train.norm')] });
  if (scores.length > 0) arrays.push({ name: 'accuracy', symbol: t('train.tokenAccuracy'), rows: scores.map(({ length, count, tokenAccuracy, exactMatch, bandMass, lean }) => [length, count, tokenAccuracy, exactMatch, bandMass, lean]), columnLabels: [t('train.length'), t('train.count'), t('train.tokenAccuracy'), t('train.exactMatch'), t('train.band'), t('train.lean')] });
  const rows = look ? rowsOf(look.alignment.weights).slice(0, look.alignment.target.length) : [];
  if (look && rows.length > 0) arrays.push({ name: 'alignment', symbol: 'α', rows, rowLabels: look.alignment.target, columnLabels: look.alignment.source });
  return arrays;
}
