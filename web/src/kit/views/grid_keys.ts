// SPDX-License-Identifier: MIT
// One tab stop for a grid, arrow keys inside it. Cells are the elements marked data-cell, in reading order.

export function cellsOf(grid: Element): HTMLElement[] {
  return [...grid.querySelectorAll<HTMLElement>('[data-cell]')];
}

function columnCount(grid: Element): number {
  return Number(grid.getAttribute('data-columns')) || 1;
}

export function focusCell(cell: HTMLElement | undefined): boolean {
  cell?.focus();
  return cell !== undefined;
}

/** Moves by rows and columns; stays inside the grid. */
export function moveBy(grid: Element, from: Element, rows: number, columns: number): boolean {
  const cells = cellsOf(grid);
  const width = columnCount(grid);
  const index = cells.indexOf(from as HTMLElement);
  const column = (index % width) + columns;
  const row = Math.floor(index / width) + rows;
  return column >= 0 && column < width && row >= 0 && focusCell(cells[row * width + column]);
}

/** The next or previous cell in reading order, over the ends of rows. */
export function moveAlong(grid: Element, from: Element, step: 1 | -1): boolean {
  const cells = cellsOf(grid);
  return focusCell(cells[cells.indexOf(from as HTMLElement) + step]);
}

const arrows: Readonly<Record<string, readonly [number, number]>> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** For grids of results; grids of inputs have their own keys (number_input.ts). */
export function gridKeys(event: KeyboardEvent): void {
  const grid = event.currentTarget as Element;
  const cell = (event.target as Element).closest('[data-cell]');
  if (!cell || event.altKey || event.metaKey) return;
  const arrow = arrows[event.key];
  const cells = cellsOf(grid);
  const start = cells.indexOf(cell as HTMLElement);
  const rowStart = start - (start % columnCount(grid));
  if (arrow) moveBy(grid, cell, ...arrow);
  else if (event.key === 'Home') focusCell(cells[event.ctrlKey ? 0 : rowStart]);
  else if (event.key === 'End') focusCell(cells[event.ctrlKey ? cells.length - 1 : rowStart + columnCount(grid) - 1]);
  else return;
  event.preventDefault();
}

/** The cell with the focus becomes the grid's tab stop. */
export function keepTabStop(event: FocusEvent): void {
  const cell = (event.target as Element).closest<HTMLElement>('[data-cell]');
  if (!cell) return;
  for (const each of cellsOf(event.currentTarget as Element)) each.tabIndex = each === cell ? 0 : -1;
}
