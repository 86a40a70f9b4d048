// SPDX-License-Identifier: MIT
// Layout of lookback-additive, shared by figures that go step by step.
import { css } from 'lit';

export const additiveStyles = css`
  .input-matrices {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 1rem 1.5rem;
    margin-block-end: 1rem;
  }
  .step {
    margin-block-start: 1.75rem;
  }
  .step h3 {
    margin: 0;
    font: inherit;
    font-weight: 600;
  }
  .step-number {
    color: var(--accent);
    margin-inline-end: 0.25em;
  }
  .step-columns {
    display: grid;
    gap: 1rem 2.5rem;
    margin-block-start: 0.5rem;
  }
  .step-main {
    min-width: 0;
    display: grid;
    gap: 0.625rem;
    justify-items: start;
    align-content: start;
  }
  .step-main > .bars,
  .step-main > .curve {
    width: 100%;
    max-width: 34rem;
  }
  .step-beside {
    min-width: 0;
  }
  .beside-title {
    margin-block-end: 0.5rem;
    color: var(--quiet);
  }
  /* As high as the curve that will stand there. */
  .curve-room {
    min-height: 14.5rem;
  }
  .plane-holder {
    margin-block-start: 1rem;
  }
  .numbers {
    max-width: none;
    overflow-wrap: anywhere;
  }
  .verdict {
    margin-block-start: 1.75rem;
    font-size: 1.0625rem;
  }
  @container (min-width: 44rem) {
    .step-columns {
      grid-template-columns: minmax(0, 1fr) 15rem;
    }
    .step-beside {
      border-inline-start: 1px solid var(--line);
      padding-inline-start: 1.5rem;
    }
  }
  @container (max-width: 26rem) {
    .cell {
      min-width: 2.9em;
      padding-inline: 0.2em;
    }
  }
`;
