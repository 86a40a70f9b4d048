// SPDX-License-Identifier: MIT
// Layout of lookback-self-attention.
import { css } from 'lit';

export const selfAttentionStyles = css`
  .sentence {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
    margin-block-end: 0.75rem;
  }
  .sentence-field {
    flex: 1 1 18rem;
  }
  .text {
    flex: 1;
    min-width: 0;
    height: 2.25rem;
    padding: 0 0.5rem;
    border: 0;
    border-block-end: 1.5px solid color-mix(in srgb, var(--accent) 55%, transparent);
    background: var(--field);
    color: var(--ink);
    font: inherit;
  }
  .examples {
    display: inline-flex;
    gap: 0.75rem;
  }
  .readings {
    display: grid;
    gap: 0.75rem;
    margin-block: 1.5rem 1.25rem;
  }
  .reading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
  }
  .reading-name {
    min-width: 6rem;
    color: var(--quiet);
  }
  .stepper {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 1rem;
    border-block-start: 1px solid var(--line);
    padding-block: 0.5rem;
  }
  .stepper-buttons {
    display: inline-flex;
    gap: 0.25rem;
  }
  @container (max-width: 30rem) {
    .stepper-buttons {
      display: none;
    }
    .stepper .segments {
      column-gap: 0.75rem;
    }
  }
  .step-view {
    display: grid;
    gap: 0.75rem;
    justify-items: start;
    min-height: 14rem;
    align-content: start;
  }
  .step-view > * {
    max-width: 100%;
  }
  .projections,
  .squares {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 1.25rem 2.5rem;
    max-width: 100%;
  }
  .projections {
    column-gap: 1.5rem;
  }
  .projection {
    display: grid;
    justify-items: start;
    gap: 0.375rem;
    min-width: 0;
  }
  .lines {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .shuffle {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
    margin-block-start: 1.25rem;
  }
  .shuffle p {
    flex: 1 1 20rem;
  }
`;
