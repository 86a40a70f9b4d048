// SPDX-License-Identifier: MIT
// Registers every figure. The one list of tags.
import { AdditiveElement } from './additive.js';
import { DecoderElement } from './decoder.js';
import { define } from './define.js';
import { SelfAttentionElement } from './self_attention.js';

export function registerAll(): void {
  define('lookback-additive', AdditiveElement);
  define('lookback-decoder', DecoderElement);
  define('lookback-self-attention', SelfAttentionElement);
}
