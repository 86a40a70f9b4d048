// SPDX-License-Identifier: MIT
// Vectors of two numbers as arrows and points in a plane.
import { scaleLinear } from 'd3-scale';
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber } from '../number_text.js';

export interface PlaneVector {
  /** "h" with index "1"; a vector without index has ''. */
  symbol: string;
  index: string;
  value: readonly [number, number];
  kind: 'arrow' | 'query' | 'point' | 'ring';
  /** Drawn pale: masked. */
  isMuted?: boolean;
}

const kSize = 240;
const kMargin = 18;
/** Smallest half-width of the plane, so that short vectors don't fill it. */
const kLeastRange = 1.2;

function rangeOf(vectors: readonly PlaneVector[]): number {
  const largest = vectors.flatMap(({ value }) => value).reduce((most, part) => Math.max(most, Math.abs(part)), 0);
  return Math.max(kLeastRange, largest * 1.15);
}

type Place = (value: readonly [number, number]) => [number, number];

function label({ symbol, index, kind }: PlaneVector, [x, y]: [number, number], [originX, originY]: [number, number]): SVGTemplateResult {
  const side = x >= originX ? 8 : -8;
  // A query often points where a key points: its label stands on the other side of the line.
  const above = kind === 'query' ? 17 : -7;
  const shift = Math.abs(y - originY) < 4 ? above : y < originY ? -3 : 11;
  return svg`<text class="plane-label" x=${x + side} y=${y + shift} text-anchor=${side > 0 ? 'start' : 'end'}>${symbol}<tspan dy="3" font-size="9">${index}</tspan></text>`;
}

function mark(vector: PlaneVector, place: Place): SVGTemplateResult {
  const origin = place([0, 0]);
  const end = place(vector.value);
  const isArrow = vector.kind === 'arrow' || vector.kind === 'query';
  const radius = vector.kind === 'point' || vector.kind === 'ring' ? 5 : 3;
  return svg`<g class="plane-vector" data-vector=${vector.kind} ?data-muted=${vector.isMuted}>
    ${isArrow ? svg`<line x1=${origin[0]} y1=${origin[1]} x2=${end[0]} y2=${end[1]}></line>` : ''}
    <circle cx=${end[0]} cy=${end[1]} r=${radius}></circle>
    ${label(vector, end, origin)}
  </g>`;
}

export function planeView(name: string, vectors: readonly PlaneVector[]): TemplateResult {
  const range = rangeOf(vectors);
  const across = scaleLinear([-range, range], [kMargin, kSize - kMargin]);
  const place: Place = ([x, y]) => [across(x), kSize - across(y)];
  const [middle] = place([0, 0]);
  const said = vectors.map(({ symbol, index, value }) => `${symbol}${index} (${value.map((part) => formatNumber(part)).join(', ')})`).join('; ');
  const units = across.ticks(4).filter((tick) => Number.isInteger(tick) && tick !== 0);
  return html`<svg class="plane" width=${kSize} height=${kSize} viewBox="0 0 ${kSize} ${kSize}" role="img" aria-label="${name}: ${said}">
    <line class="gridline" x1=${kMargin} x2=${kSize - kMargin} y1=${middle} y2=${middle}></line>
    <line class="gridline" y1=${kMargin} y2=${kSize - kMargin} x1=${middle} x2=${middle}></line>
    ${units.map((tick) => svg`<line class="gridline" x1=${across(tick)} x2=${across(tick)} y1=${middle - 3} y2=${middle + 3}></line>
      <line class="gridline" y1=${across(-tick)} y2=${across(-tick)} x1=${middle - 3} x2=${middle + 3}></line>
      <text class="tick" text-anchor="middle" x=${across(tick)} y=${middle + 15}>${tick}</text>`)}
    ${vectors.map((vector) => mark(vector, place))}
  </svg>`;
}
