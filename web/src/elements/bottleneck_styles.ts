// SPDX-License-Identifier: MIT
// Layout of lookback-bottleneck.
import { css } from 'lit';

export const bottleneckStyles = css`
  .reach {
    display: grid;
    gap: 0.75rem;
    margin-block-start: 1rem;
    border-block-start: 1px solid var(--line);
    padding-block-start: 1rem;
  }
  .stored-table {
    width: max-content;
    max-width: 100%;
    border-collapse: collapse;
  }
  .stored-table caption {
    padding-block-end: 0.375rem;
    text-align: start;
  }
  .stored-table th {
    padding: 0.125rem 0.75rem 0.125rem 0;
    font-weight: 400;
    text-align: start;
  }
  .stored-number {
    padding-inline-end: 0.5rem;
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  [data-attention] > th {
    font-weight: 600;
  }
  .stored {
    width: clamp(4rem, 18cqi, 11rem);
    height: 0.75rem;
    border: 0;
    background: none;
    vertical-align: middle;
    appearance: none;
  }
  .stored::-webkit-meter-bar {
    border: 0;
    border-radius: 0;
    background: var(--field);
  }
  .stored::-webkit-meter-optimum-value {
    border-radius: 0;
    background: var(--series-0);
  }
  .stored::-moz-meter-bar {
    background: var(--series-0);
  }
  .piece {
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.05em;
  }
  .published {
    margin-block-start: 1rem;
  }
  .published summary {
    width: max-content;
    max-width: 100%;
    color: var(--accent);
    cursor: pointer;
  }
  .published table {
    display: block;
    margin-block: 0.75rem;
    overflow-x: auto;
  }
`;
