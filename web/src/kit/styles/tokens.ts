// SPDX-License-Identifier: MIT
// Colours, type and space of a figure. A page overrides any of them by --lookback-* on the element or above it.
import { css } from 'lit';

// Weights run from paper to one deep blue, in even steps of oklab; negative numbers run to orange. Both pairs keep apart for
// colour-blind readers, and --turn is the share at which black and white digits have the same contrast (at least 4.5).
export const tokens = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  :host([hidden]) {
    display: none;
  }
  .figure {
    --paper: var(--lookback-paper, #fdfdfc);
    --ink: var(--lookback-ink, #1c1e21);
    --quiet: var(--lookback-quiet, #585e66);
    --line: var(--lookback-line, #dcdedb);
    --field: var(--lookback-field, #f3f4f2);
    --accent: var(--lookback-accent, #1c5aa6);
    --alarm: var(--lookback-alarm, #a3231b);
    --scale-positive: var(--lookback-scale-positive, #123f78);
    --scale-negative: var(--lookback-scale-negative, #8a3a0c);
    --scale-zero: var(--lookback-scale-zero, var(--paper));
    --turn-positive: var(--lookback-turn-positive, 0.69);
    --turn-negative: var(--lookback-turn-negative, 0.775);
    --low-digits: #000;
    --high-digits: #fff;
    --series-0: #123f78;
    --series-1: #b4530f;
    --series-2: #5d7f1e;
    --series-3: #8a4a9e;
    --series-4: #00777d;
    --series-5: #7a6a58;
    --sans: var(--lookback-sans, system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif);
    --text-size: var(--lookback-text-size, 0.9375rem);
    color-scheme: light;
  }
  .figure[data-theme='dark'] {
    --paper: var(--lookback-paper, #16181b);
    --ink: var(--lookback-ink, #e7e6e2);
    --quiet: var(--lookback-quiet, #a3a8ae);
    --line: var(--lookback-line, #353a40);
    --field: var(--lookback-field, #212428);
    --accent: var(--lookback-accent, #8fbdf2);
    --alarm: var(--lookback-alarm, #ff9d92);
    --scale-positive: var(--lookback-scale-positive, #a9d0ff);
    --scale-negative: var(--lookback-scale-negative, #f6b37c);
    --turn-positive: var(--lookback-turn-positive, 0.555);
    --turn-negative: var(--lookback-turn-negative, 0.59);
    --low-digits: #fff;
    --high-digits: #000;
    --series-0: #a9d0ff;
    --series-1: #f6b37c;
    --series-2: #b9d67d;
    --series-3: #dcaeea;
    --series-4: #6fd3d6;
    --series-5: #cbbda9;
    color-scheme: dark;
  }
`;
