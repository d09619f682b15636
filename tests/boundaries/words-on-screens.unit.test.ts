import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sources = globSync("{app,workers}/**/*.{ts,tsx}").map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

const filesWith = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("a count and its noun are joined by one function", () => {
  expect(sources.length).toBeGreaterThan(1_000);
  // A singular written by hand: `n === 1 ? "1 comentário" : …`.
  expect(filesWith(/=== 1\s*\?\s*["'`][^"'`]*\b1 /)).toEqual([]);
  // A plural behind a formatted count: `${countText(n)} visitantes`.
  expect(filesWith(/\{(?:countText|COUNT\.format)\([^)]*\)\}\s+\p{L}+s\b/u)).toEqual([]);
  expect(filesWith(/\$\{[\w.]+\.length\} (?!queries|rows)\p{L}+s\b[^;]*`\}/u)).toEqual([]);
  // A plural chosen by hand behind its count: `${n} ${n === 1 ? …`.
  expect(filesWith(/\$\{(\w+)\} \$\{\1 === 1 \? \w+ :/)).toEqual([]);
  // Two texts chosen by hand: `n === 1 ? "Falta" : "Faltam"`.
  expect(filesWith(/=== 1\s*\?\s*["'`][^"'`_]*["'`]\s*:\s*["'`][\p{L} $]/u)).toEqual([]);
});

test("a text that somebody typed is quoted by one function", () => {
  expect(filesWith(/“(\$\{|\{)[\w.]*\b(q|query|title|name)\}”/)).toEqual([]);
});

/** Numbers, codes, addresses and searches: a longer text is none of them. */
const OF_FIXED_FORM =
  "account accountDigit amount bank birthDate branch cep cnpj code coupon cpf email expiresOn identifier key other person phone phrase pixKey q recipientEmail search taxId username".split(
    " ",
  );

test("no field for a text cuts what is typed: it says that it is too long", () => {
  const cutting = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/<(?:TextField|TextArea|MaskedField)\b(?:(?!\/>)[\s\S])*?\/>/g)]
      .map(([field]) => field)
      .filter((field) => field.includes("maxLength="))
      .map((field) => /name="(\w+)"|field\("(\w+)"/.exec(field))
      .map((name) => ({ file, name: name?.[1] ?? name?.[2] ?? "" })),
  );
  expect(cutting.length).toBeGreaterThan(20);
  expect(cutting.filter(({ name }) => !OF_FIXED_FORM.includes(name))).toEqual([]);
});

test("times are by the clock of Brasília in every text", () => {
  expect(filesWith(/[Hh]ora de São Paulo|horário de São Paulo/)).toEqual([]);
});
