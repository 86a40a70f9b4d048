// SPDX-License-Identifier: MIT
// Writes a drawing as an SVG file that stands alone.
import type { Drawing, Shape } from './drawing.js';

const round = (value: number): string => String(Math.round(value * 100) / 100);

function escapeXml(text: string): string {
  // Control characters are not allowed in XML, not even escaped.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

function paint(fill: string | undefined, stroke: string | undefined, width = 1, dash?: string): string {
  const line = stroke ? ` stroke="${stroke}" stroke-width="${round(width)}"${dash ? ` stroke-dasharray="${escapeXml(dash)}"` : ''}` : '';
  return ` fill="${fill ?? 'none'}"${line}`;
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'rect':
      return `<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" rx="${round(shape.radius)}"${paint(shape.fill, shape.stroke)}/>`;
    case 'line':
      return `<polyline points="${shape.points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}"${paint(undefined, shape.stroke, shape.width, shape.dash)}/>`;
    case 'path':
      return `<path transform="translate(${round(shape.x)} ${round(shape.y)}) scale(${round(shape.scaleX)} ${round(shape.scaleY)})" d="${escapeXml(shape.d)}"${paint(shape.fill, shape.stroke, shape.width, shape.dash)}/>`;
    case 'image':
      // Pictures of weights are painted one pixel a cell.
      return `<image x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" preserveAspectRatio="none" image-rendering="pixelated" href="${shape.canvas.toDataURL()}"/>`;
    case 'text': {
      const style = `${shape.italic || shape.isVariable ? ' font-style="italic"' : ''}${shape.weight === '400' ? '' : ` font-weight="${shape.weight}"`}`;
      // Another font may stand in for ours: the width keeps its letters off their neighbours.
      const length = shape.width > 0 ? ` textLength="${round(shape.width)}" lengthAdjust="spacingAndGlyphs"` : '';
      return `<text x="${round(shape.x)}" y="${round(shape.y)}" font-size="${round(shape.size)}" font-family="${escapeXml(shape.family.replace(/math$/, 'serif'))}"${style} fill="${shape.fill}"${length} xml:space="preserve">${escapeXml(shape.text)}</text>`;
    }
  }
}

export function toSvg({ width, height, background, shapes }: Drawing): string {
  const size = `width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}"`;
  const ground = `<rect width="100%" height="100%" fill="${background}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${[ground, ...shapes.map(shapeText)].join('\n')}\n</svg>\n`;
}
