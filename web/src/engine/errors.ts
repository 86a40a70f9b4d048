// SPDX-License-Identifier: MIT
// The one error type that the engine throws.
import type { ErrorCode } from './types.js';

/** `code` is for programs; the message names the argument, the rule and the actual shapes or numbers. */
export class LookbackError extends Error {
  override readonly name = 'LookbackError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An error that can cross to another thread. */
export interface PlainError {
  code: ErrorCode;
  message: string;
}

export function toPlain(error: unknown): PlainError {
  if (error instanceof LookbackError) return { code: error.code, message: error.message };
  // A trap of the wasm instance arrives as a RuntimeError or RangeError, most often for want of memory or stack.
  return { code: 'state', message: error instanceof Error ? error.message : String(error) };
}

export function fromPlain(error: PlainError): LookbackError {
  return new LookbackError(error.code, error.message);
}
