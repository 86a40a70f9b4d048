// SPDX-License-Identifier: MIT
// Attention of a whole text as pictures, one pixel a weight: the chosen head's map, and small maps of all heads side by side.
import type { DecoderInfo } from '../engine/types.js';
import type { Selection, TokenRow } from './decoder_model.js';

/** Steps of the colour scale. */
const kShades = 256;
/** Side of a small map, of one among many layers, and the space around it. */
const kThumb = 32;
const kSmallThumb = 16;
const kManyLayers = 10;
const kGap = 2;
/** More weights than this are too many to be drawn again for each token. */
const kMostLiveWeights = 500_000;

/** Colours from no weight to full weight, as the cells of the kit mix them. */
function paletteOf(figure: Element): Uint32Array {
  const style = getComputedStyle(figure);
  const full = style.getPropertyValue('--scale-positive');
  const zero = style.getPropertyValue('--scale-zero');
  const context = new OffscreenCanvas(kShades, 1).getContext('2d', { willReadFrequently: true })!;
  for (let shade = 0; shade < kShades; shade++) {
    context.fillStyle = zero;
    context.fillStyle = `color-mix(in oklab, ${full} ${(shade * 100) / (kShades - 1)}%, ${zero})`;
    context.fillRect(shade, 0, 1, 1);
  }
  return new Uint32Array(context.getImageData(0, 0, kShades, 1).data.buffer.slice(0));
}

export class MapPainter {
  #palette: Uint32Array | undefined;
  #theme: string | null = null;
  #pixels = new Uint32Array();

  /** Rows are tokens that read, columns tokens that were read; what lies in a row's future stays transparent. */
  paintMap(canvas: HTMLCanvasElement, figure: Element, rows: readonly TokenRow[], { layer, head }: Selection): void {
    const side = rows.length - 1;
    const pixels = this.#start(canvas, figure, side, side);
    for (let row = 0; row < side; row++) {
      const weights = rows[row + 1]!.step.attention?.[layer]?.[head];
      for (let column = 0; weights && column < weights.length; column++) this.#set(row * side + column, weights[column]!);
    }
    this.#finish(canvas, pixels);
  }

  /** One small map for each head, layers from top to bottom; the chosen one is framed. */
  paintThumbs(canvas: HTMLCanvasElement, figure: Element, rows: readonly TokenRow[], { layers, heads }: DecoderInfo, selection: Selection): void {
    const thumb = layers > kManyLayers ? kSmallThumb : kThumb;
    const pitch = thumb + kGap;
    const pixels = this.#start(canvas, figure, heads * pitch + kGap, layers * pitch + kGap);
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const start = (layer * pitch + kGap) * pixels.width + head * pitch + kGap;
        const largest = pool(rows, layer, head, thumb);
        for (let row = 0; row < thumb; row++) {
          for (let column = 0; column <= row; column++) this.#set(start + row * pixels.width + column, largest[row * thumb + column]!);
        }
      }
    }
    this.#finish(canvas, pixels);
    const context = canvas.getContext('2d')!;
    context.strokeStyle = getComputedStyle(figure).color;
    context.lineWidth = kGap;
    context.strokeRect(selection.head * pitch + kGap / 2, selection.layer * pitch + kGap / 2, pitch, pitch);
  }

  #start(canvas: HTMLCanvasElement, figure: Element, width: number, height: number): ImageData {
    const theme = figure.getAttribute('data-theme');
    if (!this.#palette || theme !== this.#theme) this.#palette = paletteOf(figure);
    this.#theme = theme;
    canvas.width = Math.max(1, width);
    canvas.height = Math.max(1, height);
    const pixels = new ImageData(canvas.width, canvas.height);
    this.#pixels = new Uint32Array(pixels.data.buffer);
    return pixels;
  }

  #set(index: number, weight: number): void {
    this.#pixels[index] = this.#palette![Math.round(Math.min(1, Math.max(0, weight)) * (kShades - 1))] ?? 0;
  }

  #finish(canvas: HTMLCanvasElement, pixels: ImageData): void {
    canvas.getContext('2d')!.putImageData(pixels, 0, 0);
  }
}

/** A head's map at another size: the largest weight of each block, or each weight on several pixels. */
function pool(rows: readonly TokenRow[], layer: number, head: number, thumb: number): Float32Array {
  const side = rows.length - 1;
  const largest = new Float32Array(thumb * thumb);
  const from = (index: number): number => Math.floor((index * side) / thumb);
  const to = (index: number): number => Math.max(from(index) + 1, from(index + 1));
  for (let row = 0; row < thumb; row++) {
    for (let reader = from(row); reader < to(row); reader++) {
      const weights = rows[reader + 1]?.step.attention?.[layer]?.[head];
      if (!weights) continue;
      for (let column = 0; column <= row; column++) {
        for (let read = from(column); read < Math.min(to(column), weights.length); read++) {
          largest[row * thumb + column] = Math.max(largest[row * thumb + column]!, weights[read]!);
        }
      }
    }
  }
  return largest;
}

/** Whether all heads can be drawn while the text grows. */
export function canPaintThumbsLive(rows: readonly TokenRow[], { layers, heads }: DecoderInfo): boolean {
  return (layers * heads * rows.length ** 2) / 2 < kMostLiveWeights;
}

/** The cell of a picture under the pointer, in rows and columns of `across` and `down`. */
export function cellAt(event: MouseEvent, across: number, down: number): { row: number; column: number } {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const within = (offset: number, size: number, count: number): number => Math.min(count - 1, Math.max(0, Math.floor((offset / size) * count)));
  return { row: within(event.clientY - box.top, box.height, down), column: within(event.clientX - box.left, box.width, across) };
}
