import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** A path inside the repository. */
export const inRoot = (...parts: string[]): string => join(ROOT, ...parts);
