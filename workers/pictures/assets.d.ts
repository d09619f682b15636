/** Bytes in the bundle. */
declare module "*.woff?bytes" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** A module of its own beside the bundle. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
