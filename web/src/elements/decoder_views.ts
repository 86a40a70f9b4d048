// SPDX-License-Identifier: MIT
// What lookback-decoder shows of a text: prompt and settings, the text and its tokens, what could have stood at one place.
import { html, nothing, type TemplateResult } from 'lit';
import type { Alternative, Decoder } from '../engine/types.js';
import { barsView, button, formatNumber, numberInput, slider, toggle, tokenStrip, type CellEditor, type KindWords, type MessageKey, type Token } from '../kit/index.js';
import { isSameSampling, kLongestPrompt, limits, samplingOf, shownPiece, weightsAt, type DecoderState, type Selection, type TokenRow } from './decoder_model.js';
import type { DecoderWriter } from './decoder_writer.js';

export interface WritingContext {
  state: DecoderState;
  decoder: Decoder;
  writer: DecoderWriter;
  selection: Selection;
  areNumbersShown: boolean;
  kindWords: KindWords;
  language: string;
  cells: (name: string) => CellEditor;
  onEdit: (changes: Partial<DecoderState>) => void;
  onWrite: (count: number, fromPrompt: boolean) => void;
  onStop: () => void;
  onTake: (position: number, token: number) => void;
  onNumbers: (areShown: boolean) => void;
  onReadout: (text: string) => void;
  t: (key: MessageKey, values?: Record<string, unknown>) => string;
  parts: (key: MessageKey, values: Record<string, unknown>) => unknown[];
}

type NumberName = 'temperature' | 'topK' | 'topP' | 'seed' | 'maxTokens';

function labelled(label: string, symbol: TemplateResult): TemplateResult {
  return html`${label} ${symbol}`;
}

function slide({ state, cells, t }: WritingContext, name: 'temperature' | 'topP', symbol: TemplateResult): TemplateResult {
  const editor = cells(name);
  const label = t(`decoder.${name}`);
  return slider({
    ...{ label: labelled(label, symbol), name: label, value: state[name], limits: limits[name], step: 0.05, isRefused: editor.isRefused(0, 0) },
    onNumber: (value) => editor.set(0, 0, value),
    onRefuse: (parsed) => editor.refuse(0, 0, parsed),
  });
}

function whole({ state, cells, t }: WritingContext, name: Exclude<NumberName, 'temperature' | 'topP'>, symbol: unknown): TemplateResult {
  const editor = cells(name);
  const label = t(`decoder.${name}`);
  const input = numberInput({
    ...{ label, value: state[name], limits: limits[name], step: 1, isRefused: editor.isRefused(0, 0), dataName: name },
    onNumber: (value) => editor.set(0, 0, value),
    onRefuse: (parsed) => editor.refuse(0, 0, parsed),
  });
  return html`<div class="control"><span class="control-label">${label} ${symbol}</span>${input}</div>`;
}

function buttons({ writer, state, onWrite, onStop, t }: WritingContext): TemplateResult {
  const canContinue = writer.canContinue(state);
  return html`<div class="controls buttons">
    ${writer.activity === 'running'
      ? html`<button type="button" class="button main" @click=${onStop}>${t('decoder.stop')}</button>`
      : html`<button type="button" class="button main" @click=${() => onWrite(state.maxTokens, true)}>${t(writer.rows.length > 0 ? 'decoder.again' : 'decoder.generate')}</button>
          ${button(t('decoder.one'), () => onWrite(1, !canContinue))}
          ${canContinue ? button(t('decoder.more'), () => onWrite(state.maxTokens, false)) : nothing}`}
    ${statusView(writer, t)}
  </div>`;
}

function statusView({ rows, speed, activity, end }: DecoderWriter, t: WritingContext['t']): unknown {
  if (rows.length === 0) return nothing;
  const count = rows.length;
  const reasons = { end: t('decoder.status.end'), context: t('decoder.status.context'), aborted: t('decoder.status.aborted'), maxTokens: '' };
  const text = speed === undefined ? t('decoder.status.running', { count }) : t('decoder.status.speed', { count, speed: formatNumber(speed, 0) });
  const reason = activity === 'idle' && end ? reasons[end.reason] : '';
  return html`<span class="quiet status">${[text, reason].filter(Boolean).join('; ')}</span>`;
}

export function controlsView(context: WritingContext): TemplateResult {
  const { state, decoder, writer, onEdit, t } = context;
  const { hasTokenizer } = decoder.info;
  const isStale = writer.sampling !== undefined && !isSameSampling(writer.sampling, samplingOf(state));
  return html`${hasTokenizer ? nothing : html`<p>${t('decoder.noTokenizer')}</p>`}
    <label class="prompt"><span class="control-label">${t(hasTokenizer ? 'decoder.prompt' : 'decoder.prompt.ids')}</span>
      <textarea rows="2" maxlength=${kLongestPrompt} dir="auto" spellcheck="false" .value=${state.prompt} @input=${(event: Event) => onEdit({ prompt: (event.target as HTMLTextAreaElement).value })}></textarea></label>
    <div class="controls settings">
      ${slide(context, 'temperature', tex`\tau`)} ${whole(context, 'topK', tex`k`)} ${slide(context, 'topP', tex`p`)}
      ${whole(context, 'seed', nothing)} ${whole(context, 'maxTokens', nothing)}
    </div>
    ${buttons(context)}
    ${isStale && writer.activity !== 'running' ? html`<p class="quiet">${t('decoder.stale')}</p>` : nothing}`;
}

