// SPDX-License-Identifier: MIT
// A picture as a list of shapes in CSS pixels, the common ground of SVG and PNG.

/** Text: `y` is the baseline; `width` 0 is not known; `isVariable` is a lone letter that MathML slants. */
export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill?: string; stroke?: string; radius: number }
  | { kind: 'line'; points: readonly (readonly [number, number])[]; stroke: string; width: number; dash?: string }
  | { kind: 'path'; d: string; x: number; y: number; scaleX: number; scaleY: number; fill?: string; stroke?: string; width: number; dash?: string }
  | { kind: 'image'; x: number; y: number; width: number; height: number; canvas: HTMLCanvasElement }
  | { kind: 'text'; x: number; y: number; width: number; text: string; fill: string; size: number; family: string; weight: string; italic: boolean; isVariable: boolean };

export interface Drawing {
  width: number;
  height: number;
  background: string;
  shapes: readonly Shape[];
}
