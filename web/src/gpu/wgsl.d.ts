// SPDX-License-Identifier: MIT
// Shaders are imported as text.
declare module '*.wgsl?raw' {
  const source: string;
  export default source;
}
