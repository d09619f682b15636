import { globSync, readFileSync } from "node:fs";
import { inRoot, ROOT } from "./paths.ts";

/**
 * Words that no exported name may contain, each with its replacement. They once stood for ideas
 * that have established terms (see STYLE.md, "Words").
 */
const BANNED_WORDS: Readonly<Record<string, string>> = {
  told: "notified, notification",
  tells: "notifies",
  aside: "quarantined",
  setback: "retryBackoff",
  setbacks: "retryBackoff",
  regret: "coolingOffRefund",
  regrets: "coolingOffRefund",
  ripens: "available, releaseAt",
  standing: "status, snapshot",
  kept: "saved, stored, retained",
  papers: "documents, statements, invoices",
  night: "reconciliationRun",
  nights: "reconciliationRuns",
  desk: "staffReview",
  floods: "rateLimits",
  unheard: "unconfirmed",
  silent: "providerUnavailable",
  mine: "member, current",
  facts: "Snapshot",
  beginning: "start",
  begun: "started",
  sentence: "Message, Text",
  words: "Text, Label, Message",
  stretch: "periodSlice",
  stretches: "periodSlices",
  recut: "splitPeriod",
  storm: "chaosRun",
  dealt: "generated",
  town: "seededWorld",
  fought: "disputed",
  alongside: "extraWrites",
  beside: "snapshot",
  rereading: "retryOnConflict",
};

const EXPORTED =
  /^export (?:default )?(?:async )?(?:function\*?|const|let|class|type|interface|enum) ([A-Za-z0-9_]+)/gm;

const SOURCES = ["{app,workers,scripts,bench}/**/*.{ts,tsx}", "drizzle/schema/*.ts"];

/** Lists the exported names of the product and its tools that contain a banned word, one per line. */
export function problemsOfNames(): string[] {
  return globSync(SOURCES, { cwd: ROOT })
    .toSorted()
    .flatMap((file) =>
      [...readFileSync(inRoot(file), "utf8").matchAll(EXPORTED)].flatMap(([, name = ""]) =>
        bannedTermsIn(name).map((word) => `${file}: ${name} has “${word}”: ${BANNED_WORDS[word]}`),
      ),
    );
}

/** Finds the banned words of a name, which is split at its capitals and underscores. */
export function bannedTermsIn(name: string): string[] {
  return wordsOfName(name).filter((word) => Object.hasOwn(BANNED_WORDS, word));
}

const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .filter((word) => word !== "");
