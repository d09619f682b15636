import { productVersion } from "./paths.ts";

// A build replaces these two by their values; a script that shares code with the product reads them
// from here.
Object.assign(globalThis, { __LOCAL__: true, __VERSION__: productVersion() });
