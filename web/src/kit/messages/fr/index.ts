// SPDX-License-Identifier: MIT
// The French catalogue, loaded when a page is in French. A text that is missing here appears in English.
import type { Catalogue } from '../en/index.js';
import { additive } from './additive.js';
import { decoder } from './decoder.js';
import { kit } from './kit.js';
import { selfAttention } from './self_attention.js';
import { training } from './training.js';

export const catalogue: Catalogue = { ...kit, ...additive, ...decoder, ...selfAttention, ...training };
