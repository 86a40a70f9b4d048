// SPDX-License-Identifier: MIT
// tex`e_j = ...` is replaced by a Lit template holding MathML while building (tools/mathml.ts); no formula is set at run time.
import type { TemplateResult } from 'lit';

declare global {
  function tex(strings: TemplateStringsArray): TemplateResult;
}
