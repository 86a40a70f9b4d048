// SPDX-License-Identifier: MIT
// The French catalogue, loaded when a page is in French.
import type { Catalogue } from '../en/index.js';

export const catalogue: Catalogue = {};
