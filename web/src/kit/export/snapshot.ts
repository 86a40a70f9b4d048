// SPDX-License-Identifier: MIT
// Reads what a figure shows, as it is laid out now, into a drawing: backgrounds, hairlines, text, and the paths of charts.
import type { Drawing, Shape } from './drawing.js';

/** Any CSS colour as #rrggbb, or undefined when nothing would be seen; files outside browsers know few colour forms. */
class ColorReader {
  readonly #context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  readonly #known = new Map<string, string | undefined>();

  read(color: string): string | undefined {
    if (!this.#known.has(color)) this.#known.set(color, this.#paint(color));
    return this.#known.get(color);
  }

  #paint(color: string): string | undefined {
    if (color === 'none') return undefined;
    this.#context.clearRect(0, 0, 1, 1);
    this.#context.fillStyle = color;
    this.#context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.#context.getImageData(0, 0, 1, 1).data;
    if (alpha === 0) return undefined;
    const hex = [red!, green!, blue!].map((part) => part.toString(16).padStart(2, '0')).join('');
    return `#${hex}${alpha === 255 ? '' : alpha!.toString(16).padStart(2, '0')}`;
  }
}

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Controls say nothing on paper, and hidden text is for the ear. */
const notShown = '[data-export="skip"], .unseen, .controls, .toggle';

class Snapshot {
  readonly shapes: Shape[] = [];
  readonly #colors = new ColorReader();
  readonly #left: number;
  readonly #top: number;

  constructor(origin: DOMRect) {
    this.#left = origin.left;
    this.#top = origin.top;
  }

  color(text: string): string | undefined {
    return this.#colors.read(text);
  }

  visit(element: Element): void {
    const style = getComputedStyle(element);
    if (element.matches(notShown) || style.display === 'none' || style.visibility === 'hidden') return;
    this.#box(element, style);
    if (element instanceof SVGGeometryElement) this.#geometry(element, style);
    if (element instanceof HTMLCanvasElement) this.shapes.push({ kind: 'image', ...this.#place(element.getBoundingClientRect()), canvas: element });
    if (element instanceof HTMLInputElement) this.#fieldText(element, style);
    for (const child of element.childNodes) {
      if (child instanceof Text) this.#text(child, style);
      else if (child instanceof Element) this.visit(child);
    }
    this.#mathLines(element, style);
  }

  #place(box: DOMRect): Place {
    return { x: box.left - this.#left, y: box.top - this.#top, width: box.width, height: box.height };
  }

  #box(element: Element, style: CSSStyleDeclaration): void {
    if (element instanceof SVGElement) return;
    const place = this.#place(element.getBoundingClientRect());
    if (place.width === 0 || place.height === 0) return;
    const fill = this.color(style.backgroundColor);
    const inset = style.backgroundClip === 'padding-box' ? parseFloat(style.borderLeftWidth) : 0;
    if (fill) this.shapes.push({ kind: 'rect', ...place, x: place.x + inset, width: place.width - inset, fill, radius: parseFloat(style.borderTopLeftRadius) || 0 });
    this.#borders(place, style);
  }

  #borders({ x, y, width, height }: Place, style: CSSStyleDeclaration): void {
    const right = x + width;
    const bottom = y + height;
    const sides = { Top: [x, y, right, y], Right: [right, y, right, bottom], Bottom: [x, bottom, right, bottom], Left: [x, y, x, bottom] } as const;
    for (const [side, [x1, y1, x2, y2]] of Object.entries(sides) as ['Top', readonly [number, number, number, number]][]) {
      const thickness = parseFloat(style[`border${side}Width`]);
      const stroke = this.color(style[`border${side}Color`]);
      if (thickness > 0 && stroke && style[`border${side}Style`] !== 'none') this.shapes.push({ kind: 'line', points: [[x1, y1], [x2, y2]], stroke, width: thickness });
    }
  }

