// SPDX-License-Identifier: MIT
// Sets custom properties through the style object; a style attribute would be refused by a strict content security policy.
import { noChange } from 'lit';
import { Directive, directive, PartType, type ElementPart, type PartInfo } from 'lit/directive.js';

class CssValues extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('cssValues belongs on an element: <td ${cssValues({...})}>');
  }

  render(_values: Readonly<Record<string, string | number>>): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [values]: [Readonly<Record<string, string | number>>]): typeof noChange {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(values)) style.setProperty(name, String(value));
    return noChange;
  }
}

export const cssValues = directive(CssValues);
