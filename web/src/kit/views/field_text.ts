// SPDX-License-Identifier: MIT
// Shows a value in a text field without disturbing someone who is typing in it.
import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

class FieldText extends Directive {
  render(_text: string, _isRefused: boolean): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [text, isRefused]: [string, boolean]): typeof noChange {
    const field = part.element as HTMLInputElement;
    const isTyping = (field.getRootNode() as Document | ShadowRoot).activeElement === field;
    if (!isTyping && !isRefused && field.value !== text) field.value = text;
    return noChange;
  }
}

export const fieldText = directive(FieldText);
