// SPDX-License-Identifier: MIT
// Entry of `lookback/elements`: importing it registers every figure. Safe to import where there is no DOM.
export type { LookbackAdditive, LookbackDecoder, LookbackFigure, LookbackFigureEvents, LookbackSelfAttention } from './types.js';

if (typeof customElements !== 'undefined') {
  const { registerAll } = await import('./register.js');
  registerAll();
}
