// SPDX-License-Identifier: MIT
// Hands a figure to the reader as a file. Loaded when the first file is asked for.
import type { NamedArray } from '../figure_data.js';
import type { FigureElement } from '../figure_element.js';
import { toPng } from './canvas.js';
import { download } from './download.js';
import { takeSnapshot } from './snapshot.js';
import { toSvg } from './svg.js';
import { toCsv, toJson } from './text_formats.js';

function currentState(figure: FigureElement<any>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(figure.table).map((name) => [name, figure.readState(name)]));
}

const makers = {
  svg: async (figure: FigureElement<any>) => new Blob([toSvg(takeSnapshot(figure.renderRoot.querySelector('.body')!))], { type: 'image/svg+xml' }),
  png: async (figure: FigureElement<any>) => toPng(takeSnapshot(figure.renderRoot.querySelector('.body')!)),
  csv: async (_: FigureElement<any>, arrays: readonly NamedArray[]) => new Blob([toCsv(arrays)], { type: 'text/csv' }),
  json: async (figure: FigureElement<any>, arrays: readonly NamedArray[]) => new Blob([toJson(figure.localName, currentState(figure), arrays)], { type: 'application/json' }),
};

export async function saveFigure(kind: keyof typeof makers, figure: FigureElement<any>, arrays: readonly NamedArray[]): Promise<void> {
  download(`${figure.localName}.${kind}`, await makers[kind](figure, arrays));
}
