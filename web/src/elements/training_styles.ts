// SPDX-License-Identifier: MIT
// Layout of figures that train.
import { css } from 'lit';

export const trainingStyles = css`
  .body:not(:has(.report)) ~ .tools {
    display: none;
  }
  .controls + .controls {
    margin-block-start: 0.5rem;
  }
  .run {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    margin-block: 0.75rem 0.5rem;
  }
  .run-files {
    display: inline-flex;
    gap: 0.5rem;
    margin-inline-start: auto;
  }
  .file-button {
    position: relative;
    display: inline-flex;
    align-items: center;
  }
  .file-button:focus-within {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .course {
    display: block;
    width: 100%;
    height: 0.25rem;
    margin-block: 0.5rem 0.25rem;
    border: 0;
    appearance: none;
    background: var(--line);
    accent-color: var(--accent);
  }
  .course::-webkit-progress-bar {
    background: var(--line);
  }
  .course::-webkit-progress-value {
    background: var(--accent);
  }
  .course::-moz-progress-bar {
    background: var(--accent);
  }
  .report {
    font-variant-numeric: tabular-nums;
  }
  .curves {
    display: grid;
    gap: 1rem 2rem;
    margin-block: 1rem;
  }
  @container (min-width: 40rem) {
    .curves {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
  }
  .curve-room {
    min-width: 0;
    min-height: 15rem;
  }
  .look {
    margin-block-start: 1.25rem;
    display: grid;
    gap: 0.75rem;
    justify-items: start;
  }
  .look > * {
    max-width: 100%;
  }
  .text {
    min-width: 0;
    height: 2.25rem;
    padding: 0 0.5rem;
    border: 0;
    border-block-end: 1.5px solid color-mix(in srgb, var(--accent) 55%, transparent);
    background: var(--field);
    color: var(--ink);
    font: inherit;
  }
  .output-line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
  }
  [data-mark='wrong'] {
    color: var(--alarm);
    text-decoration: underline wavy;
    text-underline-offset: 0.2em;
  }
  .alignment {
    overflow-x: auto;
  }
  @container (max-width: 28rem) {
    .alignment .symbol {
      display: none;
    }
    .alignment .cell {
      min-width: 2.1em;
      padding-inline: 0.1em;
      font-size: 0.75rem;
    }
  }
  .pairs {
    display: grid;
    gap: 0.5rem;
    margin-block: 0.75rem;
  }
  .pairs-field {
    display: grid;
    gap: 0.25rem;
    max-width: 34rem;
  }
  .pairs-field textarea {
    border: 1px solid var(--line);
    background: var(--field);
    color: var(--ink);
    font: inherit;
    font-size: 0.9375rem;
  }
`;
