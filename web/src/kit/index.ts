// SPDX-License-Identifier: MIT
// What a figure needs from the kit.
export type { CellEditor } from './cell_editor.js';
export type { NamedArray, Question } from './figure_data.js';
export { FigureElement } from './figure_element.js';
export * from './fields.js';
export { Latest } from './latest.js';
export { message, messageParts, type MessageKey } from './messages/index.js';
export { largestIndex, rowsOf, vectorOf, type Rows } from './nd.js';
export { formatNumber, fullNumber } from './number_text.js';
export type { StateOf, StateTable } from './state_codec.js';
export { figureStyles } from './styles/index.js';
export { Throttle } from './throttle.js';
export { barsView, type Bar } from './views/bars_view.js';
export * from './views/controls.js';
export { cssValues } from './views/css_values.js';
export { CurveView, type Series } from './views/curve_view.js';
export { matrixInput } from './views/matrix_input.js';
export { gridView, matrixView, type ColumnGroup, type KindWords } from './views/matrix_view.js';
export { numberInput } from './views/number_input.js';
export { planeView, type PlaneVector } from './views/plane_view.js';
export { tokenStrip, type Token } from './views/token_strip.js';
