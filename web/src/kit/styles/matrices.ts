// SPDX-License-Identifier: MIT
// Matrices, vectors and token strips: the same cells everywhere.
import { css } from 'lit';

export const matrices = css`
  math {
    font-family: 'Lookback Math', math;
    font-size: 1.0625em;
  }
  math .bold {
    font-weight: 700;
  }
  .formula {
    overflow-x: auto;
    overflow-y: hidden;
    padding-block: 0.25rem;
    font-size: 1.0625rem;
  }
  .matrix {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    max-width: 100%;
    overflow-x: auto;
    padding: 3px;
    margin: -3px;
  }
  .symbol {
    white-space: nowrap;
  }
  .grid {
    border-spacing: 2px;
    border-collapse: separate;
  }
  .grid th {
    font-weight: 400;
    color: var(--quiet);
    font-size: 0.875em;
    padding: 0 0.3em;
    white-space: nowrap;
  }
  .grid th[scope='row'] {
    text-align: end;
  }
  .grid th[scope='colgroup'] {
    padding-block-end: 0.25rem;
    color: var(--ink);
  }
  .grid [data-start] {
    border-inline-start: 0.625rem solid transparent;
    background-clip: padding-box;
  }
  .cell,
  .token {
    --turn: var(--turn-positive);
    --full: var(--scale-positive);
    background-color: color-mix(in oklab, var(--full) calc(var(--v, 0) * 100%), var(--scale-zero));
    color: color-mix(in srgb, var(--high-digits) clamp(0%, (var(--v, 0) - var(--turn)) * 100000%, 100%), var(--low-digits));
  }
  .cell[data-sign='-'] {
    --turn: var(--turn-negative);
    --full: var(--scale-negative);
  }
  .cell {
    min-width: 3.25em;
    height: 1.75em;
    padding: 0 0.3em;
    text-align: end;
    font-size: 0.875em;
    box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 9%, transparent);
  }
  [data-kind='zero'].cell {
    box-shadow: none;
    color: var(--quiet);
  }
  [data-kind='masked']:is(.cell, .token),
  [data-kind='masked'] .bar-track {
    background: repeating-linear-gradient(-45deg, transparent 0 4px, color-mix(in srgb, var(--ink) 16%, transparent) 4px 5px);
    color: var(--quiet);
  }
  [data-kind='nan']:is(.cell, .token),
  [data-kind='nan'] .bar-number {
    background: none;
    color: var(--alarm);
    font-weight: 700;
    box-shadow: inset 0 0 0 2px var(--alarm);
  }
  .grid[data-choosable] tr[data-row] {
    cursor: pointer;
  }
  .grid tr[data-chosen] > .cell {
    box-shadow: inset 0 0 0 1.5px var(--ink);
  }
  .grid tr[data-chosen] > th {
    color: var(--ink);
    font-weight: 600;
  }
  .cell:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .number {
    box-sizing: border-box;
    width: 4em;
    height: 2em;
    padding: 0 0.35em;
    border: 0;
    border-block-end: 1.5px solid color-mix(in srgb, var(--accent) 55%, transparent);
    border-radius: 0;
    background: var(--field);
    color: var(--ink);
    font: inherit;
    font-size: 0.875em;
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  .number[aria-invalid='true'] {
    border-color: var(--alarm);
    color: var(--alarm);
  }
  .number:focus {
    outline: 2px solid var(--accent);
    outline-offset: 0;
  }
  .tail {
    padding-inline-start: 0.5rem;
  }
  .tokens {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }
  .token {
    display: inline-grid;
    justify-items: center;
    padding: 0.1875rem 0.5625rem;
    box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 9%, transparent);
  }
  .token[data-cell] {
    cursor: pointer;
  }
  .token[data-chosen] {
    outline: 2px solid var(--ink);
    outline-offset: 0;
  }
  .token[data-cell]:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .token-text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .token-number {
    font-size: 0.75em;
  }
  @media (forced-colors: active) {
    .cell,
    .token {
      border: 1px solid CanvasText;
    }
    [data-kind='masked'].cell {
      border-style: dashed;
    }
    .grid [data-start] {
      border-inline-start-color: Canvas;
    }
    .token[data-chosen],
    .grid tr[data-chosen] > .cell {
      border-color: Highlight;
    }
  }
`;