/** The text as it reads: what the prompt said and what was added. */
export function textView({ writer: { rows, end }, t }: WritingContext): TemplateResult {
  const text = (origins: readonly string[]): string => rows.filter(({ origin }) => origins.includes(origin)).map(({ step }) => step.text).join('');
  const firstAdded = rows.findIndex(({ origin }) => origin !== 'prompt');
  const added = firstAdded < 0 ? '' : rows.slice(firstAdded).map(({ step }) => step.text).join('');
  return html`<p class="story" dir="auto" aria-label=${t('decoder.text')}><span class="given" data-name="given">${text(['prompt'])}</span><span data-name="written">${added}${end?.text}</span></p>`;
}

export function stripView(context: WritingContext): TemplateResult {
  const { writer: { rows }, selection, onEdit, areNumbersShown, onNumbers, t } = context;
  const weights = weightsAt(rows, selection);
  const tokens = rows.map(({ piece, origin }, index): Token => {
    const weight = weights?.[index];
    return { text: shownPiece(piece), ...(weight === undefined ? {} : { weight }), mark: { kind: origin, word: t(`decoder.origin.${origin}`) } };
  });
  const strip = tokenStrip({
    ...{ name: t('decoder.tokens'), tokens, chosen: selection.position, maskedWord: t('kit.masked'), digits: 2, dataName: 'token' },
    onChoose: (index) => onEdit({ position: index === rows.length - 1 ? -1 : index }),
  });
  return html`<div class="strip" ?data-numbers=${areNumbersShown}>${strip}</div>
    <p class="quiet legend">${t('decoder.legend')}</p>
    ${toggle(t('decoder.numbers'), areNumbersShown, onNumbers)}`;
}

function quoted(piece: string): TemplateResult {
  return html`<span class="piece">${shownPiece(piece)}</span>`;
}

function cutWords({ topK, topP }: { topK: number; topP: number }): string {
  return [topK > 0 ? `top-k = ${topK}` : '', topP < 1 ? `top-p = ${topP}` : ''].filter(Boolean).join(', ');
}

/** At temperature 0 all but one probability is exactly zero: those bars would say nothing. */
function barsShown({ step }: TokenRow): readonly Alternative[] {
  return step.top.filter(({ probability, token }) => probability > 0 || token === step.token);
}

function barsOf(context: WritingContext, row: TokenRow): TemplateResult {
  const { selection: { position }, writer, onTake, kindWords, t } = context;
  const shown = barsShown(row);
  const bars = shown.map(({ token, text, probability, kept }) => {
    const isTaken = token === row.step.token;
    const words = [shownPiece(text), kept ? '' : t('decoder.bars.word.cut'), isTaken ? t('decoder.bars.word.taken') : ''];
    return { label: html`<span class=${kept ? 'kept' : 'cut'}>${shownPiece(text)}</span>`, name: words.filter(Boolean).join(', '), value: probability, isMuted: !kept, isChosen: isTaken };
  });
  const isRunning = writer.activity === 'running';
  return barsView({
    ...{ name: t('decoder.bars.one', { position }), bars, kindWords, dataName: 'probability' },
    ...(isRunning ? {} : { onChoose: (index: number) => onTake(position, shown[index]!.token) }),
  });
}

/** Which tokens could have stood at the chosen place, and what was read to decide it. */
export function placeView(context: WritingContext, attention: unknown): TemplateResult {
  const { writer: { rows, sampling, activity }, selection: { position }, t, parts } = context;
  const row = rows[position]!;
  const token = quoted(row.piece);
  if (position === 0) return html`<section class="place"><p>${t('decoder.first')}</p></section>`;
  const isListed = row.step.top.some(({ token: each }) => each === row.step.token);
  const cut = cutWords(sampling!);
  const taken = isListed
    ? parts('decoder.bars.taken', { token })
    : parts('decoder.bars.elsewhere', { token, count: row.step.top.length, value: formatNumber(row.step.logProbability) });
  return html`<section class="place">
    <h3>${parts('decoder.step', { position, token })}</h3>
    <div class="place-columns">
      <div class="alternatives">
        <p class="beside-title">${t('decoder.bars')}</p>
        ${barsOf(context, row)}
        <p>${taken}</p>
        <p class="quiet">${sampling!.temperature === 0 ? t('decoder.bars.greedy') : t('decoder.bars.settings', { temperature: sampling!.temperature })}
          ${cut === '' ? nothing : t('decoder.bars.cut', { how: cut })} ${activity === 'running' ? nothing : t('decoder.bars.hint')}</p>
      </div>
      <div class="looked">${attention}</div>
    </div>
  </section>`;
}
