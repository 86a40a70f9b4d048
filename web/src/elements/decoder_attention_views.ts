// SPDX-License-Identifier: MIT
// Where a decoder looked: the chosen row in words, small maps of all heads to choose from, and the full map of one head.
import { html, nothing, type TemplateResult } from 'lit';
import { cssValues, fullNumber, matrixView, select } from '../kit/index.js';
import { cellAt } from './decoder_map.js';
import { shownPiece, weightsAt, type TokenRow } from './decoder_model.js';
import type { WritingContext } from './decoder_views.js';

/** Up to this many rows a map is a grid of cells, one tab stop and a name each; beyond it a picture. */
const kMostGridRows = 40;
/** Up to this many rows the cells hold digits. */
const kMostDigitRows = 12;

const arrows: Readonly<Record<string, readonly [number, number]>> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function choices(count: number): { value: string; label: string }[] {
  return Array.from({ length: count }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));
}

function rowWords(context: WritingContext): unknown {
  const { writer: { rows }, selection, parts, t } = context;
  const { position, layer, head } = selection;
  if (!weightsAt(rows, selection)) return t('decoder.attention.dropped');
  const piece = (row: TokenRow): TemplateResult => html`<span class="piece">${shownPiece(row.piece)}</span>`;
  const values = { position, token: piece(rows[position]!), last: piece(rows[position - 1]!), reader: position - 1, layer: layer + 1, head: head + 1 };
  return parts('decoder.attention.words', values);
}

function moveHead({ decoder: { info }, selection: { layer, head }, onEdit }: WritingContext, event: KeyboardEvent): void {
  const arrow = arrows[event.key];
  if (!arrow) return;
  event.preventDefault();
  const within = (value: number, count: number): number => Math.min(count, Math.max(1, value));
  onEdit({ layer: within(layer + 1 + arrow[0], info.layers), head: within(head + 1 + arrow[1], info.heads) });
}

function thumbs(context: WritingContext): TemplateResult {
  const { decoder: { info: { layers, heads } }, selection: { layer, head }, onEdit, t } = context;
  const choose = (event: MouseEvent): void => {
    const cell = cellAt(event, heads, layers);
    onEdit({ layer: cell.row + 1, head: cell.column + 1 });
  };
  const name = t('decoder.allHeads.name', { layers, heads, layer: layer + 1, head: head + 1 });
  return html`<div class="thumbs-holder"><canvas class="thumbs" role="img" tabindex="0" aria-label=${name} @click=${choose} @keydown=${(event: KeyboardEvent) => moveHead(context, event)}></canvas></div>
    <p class="quiet">${t('decoder.allHeads.hint')}</p>`;
}

/** Beside the bars: which head, and what its row says. */
export function headView(context: WritingContext): TemplateResult {
  const { decoder: { info }, selection: { layer, head }, onEdit, t } = context;
  return html`<p class="beside-title">${t('decoder.attention')}</p>
    <div class="controls">
      ${select(t('decoder.layer'), choices(info.layers), String(layer + 1), (value) => onEdit({ layer: Number(value) }))}
      ${select(t('decoder.head'), choices(info.heads), String(head + 1), (value) => onEdit({ head: Number(value) }))}
    </div>
    ${thumbs(context)}
    <p data-name="attention-words">${rowWords(context)}</p>`;
}

/** Reader i of the map is the token at position i; its row was computed to guess the token at i + 1. */
export function mapRows(rows: readonly TokenRow[], layer: number, head: number): number[][] {
  const side = rows.length - 1;
  return rows.slice(1).map(({ step }) => {
    const weights = step.attention?.[layer]?.[head];
    return Array.from({ length: side }, (_, column) => weights?.[column] ?? 0);
  });
}

function gridMap({ writer: { rows }, selection: { layer, head, position }, kindWords, onEdit, t }: WritingContext): TemplateResult {
  const pieces = rows.slice(0, -1).map(({ piece }) => shownPiece(piece));
  const labels = pieces.map((piece, index) => `${index} ${piece}`);
  const grid = matrixView({
    ...{ name: t('decoder.map.name', { layer: layer + 1, head: head + 1 }), rows: mapRows(rows, layer, head), scale: 'weight', digits: 2, dataName: 'map', kindWords },
    ...{ rowLabels: labels, rowHeads: pieces, columnLabels: labels, columnHeads: pieces.map((piece) => html`<span class="upright">${piece}</span>`) },
    ...{ chosenRow: position - 1, onChooseRow: (row) => onEdit({ position: row + 1 === rows.length - 1 ? -1 : row + 1 }), isMasked: (row, column) => column > row },
  });
  return html`<div class="grid-map" ?data-small=${pieces.length > kMostDigitRows}>${grid}</div>`;
}

function pictureMap(context: WritingContext): TemplateResult {
  const { writer: { rows }, selection: { layer, head, position }, onEdit, onReadout, t } = context;
  const side = rows.length - 1;
  const choose = (position: number): void => onEdit({ position: position >= side ? -1 : Math.max(1, position) });
  const point = (event: PointerEvent): void => {
    const { row, column } = cellAt(event, side, side);
    const weight = rows[row + 1]?.step.attention?.[layer]?.[head]?.[column];
    const [reader, token] = [row, column].map((index) => shownPiece(rows[index]!.piece));
    onReadout(t('decoder.map.cell', { reader: `${row} ${reader}`, token: `${column} ${token}`, weight: weight === undefined ? t('kit.masked') : fullNumber(weight) }));
  };
  const press = (event: KeyboardEvent): void => {
    const arrow = arrows[event.key];
    if (!arrow?.[0]) return;
    event.preventDefault();
    choose(position + arrow[0]);
  };
  const name = t('decoder.map.name', { layer: layer + 1, head: head + 1 });
  return html`<div class="map-holder"><canvas class="map" role="img" tabindex="0" aria-label=${name} data-rows=${side}
    @click=${(event: MouseEvent) => choose(cellAt(event, side, side).row + 1)} @pointermove=${point} @keydown=${press}></canvas>
    <span class="map-mark" ${cssValues({ '--row': position - 1, '--rows': side })}></span></div>`;
}

export function mapView(context: WritingContext): unknown {
  const { writer: { rows, activity }, selection: { layer, head }, t } = context;
  if (rows.length < 2) return nothing;
  const isGrid = activity !== 'running' && rows.length - 1 <= kMostGridRows;
  return html`<section class="whole-map">
    <h3>${t('decoder.map', { layer: layer + 1, head: head + 1 })}</h3>
    <p class="quiet">${t('decoder.map.words')}</p>
    ${isGrid ? gridMap(context) : pictureMap(context)}
  </section>`;
}
