import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, inject, onTestFailed } from "vitest";
import { closePages } from "./browser.ts";

// Runs before each journeys' file: files share a process, with its modules and its browser.
afterEach(closePages);

// A journey that fails shows what the shared product logged meanwhile; of one that passes nobody
// reads it.
beforeEach(() => {
  const path = inject("productLog");
  const from = statSync(path).size;
  onTestFailed(() => {
    const lines = readFileSync(path).subarray(from).toString();
    if (lines) console.log(`The product logged meanwhile:\n${lines}`);
  });
});
