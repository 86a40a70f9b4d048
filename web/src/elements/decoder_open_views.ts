// SPDX-License-Identifier: MIT
// How a model comes into lookback-decoder: picker, drop zone, addresses, progress; and what was opened.
import { html, nothing, type TemplateResult } from 'lit';
import type { Decoder, Progress } from '../engine/types.js';
import { button, type MessageKey } from '../kit/index.js';
import type { DecoderLoader } from './decoder_loader.js';
import type { Chosen } from './decoder_model.js';
import { isOwnModel, ownModelMegabytes } from './own_model.js';

export interface OpenContext {
  loader: DecoderLoader;
  isDraggedOver: boolean;
  onFiles: (files: readonly File[]) => void;
  onOwn: () => void;
  onUrls: (model: string, tokenizer: string) => void;
  onCancel: () => void;
  language: string;
  t: (key: MessageKey, values?: Record<string, unknown>) => string;
}

function bytesText(bytes: number, language: string): string {
  const isSmall = bytes < 1e6;
  const number = (bytes / (isSmall ? 1e3 : 1e6)).toLocaleString(language, { maximumFractionDigits: isSmall ? 0 : 1 });
  return `${number} ${isSmall ? 'kB' : 'MB'}`;
}

function picker({ t, onFiles }: OpenContext): TemplateResult {
  const take = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const files = [...(field.files ?? [])];
    // Emptied, so that the same file can be chosen again after an error.
    field.value = '';
    if (files.length > 0) onFiles(files);
  };
  return html`<label class="button file-button"><input type="file" multiple class="unseen" @change=${take} />${t('decoder.pick')}</label>`;
}

function byUrl({ t, onUrls }: OpenContext): TemplateResult {
  const load = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    onUrls(String(data.get('model')).trim(), String(data.get('tokenizer')).trim());
  };
  const field = (name: string, label: string): TemplateResult =>
    html`<label class="url-field"><span class="control-label">${label}</span><input class="text" type="text" inputmode="url" name=${name} spellcheck="false" autocomplete="off" placeholder="https://" /></label>`;
  return html`<details class="by-url">
    <summary>${t('decoder.byUrl')}</summary>
    <form @submit=${load}>
      ${field('model', t('decoder.url.model'))} ${field('tokenizer', t('decoder.url.tokenizer'))}
      <p class="quiet">${t('decoder.url.hint')}</p>
      <button class="button" type="submit">${t('decoder.url.load')}</button>
    </form>
  </details>`;
}

function waitingNote({ loader: { waiting, loading }, t }: OpenContext): unknown {
  if (loading) return nothing;
  if (waiting.tokenizer) return html`<p>${t('decoder.waiting', { tokenizer: waiting.tokenizer.name })}</p>`;
  if (waiting.model) return html`<p>${t('decoder.waiting.model', { model: waiting.model.name })}</p>`;
  return nothing;
}

function openers(context: OpenContext): TemplateResult {
  const { t, isDraggedOver, language, onOwn } = context;
  return html`<div class="drop-zone" ?data-over=${isDraggedOver}>
      <p class="drop-line">${picker(context)} <span>${isDraggedOver ? t('decoder.dropHere') : t('decoder.drop')}</span></p>
      <p class="quiet">${t('decoder.formats')}</p>
      <ul class="formats quiet"><li>${t('decoder.format.llama2c')}</li><li>${t('decoder.format.gguf')}</li></ul>
      <p class="quiet">${t('decoder.pick.hint')}</p>
      <p>${button(t('decoder.own', { size: bytesText(ownModelMegabytes * 1e6, language) }), onOwn)}</p>
      ${waitingNote(context)}
    </div>
    ${byUrl(context)}`;
}

function progressText({ phase, loaded, total }: Progress, { t, language }: OpenContext): string {
  if (phase === 'load') return t('decoder.loading.build');
  const read = bytesText(loaded, language);
  return total === undefined ? read : t('decoder.loading.of', { loaded: read, total: bytesText(total, language) });
}

export function progressView(context: OpenContext): unknown {
  const { loader, t, onCancel } = context;
  if (!loader.loading) return nothing;
  const { name, progress } = loader.loading;
  const label = t('decoder.loading', { name });
  const isMeasured = progress?.total !== undefined;
  return html`<div class="loading">
    <span>${label}</span>
    <progress aria-label=${label} max=${isMeasured ? progress.total! : nothing} value=${isMeasured ? progress.loaded : nothing}></progress>
    <span class="quiet">${progress ? progressText(progress, context) : nothing}</span>
    ${button(t('decoder.cancel'), onCancel)}
  </div>`;
}

/** Shown until there is a model. */
export function emptyView(context: OpenContext): TemplateResult {
  return html`<div class="empty-state">
    <p>${context.t('decoder.empty')}</p>
    ${openers(context)} ${progressView(context)}
  </div>`;
}

/** Under a model that is open: the same ways to open another. */
export function anotherView(context: OpenContext, isTokenizerMissing: boolean): TemplateResult {
  return html`<details class="another" ?open=${isTokenizerMissing || context.isDraggedOver}>
      <summary>${context.t('decoder.another')}</summary>
      ${openers(context)}
    </details>
    ${progressView(context)}`;
}

function fact(label: string, value: string | number, symbol?: TemplateResult): TemplateResult {
  return html`<div><dt>${label}${symbol ? html` ${symbol}` : nothing}</dt><dd>${value}</dd></div>`;
}

export function factsView(decoder: Decoder, chosen: Chosen, build: string, { t, language }: OpenContext): TemplateResult {
  const { info, backend, backendReason, mode } = decoder;
  const { model } = chosen;
  const origin = isOwnModel(chosen) ? t('decoder.facts.own') : t(typeof model?.source === 'string' ? 'decoder.facts.address' : 'decoder.facts.source', { name: model?.name });
  const count = (value: number): string => value.toLocaleString(language);
  const format = info.format === 'gguf' ? t('decoder.facts.gguf') : t('decoder.facts.llama2c');
  const runs = t(backend === 'wasm' ? 'decoder.backend.wasm' : 'decoder.backend.webgpu', { build, mode: t(mode === 'worker' ? 'decoder.mode.worker' : 'decoder.mode.slices') });
  return html`<div class="facts">
    <p class="model-name">${info.name || model?.name} <span class="quiet">${[info.architecture, format].filter(Boolean).join(', ')}</span></p>
    <dl>
      ${fact(t('decoder.facts.layers'), count(info.layers), tex`L`)} ${fact(t('decoder.facts.heads'), count(info.heads), tex`H`)}
      ${fact(t('decoder.facts.kvHeads'), count(info.kvHeads), tex`G`)} ${fact(t('decoder.facts.width'), count(info.width), tex`D`)}
      ${fact(t('decoder.facts.vocabulary'), count(info.vocabulary), tex`V`)} ${fact(t('decoder.facts.context'), count(info.context))}
      ${fact(t('decoder.facts.parameters'), count(info.parameters))} ${fact(t('decoder.facts.size'), bytesText(info.byteLength, language))}
    </dl>
    <p class="quiet">${origin} <span data-name="backend">${runs} ${backendReason}</span></p>
  </div>`;
}
