// SPDX-License-Identifier: MIT
// The English catalogue: complete, always loaded, and what a missing text falls back to.
import { additive } from './additive.js';
import { decoder } from './decoder.js';
import { kit } from './kit.js';
import { selfAttention } from './self_attention.js';
import { training } from './training.js';

export const en = { ...kit, ...additive, ...decoder, ...selfAttention, ...training };

export type MessageKey = keyof typeof en;
export type Catalogue = Readonly<Partial<Record<MessageKey, string>>>;
