import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, inject, onTestFailed } from "vitest";
import { closePages } from "./browser.ts";

// Runs before each journey file. Files share a process with its modules and its browser.
afterEach(closePages);

// A failed journey prints what the shared product logged meanwhile.
beforeEach(() => {
  const path = inject("productLog");
  const from = statSync(path).size;
  onTestFailed(() => {
    const lines = readFileSync(path).subarray(from).toString();
    if (lines) console.log(`The product logged meanwhile:\n${lines}`);
  });
});
