// SPDX-License-Identifier: MIT
// Controls, bars and curves.
import { css } from 'lit';

export const controls = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.625rem 1.75rem;
  }
  .control {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  .control-label {
    color: var(--quiet);
    padding: 0;
    float: inline-start;
  }
  .control .control-label math {
    color: var(--ink);
  }
  .slider input[type='range'] {
    width: 9rem;
    min-width: 5rem;
    accent-color: var(--accent);
  }
  input[type='checkbox'],
  input[type='radio'] {
    accent-color: var(--accent);
    margin: 0 0.25em 0 0;
  }
  .toggle {
    gap: 0.25rem;
  }
  .button,
  select {
    min-width: 2rem;
    min-height: 2rem;
    padding: 0 0.75rem;
    border: 1px solid var(--line);
    border-radius: 3px;
    background: var(--paper);
    color: var(--ink);
    font: inherit;
    cursor: pointer;
  }
  .button:hover:not(:disabled) {
    border-color: var(--accent);
  }
  .button:disabled {
    color: var(--quiet);
    opacity: 0.6;
    cursor: default;
  }
  .counter .button {
    padding: 0;
  }
  .counter output {
    min-width: 1ch;
    text-align: center;
  }
  .segmented {
    flex-wrap: wrap;
  }
  .segments {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0 1rem;
  }
  .segment {
    display: inline-flex;
    align-items: center;
    min-height: 2rem;
    cursor: pointer;
  }
  .segment input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
  }
  .segment span {
    border-block-end: 2px solid transparent;
    padding-block: 0.125rem;
    color: var(--quiet);
  }
  .segment input:checked + span {
    border-color: var(--accent);
    color: var(--ink);
  }
  .segment input:focus-visible + span {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .segment input:disabled + span {
    opacity: 0.5;
    cursor: default;
  }
  .bars {
    display: grid;
    grid-template-columns: max-content minmax(4rem, 1fr) max-content;
    gap: 0.25rem 0.625rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .bar {
    display: grid;
    grid-template-columns: subgrid;
    grid-column: 1 / -1;
    align-items: center;
    min-height: 1.75rem;
  }
  .bar-label {
    text-align: end;
  }
  .bar-track {
    height: 1.125rem;
    background: var(--field);
  }
  .bar-fill {
    display: block;
    height: 100%;
    width: calc(var(--v, 0) * 100%);
    background: color-mix(in oklab, var(--scale-positive) calc(35% + var(--v, 0) * 65%), var(--scale-zero));
  }
  .bar[data-muted] {
    opacity: 0.55;
  }
  .bar[data-chosen] .bar-label {
    font-weight: 600;
  }
  .bar-number {
    text-align: end;
  }
  .curve {
    min-width: 0;
    overflow: hidden;
  }
  .curve-title {
    margin-block-start: 0.5rem;
    color: var(--quiet);
  }
  .curve svg {
    display: block;
  }
  .series {
    fill: none;
    stroke-width: 1.75px;
  }
  .series[data-series='1'] {
    stroke-dasharray: 7 3;
  }
  .series[data-series='2'] {
    stroke-dasharray: 2 3;
  }
  .series[data-series='3'] {
    stroke-dasharray: 9 3 2 3;
  }
  .series[data-series='4'] {
    stroke-dasharray: 4 2;
  }
  .series[data-series='5'] {
    stroke-dasharray: 12 3;
  }
  .gridline,
  .crosshair {
    stroke: var(--line);
  }
  .crosshair {
    stroke: var(--quiet);
    stroke-dasharray: 2 2;
  }
  .plane {
    display: block;
    max-width: 100%;
  }
  .plane-vector line {
    stroke: var(--series-0);
    stroke-width: 1.75px;
  }
  .plane-vector circle {
    fill: var(--series-0);
  }
  .plane-vector[data-vector='query'] line {
    stroke: var(--ink);
    stroke-dasharray: 5 3;
  }
  .plane-vector[data-vector='query'] circle {
    fill: var(--ink);
  }
  .plane-vector[data-vector='point'] circle {
    fill: var(--series-1);
  }
  .plane-vector[data-vector='ring'] circle {
    fill: var(--paper);
    stroke: var(--series-1);
    stroke-width: 2px;
  }
  .plane-vector[data-muted] {
    opacity: 0.35;
  }
  .plane-label {
    fill: var(--ink);
    font:
      700 14px 'Lookback Math',
      serif;
  }
  .tick {
    fill: var(--quiet);
    font: 11px var(--sans);
  }
  .curve-legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.125rem 1.25rem;
    font-size: 0.875em;
  }
  .curve-x {
    color: var(--quiet);
  }
  .curve-key {
    display: inline-flex;
    align-items: center;
    gap: 0.3em;
  }
  .swatch {
    width: 0.75em;
    height: 0.75em;
    border-radius: 50%;
  }
  [data-series='0'] {
    --series: var(--series-0);
  }
  [data-series='1'] {
    --series: var(--series-1);
  }
  [data-series='2'] {
    --series: var(--series-2);
  }
  [data-series='3'] {
    --series: var(--series-3);
  }
  [data-series='4'] {
    --series: var(--series-4);
  }
  [data-series='5'] {
    --series: var(--series-5);
  }
  .series {
    stroke: var(--series);
  }
  .dot {
    fill: var(--series);
  }
  .swatch {
    background: var(--series);
  }
  @media (forced-colors: active) {
    .bar-fill {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .swatch {
      forced-color-adjust: none;
    }
    .segment input:checked + span {
      border-color: Highlight;
    }
  }
`;
