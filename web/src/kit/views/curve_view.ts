// SPDX-License-Identifier: MIT
// A small line chart with several series; pointer or arrow keys read the numbers at one place.
import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { html, nothing, svg, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { formatNumber } from '../number_text.js';

export interface Series {
  name: string;
  symbol: unknown;
  /** As long as `x`; NaN leaves a gap. */
  values: readonly number[];
}

export interface CurveOptions {
  name: string;
  title: unknown;
  x: readonly number[];
  /** Symbol in front of the place's number: "τ". */
  xName: string;
  xLabel: unknown;
  series: readonly Series[];
  /** Default: 0 to 1. */
  yRange?: readonly [number, number];
  isLogX?: boolean;
  /** Where the figure stands now: read when nothing else is pointed at. */
  mark: number;
}

type Scale = ((value: number) => number) & { ticks(count?: number): number[] };

const kHeight = 180;
const margin = { top: 10, right: 10, bottom: 22, left: 34 };
/** Shown until the width is known. */
const kFirstWidth = 480;

export class CurveView implements ReactiveController {
  #width = kFirstWidth;
  #pointed: number | undefined;
  #observer: ResizeObserver | undefined;
  #observed: Element | null = null;

  constructor(private readonly host: ReactiveControllerHost & { renderRoot: ParentNode }) {
    host.addController(this);
  }

  hostUpdated(): void {
    const holder = this.host.renderRoot.querySelector('.curve');
    if (holder === this.#observed) return;
    this.hostDisconnected();
    if (!holder) return;
    this.#observed = holder;
    this.#observer = new ResizeObserver(([entry]) => requestAnimationFrame(() => this.#resize(entry!.contentRect.width)));
    this.#observer.observe(holder);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#observed = null;
  }

  #resize(width: number): void {
    if (width === 0 || Math.abs(width - this.#width) < 1) return;
    this.#width = width;
    this.host.requestUpdate();
  }

  #point(index: number | undefined): void {
    if (index === this.#pointed) return;
    this.#pointed = index;
    this.host.requestUpdate();
  }

  render(options: CurveOptions): TemplateResult {
    const { x, series, yRange = [0, 1] } = options;
    const domain = [x[0]!, x.at(-1)!];
    const right = this.#width - margin.right;
    const xScale = (options.isLogX ? scaleLog(domain, [margin.left, right]) : scaleLinear(domain, [margin.left, right])) as Scale;
    const yScale = scaleLinear(yRange, [kHeight - margin.bottom, margin.top]) as Scale;
    const at = Math.min(this.#pointed ?? nearest(x, options.mark), x.length - 1);
    return html`<div class="curve">
      <p class="curve-title">${options.title}</p>
      <svg width=${this.#width} height=${kHeight} viewBox="0 0 ${this.#width} ${kHeight}" role="img" aria-label=${options.name} tabindex="0"
        @pointermove=${(event: PointerEvent) => this.#point(this.#indexAt(event, x, xScale))} @pointerleave=${() => this.#point(undefined)}
        @blur=${() => this.#point(undefined)} @keydown=${(event: KeyboardEvent) => this.#press(event, at, x.length)}>
        ${axes(xScale, yScale, this.#width, options.isLogX)}
        ${series.map(({ values }, index) => svg`<path class="series" data-series=${index} d=${path(x, values, xScale, yScale)}></path>`)}
        <line class="crosshair" x1=${xScale(x[at]!)} x2=${xScale(x[at]!)} y1=${margin.top} y2=${kHeight - margin.bottom}></line>
        ${series.map(({ values }, index) => (Number.isFinite(values[at]) ? svg`<circle class="dot" data-series=${index} r="3.5" cx=${xScale(x[at]!)} cy=${yScale(values[at]!)}></circle>` : nothing))}
      </svg>
      <p class="curve-legend"><span class="curve-x">${options.xLabel} ${options.xName} = ${formatNumber(x[at]!, Number.isInteger(x[at]) && !options.isLogX ? 0 : 2)}</span>${series.map(
        ({ symbol, values }, index) => html`<span class="curve-key"><span class="swatch" data-series=${index}></span>${symbol} = ${formatNumber(values[at]!)}</span>`,
      )}</p>
    </div>`;
  }

  #indexAt(event: PointerEvent, x: readonly number[], xScale: Scale): number {
    const offset = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
    return nearest(x.map(xScale), offset);
  }

  #press(event: KeyboardEvent, at: number, count: number): void {
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#point(Math.min(count - 1, Math.max(0, target)));
  }
}

function nearest(places: readonly number[], target: number): number {
  return places.reduce((best, place, index) => (Math.abs(place - target) < Math.abs(places[best]! - target) ? index : best), 0);
}

function path(x: readonly number[], values: readonly number[], xScale: Scale, yScale: Scale): string {
  const draw = line<number>()
    .defined((value) => Number.isFinite(value))
    .x((_, index) => xScale(x[index]!))
    .y((value) => yScale(value));
  return draw([...values]) ?? '';
}

function axes(xScale: Scale, yScale: Scale, width: number, isLogX = false): unknown {
  const bottom = kHeight - margin.bottom;
  const xTicks = isLogX ? xScale.ticks().filter((tick) => /^[125]/.test(tick.toExponential())) : xScale.ticks(6);
  return svg`
    ${yScale.ticks(3).map((tick) => svg`<line class="gridline" x1=${margin.left} x2=${width - margin.right} y1=${yScale(tick)} y2=${yScale(tick)}></line>
      <text class="tick" text-anchor="end" x=${margin.left - 6} y=${yScale(tick) + 4}>${tick}</text>`)}
    ${xTicks.map((tick) => svg`<text class="tick" text-anchor="middle" x=${xScale(tick)} y=${bottom + 16}>${tick}</text>`)}`;
}
