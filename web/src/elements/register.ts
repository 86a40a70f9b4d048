// SPDX-License-Identifier: MIT
// Registers every figure. The one list of tags.
import { AdditiveElement } from './additive.js';
import { BottleneckElement } from './bottleneck.js';
import { DecoderElement } from './decoder.js';
import { define } from './define.js';
import { ReversalElement } from './reversal.js';
import { SelfAttentionElement } from './self_attention.js';

export function registerAll(): void {
  define('lookback-additive', AdditiveElement);
  define('lookback-bottleneck', BottleneckElement);
  define('lookback-decoder', DecoderElement);
  define('lookback-reversal', ReversalElement);
  define('lookback-self-attention', SelfAttentionElement);
}
