import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sources = globSync("app/**/*.{ts,tsx}").map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

const filesWith = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("a count and its noun are joined by one function", () => {
  expect(sources.length).toBeGreaterThan(1_000);
  // A singular written by hand: `n === 1 ? "1 comentário" : …`.
  expect(filesWith(/=== 1\s*\?\s*["'`][^"'`]*\b1 /)).toEqual([]);
  // A plural chosen by hand behind its count: `${n} ${n === 1 ? …`.
  expect(filesWith(/\$\{(\w+)\} \$\{\1 === 1 \? \w+ :/)).toEqual([]);
});

test("a text that somebody typed is quoted by one function", () => {
  expect(filesWith(/“(\$\{|\{)[\w.]*\b(q|query|title|name)\}”/)).toEqual([]);
});

test("no long field cuts what is typed: it says that it is too long", () => {
  expect(filesWith(/<TextArea\b(?:(?!\/>)[\s\S])*?\bmaxLength=/)).toEqual([]);
});

test("times are by the clock of Brasília in every text", () => {
  expect(filesWith(/[Hh]ora de São Paulo|horário de São Paulo/)).toEqual([]);
});
