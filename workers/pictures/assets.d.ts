/** The file's bytes, in the bundle. */
declare module "*.woff?bytes" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** A separate module beside the bundle. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
