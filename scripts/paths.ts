import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** A path inside the repository. */
export const inRoot = (...parts: string[]): string => join(ROOT, ...parts);

/** The version in package.json. */
export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
