// dependency-cruiser reads TypeScript through the compiler's JavaScript API, which TypeScript 7
// does not have yet. Only dependency-cruiser gets version 6. Delete this file when it supports 7.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^typescript(?=$|\/)/, "dependency-cruiser-typescript"), context),
});
