// SPDX-License-Identifier: MIT
// The frame of a figure: a hairline above and below, its alert, prediction form, tools and tables.
import { css } from 'lit';

export const frame = css`
  .figure {
    margin: 0;
    padding: 1.25rem 0 0.75rem;
    border-block: 1px solid var(--line);
    background: var(--paper);
    color: var(--ink);
    font: var(--text-size) / 1.5 var(--sans);
    font-variant-numeric: tabular-nums;
    text-align: start;
  }
  .body[data-outdated] .results {
    opacity: 0.45;
  }
  p {
    margin: 0;
    max-width: 68ch;
    text-wrap: pretty;
  }
  .quiet {
    color: var(--quiet);
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .alert > p {
    margin-block-end: 1rem;
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--alarm);
    color: var(--alarm);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .predict {
    margin-block: 1.25rem;
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--accent);
  }
  .predict fieldset {
    margin: 0 0 0.75rem;
    padding: 0;
    border: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
  }
  .predict legend {
    padding: 0;
    margin-block-end: 0.375rem;
  }
  .predict-lead {
    color: var(--quiet);
    margin-inline-end: 0.5em;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.25rem 1.5rem;
    margin-block-start: 1.25rem;
    color: var(--quiet);
    font-size: 0.8125rem;
  }
  .readout {
    min-height: 1.5em;
  }
  .tool-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    margin-inline-start: auto;
  }
  .link-button {
    padding: 0.125rem 0;
    border: 0;
    background: none;
    color: var(--accent);
    font: inherit;
    cursor: pointer;
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
    list-style: none;
  }
  .link-button::-webkit-details-marker {
    display: none;
  }
  .menu {
    position: relative;
  }
  .menu-items {
    position: absolute;
    z-index: 1;
    inset-inline-end: 0;
    display: grid;
    justify-items: start;
    gap: 0.25rem;
    padding: 0.625rem 0.875rem;
    border: 1px solid var(--line);
    background: var(--paper);
    white-space: nowrap;
  }
  .note {
    flex-basis: 100%;
    text-align: end;
  }
  .note:empty {
    display: none;
  }
  .note textarea {
    display: block;
    box-sizing: border-box;
    width: 100%;
    font: 0.8125rem/1.4 ui-monospace, Menlo, Consolas, monospace;
    background: var(--field);
    color: var(--ink);
    border: 1px solid var(--line);
  }
  .data-tables {
    display: flex;
    flex-wrap: wrap;
    gap: 1.25rem 2rem;
    margin-block-start: 0.75rem;
    padding-block-start: 0.75rem;
    border-block-start: 1px solid var(--line);
    overflow-x: auto;
    font-size: 0.8125rem;
  }
  .data-table {
    border-collapse: collapse;
  }
  .data-table caption {
    text-align: start;
    padding-block-end: 0.25rem;
  }
  .data-table th {
    font-weight: 400;
    color: var(--quiet);
    text-align: end;
    padding: 0.0625rem 0.375rem;
  }
  .data-table td {
    text-align: end;
    padding: 0.0625rem 0.375rem;
  }
  .figure[data-hide~='tools'] .tools,
  .figure[data-hide~='inputs'] .inputs {
    display: none;
  }
  @media print {
    .tools,
    .control {
      display: none;
    }
    .figure {
      break-inside: avoid;
      --paper: #fff;
      --ink: #000;
      --quiet: #444;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .cell,
    .bar-fill,
    .token {
      transition:
        background-color 180ms ease-out,
        color 180ms ease-out,
        inline-size 180ms ease-out;
    }
  }
`;
