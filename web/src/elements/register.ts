// SPDX-License-Identifier: MIT
// Registers every figure. The one list of tags.
import { AdditiveElement } from './additive.js';
import { define } from './define.js';
import { SelfAttentionElement } from './self_attention.js';

export function registerAll(): void {
  define('lookback-additive', AdditiveElement);
  define('lookback-self-attention', SelfAttentionElement);
}