  #geometry(element: SVGGeometryElement, style: CSSStyleDeclaration): void {
    const matrix = element.getScreenCTM();
    const d = pathData(element);
    if (!matrix || d === '') return;
    const dash = style.strokeDasharray === 'none' ? undefined : style.strokeDasharray;
    const paint = { fill: this.color(style.fill), stroke: this.color(style.stroke), width: parseFloat(style.strokeWidth) || 1, dash };
    this.shapes.push({ kind: 'path', d, x: matrix.e - this.#left, y: matrix.f - this.#top, scaleX: matrix.a, scaleY: matrix.d, ...paint });
  }

  #fieldText(field: HTMLInputElement, style: CSSStyleDeclaration): void {
    if (field.type !== 'text') return;
    const box = this.#place(field.getBoundingClientRect());
    this.#pushText(field.value, new DOMRect(box.x + parseFloat(style.paddingLeft), box.y, 0, box.height), style);
  }

  /** One shape for each line into which the browser broke the text. */
  #text(node: Text, style: CSSStyleDeclaration): void {
    const range = document.createRange();
    for (const part of node.data.matchAll(/\S+/g)) {
      range.setStart(node, part.index);
      range.setEnd(node, part.index + part[0].length);
      const box = this.#place(range.getBoundingClientRect());
      if (box.width > 0) this.#pushText(part[0], box, style, node.parentElement);
    }
  }

  #pushText(text: string, { x, y, width, height }: Place, style: CSSStyleDeclaration, parent: Element | null = null): void {
    const size = parseFloat(style.fontSize);
    const fill = this.color(parent instanceof SVGElement ? style.fill : style.color);
    // MathML slants a lone letter by itself, without saying so in its computed style.
    const isVariable = parent?.localName === 'mi' && text.length === 1 && parent.getAttribute('mathvariant') !== 'normal';
    const italic = style.fontStyle === 'italic';
    // The baseline of a line box of this font, near enough for a picture.
    const baseline = y + height / 2 + size * 0.35;
    if (fill) this.shapes.push({ kind: 'text', x, y: baseline, width, text, fill, size, family: style.fontFamily, weight: style.fontWeight, italic, isVariable });
  }

  /** The bars of fractions and roots are no text: they are drawn here. */
  #mathLines(element: Element, style: CSSStyleDeclaration): void {
    if (element.localName !== 'mfrac' && element.localName !== 'msqrt') return;
    const stroke = this.color(style.color);
    if (!stroke) return;
    const box = this.#place(element.getBoundingClientRect());
    if (element.localName === 'mfrac') {
      const above = this.#place(element.firstElementChild!.getBoundingClientRect());
      const below = this.#place(element.lastElementChild!.getBoundingClientRect());
      const y = (above.y + above.height + below.y) / 2;
      this.shapes.push({ kind: 'line', points: [[box.x, y], [box.x + box.width, y]], stroke, width: 1 });
      return;
    }
    const inside = this.#place(element.firstElementChild!.getBoundingClientRect());
    const bottom = box.y + box.height;
    const points: [number, number][] = [[box.x, box.y + box.height * 0.6], [(box.x + inside.x) / 2, bottom], [inside.x - 1, box.y + 1], [box.x + box.width, box.y + 1]];
    this.shapes.push({ kind: 'line', points, stroke, width: 1 });
  }
}

function pathData(element: SVGGeometryElement): string {
  const number = (name: string): number => parseFloat(element.getAttribute(name) ?? '0') || 0;
  switch (element.localName) {
    case 'path':
      return element.getAttribute('d') ?? '';
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'rect':
      return `M${number('x')} ${number('y')}h${number('width')}v${number('height')}h${-number('width')}z`;
    case 'circle': {
      const r = number('r');
      return `M${number('cx') - r} ${number('cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    }
    default:
      return '';
  }
}

/** Space around the picture, in CSS pixels. */
const kMargin = 16;

export function takeSnapshot(element: Element): Drawing {
  const box = element.getBoundingClientRect();
  const origin = new DOMRect(box.left - kMargin, box.top - kMargin, box.width + 2 * kMargin, box.height + 2 * kMargin);
  const snapshot = new Snapshot(origin);
  snapshot.visit(element);
  const figure = element.closest('.figure') ?? element;
  return { width: origin.width, height: origin.height, background: snapshot.color(getComputedStyle(figure).backgroundColor) ?? '#ffffff', shapes: snapshot.shapes };
}
