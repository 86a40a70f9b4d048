// SPDX-License-Identifier: MIT
// Layout of lookback-decoder.
import { css } from 'lit';

export const decoderStyles = css`
  .body:not(:has(.story)) ~ .tools {
    display: none;
  }
  h3 {
    margin: 0 0 0.5rem;
    font: inherit;
    font-weight: 600;
  }
  .drop-zone {
    margin-block: 1rem 0.75rem;
    padding: 0.875rem 1rem 1rem;
    border: 1px dashed var(--line);
  }
  .drop-zone[data-over] {
    border-color: var(--accent);
    background: var(--field);
  }
  .drop-line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
    margin-block-end: 0.75rem;
  }
  .file-button {
    position: relative;
    display: inline-flex;
    align-items: center;
    border-color: var(--accent);
  }
  .file-button:focus-within {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .formats {
    margin: 0.125rem 0 0.5rem;
    padding-inline-start: 1.25rem;
  }
  summary {
    width: max-content;
    max-width: 100%;
    color: var(--accent);
    cursor: pointer;
  }
  .by-url form {
    display: grid;
    justify-items: start;
    gap: 0.5rem;
    margin-block-start: 0.625rem;
    max-width: 34rem;
  }
  .url-field,
  .prompt {
    display: grid;
    gap: 0.125rem;
    width: 100%;
  }
  .text,
  .prompt textarea {
    box-sizing: border-box;
    width: 100%;
    min-height: 2rem;
    padding: 0.25rem 0.5rem;
    border: 0;
    border-block-end: 1.5px solid color-mix(in srgb, var(--accent) 55%, transparent);
    background: var(--field);
    color: var(--ink);
    font: inherit;
  }
  .prompt textarea {
    resize: vertical;
  }
  .loading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.875rem;
    margin-block-start: 1rem;
  }
  .loading progress {
    width: 14rem;
    max-width: 100%;
    height: 0.5rem;
    accent-color: var(--accent);
  }
  .facts .model-name {
    font-weight: 600;
  }
  .model-name .quiet {
    font-weight: 400;
  }
  .facts dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    margin: 0.25rem 0;
  }
  .facts dl > div {
    display: flex;
    gap: 0.4em;
  }
  .facts dt {
    color: var(--quiet);
  }
  .facts dd {
    margin: 0;
  }
  .another {
    margin-block: 0.5rem 1.5rem;
  }
  .loading + .prompt {
    margin-block-start: 1rem;
  }
  .settings {
    margin-block: 0.875rem;
  }
  .button.main {
    border-color: var(--accent);
    font-weight: 600;
    min-width: 7rem;
  }
  .story {
    margin-block: 1.5rem 1.25rem;
    font-size: 1.0625rem;
    line-height: 1.6;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .story .given {
    color: var(--quiet);
  }
  .strip .tokens {
    gap: 0.375rem 0.1875rem;
  }
  .strip .token {
    padding: 0.0625rem 0.3125rem;
    border-block-end: 2px solid transparent;
  }
  .strip .token[data-mark='generated'] {
    border-block-end-color: var(--ink);
  }
  .strip .token[data-mark='taken'] {
    border-block-end: 4px double var(--ink);
  }
  .strip:not([data-numbers]) .token-number {
    display: none;
  }
  .legend {
    margin-block: 0.5rem 0.25rem;
  }
  .piece {
    padding: 0 0.25em;
    background: var(--field);
    color: var(--ink);
    font-weight: 400;
    white-space: pre-wrap;
  }
  .place,
  .whole-map {
    margin-block-start: 1.75rem;
  }
  .place-columns {
    display: grid;
    gap: 1.5rem 2.5rem;
  }
  .place-columns > div {
    min-width: 0;
    display: grid;
    gap: 0.5rem;
    align-content: start;
  }
  .beside-title {
    color: var(--quiet);
  }
  .bar[data-muted] {
    opacity: 1;
  }
  .bar[data-muted] .bar-fill {
    background: repeating-linear-gradient(-45deg, var(--quiet) 0 1px, transparent 1px 4px);
  }
  .bar .link-button:not(:hover) {
    text-decoration: none;
  }
  .bar .cut {
    text-decoration: line-through;
  }
  .bar[data-chosen] .bar-label::before {
    content: '▸ ';
  }
  .thumbs-holder {
    max-width: 100%;
    overflow-x: auto;
    padding: 3px;
    margin: -3px;
  }
  .thumbs,
  .map {
    display: block;
    image-rendering: pixelated;
    cursor: pointer;
    background: var(--field);
  }
  .map-holder {
    position: relative;
    max-width: 40rem;
    margin-block-start: 0.5rem;
  }
  .map-mark {
    position: absolute;
    inset-inline: -3px;
    top: calc(var(--row) / var(--rows) * 100%);
    height: max(3px, 100% / var(--rows));
    border: 1.5px solid var(--ink);
    box-sizing: border-box;
    pointer-events: none;
    forced-color-adjust: none;
  }
  .map {
    width: 100%;
    background: repeating-linear-gradient(-45deg, transparent 0 4px, color-mix(in srgb, var(--ink) 16%, transparent) 4px 5px);
    box-shadow: 0 0 0 1px var(--line);
  }
  .grid-map {
    margin-block-start: 0.5rem;
  }
  .grid-map .upright {
    writing-mode: vertical-rl;
  }
  .grid-map .grid th[scope='col'] {
    vertical-align: bottom;
    padding: 0.2em 0;
  }
  .grid-map[data-small] .grid {
    border-spacing: 1px;
  }
  .grid-map[data-small] .cell {
    min-width: 0;
    width: 0.9rem;
    height: 0.9rem;
    padding: 0;
    font-size: 0;
  }
  .grid-map[data-small] .grid th {
    font-size: 0.6875rem;
    line-height: 1;
  }
  @container (min-width: 44rem) {
    .place-columns {
      grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    }
  }
`;
