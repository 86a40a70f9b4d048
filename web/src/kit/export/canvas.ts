// SPDX-License-Identifier: MIT
// Paints a drawing on a canvas: an SVG image would need a blob or data URL, which strict pages refuse.
import type { Drawing, Shape } from './drawing.js';

/** Two device pixels for each CSS pixel, sharp enough for slides. */
const kScale = 2;

function tracePath(context: CanvasRenderingContext2D, shape: Extract<Shape, { kind: 'path' }>): Path2D {
  const path = new Path2D();
  path.addPath(new Path2D(shape.d), new DOMMatrix([shape.scaleX, 0, 0, shape.scaleY, shape.x, shape.y]));
  context.lineWidth = shape.width;
  return path;
}

function outline(context: CanvasRenderingContext2D, shape: Exclude<Shape, { kind: 'text' | 'image' }>): Path2D {
  if (shape.kind === 'path') return tracePath(context, shape);
  const path = new Path2D();
  if (shape.kind === 'rect') {
    path.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius);
    context.lineWidth = 1;
  } else {
    shape.points.forEach(([x, y], index) => (index === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
    context.lineWidth = shape.width;
  }
  return path;
}

/** The letter of the mathematical italic alphabet, which the font of formulas holds as MathML uses it. */
function slanted(letter: string): string {
  if (letter === 'h') return '\u210e';
  const code = letter.codePointAt(0)!;
  if (/[A-Z]/.test(letter)) return String.fromCodePoint(0x1d434 + code - 0x41);
  if (/[a-z]/.test(letter)) return String.fromCodePoint(0x1d44e + code - 0x61);
  return /[α-ω]/.test(letter) ? String.fromCodePoint(0x1d6fc + code - 0x3b1) : letter;
}

function paintShape(context: CanvasRenderingContext2D, shape: Shape): void {
  if (shape.kind === 'text') {
    context.font = `${shape.italic ? 'italic ' : ''}${shape.weight} ${shape.size}px ${shape.family}`;
    context.fillStyle = shape.fill;
    context.fillText(shape.isVariable ? slanted(shape.text) : shape.text, shape.x, shape.y);
    return;
  }
  if (shape.kind === 'image') {
    context.imageSmoothingEnabled = false;
    context.drawImage(shape.canvas, shape.x, shape.y, shape.width, shape.height);
    return;
  }
  const path = outline(context, shape);
  context.setLineDash('dash' in shape && shape.dash ? shape.dash.split(/[\s,]+/).map(parseFloat) : []);
  if (shape.kind !== 'line' && shape.fill) {
    context.fillStyle = shape.fill;
    context.fill(path);
  }
  if (shape.stroke) {
    context.strokeStyle = shape.stroke;
    context.stroke(path);
  }
}

export async function toPng({ width, height, background, shapes }: Drawing): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * kScale);
  canvas.height = Math.ceil(height * kScale);
  const context = canvas.getContext('2d')!;
  context.scale(kScale, kScale);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  shapes.forEach((shape) => paintShape(context, shape));
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas gave no image')))));
}
