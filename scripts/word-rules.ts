import { globSync } from "node:fs";
import ts from "dependency-cruiser-typescript";
import { ROOT } from "./paths.ts";
import { nodesOf, parsedFile } from "./source-files.ts";

/**
 * Words that no name may contain, each with its replacement. They once stood for ideas that have
 * established terms (see STYLE.md, "Words").
 */
const BANNED_TERMS: Readonly<Record<string, string>> = {
  told: "notified, notification",
  said: "what it is: provider…, stated…, …Text",
  heard: "received, …Listener",
  tells: "notifies",
  aside: "quarantined",
  setback: "retryBackoff",
  setbacks: "retryBackoff",
  regret: "coolingOffRefund",
  regrets: "coolingOffRefund",
  ripens: "available, releaseAt",
  standing: "status, snapshot",
  standings: "statuses, snapshots",
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
  sentences: "Messages, Texts",
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

/** Words that say nothing where they are the whole name. */
const BANNED_ALONE: Readonly<Record<string, string>> = {
  known: "what is known: existing, cached, saved…",
};

/** Names that are not ours alone: settings of deployments. */
const NAMES_OF_OTHERS = new Set(["PAYMENT_PROVIDERS_KEPT"]);

const SOURCES = ["{app,workers,scripts,bench}/**/*.{ts,tsx}", "drizzle/{schema,seed}/**/*.ts"];

/** Lists the declared names of the product and its tools that have a banned word, one per line. */
export function problemsOfNames(): string[] {
  return globSync(SOURCES, { cwd: ROOT })
    .toSorted()
    .flatMap((file) =>
      bannedNamesIn(parsedFile(file)).map(
        ({ name, line, word }) =>
          `${file}:${line}: ${name} has “${word}”: ${BANNED_TERMS[word] ?? BANNED_ALONE[word]}`,
      ),
    );
}

/**
 * Finds the banned words in the names that a file declares: exports, locals, parameters, members of
 * types and classes, and the aliases of its SQL. The keys of an object are not read: they are often
 * names of a form, of a stored value or of another API.
 */
export function bannedNamesIn(
  source: ts.SourceFile,
): { name: string; line: number; word: string }[] {
  return [...nodesOf(source)].flatMap((node) =>
    namesDeclaredBy(node).flatMap((name) =>
      bannedTermsIn(name).map((word) => ({
        name,
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
        word,
      })),
    ),
  );
}

/** Finds the banned words of a name, which is split at its capitals and underscores. */
export function bannedTermsIn(name: string): string[] {
  if (NAMES_OF_OTHERS.has(name)) return [];
  const parts = partsOfName(name);
  const listed = parts.length === 1 ? { ...BANNED_TERMS, ...BANNED_ALONE } : BANNED_TERMS;
  return parts.filter((part) => Object.hasOwn(listed, part));
}

const partsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .filter((word) => word !== "");

const SQL_ALIAS = /(?:\bAS|\b(?:FROM|JOIN) [a-z_]+|\)) "?([A-Za-z_]+)/g;

function namesDeclaredBy(node: ts.Node): string[] {
  if (ts.isTemplateLiteralToken(node))
    return [...node.text.matchAll(SQL_ALIAS)].map(([, alias = ""]) => alias);
  // An import without `as` has the name of what it imports.
  if (ts.isImportSpecifier(node) && !node.propertyName) return [];
  if (!ts.isImportSpecifier(node) && !declares(node)) return [];
  return node.name && ts.isIdentifier(node.name) ? [node.name.text] : [];
}

type Declaration =
  | ts.VariableDeclaration
  | ts.ParameterDeclaration
  | ts.BindingElement
  | ts.TypeElement
  | ts.ClassElement
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ClassDeclaration
  | ts.TypeAliasDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeParameterDeclaration;

const declares = (node: ts.Node): node is Declaration =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isTypeElement(node) ||
  ts.isClassElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isClassDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeParameterDeclaration(node);
