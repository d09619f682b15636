// dependency-cruiser reads TypeScript through the compiler's JavaScript API, which TypeScript 7
// does not have yet. Only it and scripts/source-files.ts get version 6. Delete this file when they
// can use 7.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^typescript(?=$|\/)/, "dependency-cruiser-typescript"), context),
});
