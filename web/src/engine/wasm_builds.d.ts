// SPDX-License-Identifier: MIT
// The compiled core, as the build resolves it.
declare module '#wasm/baseline' {
  const createModule: () => Promise<import('./module.js').RawModule>;
  export default createModule;
}

declare module '#wasm/relaxed' {
  const createModule: () => Promise<import('./module.js').RawModule>;
  export default createModule;
}

declare module '#wasm/training/baseline' {
  const createModule: () => Promise<import('./training_module.js').RawTrainingModule>;
  export default createModule;
}

declare module '#wasm/training/relaxed' {
  const createModule: () => Promise<import('./training_module.js').RawTrainingModule>;
  export default createModule;
}
