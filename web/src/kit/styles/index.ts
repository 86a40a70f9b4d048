// SPDX-License-Identifier: MIT
// All styles of the kit, as constructed style sheets shared by every figure.
import type { CSSResultGroup } from 'lit';
import { controls } from './controls.js';
import { frame } from './frame.js';
import { matrices } from './matrices.js';
import { tokens } from './tokens.js';

export const figureStyles: CSSResultGroup[] = [tokens, frame, matrices, controls];
