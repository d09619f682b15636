import { readFileSync } from "node:fs";
import ts from "dependency-cruiser-typescript";
import { inRoot } from "./paths.ts";

/** Parses a file of the repository, with the parser of TypeScript 6 (see `typescript-6.mjs`). */
export const parsedFile = (path: string): ts.SourceFile =>
  parsedText(path, readFileSync(inRoot(path), "utf8"));

/** Parses a text as the file `path` would be. */
export const parsedText = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

/** Lists a node and everything below it, in the order of the text. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}
