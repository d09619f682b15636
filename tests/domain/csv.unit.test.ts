import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CSV_BOM, csvLine, moneyCell, textCell } from "#app/domain/csv.ts";

describe("the CSV file", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+55 81", "'+55 81"],
    ["-2", "'-2"],
    ["@ana", "'@ana"],
    ["\t=1", "'\t=1"],
    [" =1", "' =1"],
    ["\u{a0}=HYPERLINK()", "'\u{a0}=HYPERLINK()"],
    ["\r=1", `"'\r=1"`],
    ['diz "oi"; sim', '"diz ""oi""; sim"'],
    ["duas\nlinhas", '"duas\nlinhas"'],
    ["Publicação “É”, de Ana", "Publicação “É”, de Ana"],
    ["＝1+1", "'＝1+1"],
    ["007", "'007"],
    ["1.5", "'1.5"],
    ["10/12", "'10/12"],
    ["100%", "'100%"],
    ["1e10", "'1e10"],
    ["mai-26", "'mai-26"],
    ["1 set 26", "'1 set 26"],
    ["24 horas", "24 horas"],
    ["mais um", "mais um"],
    ["1º de maio", "1º de maio"],
    ["", ""],
  ])("%j is written %j", (text, cell) => {
    expect(textCell(text)).toBe(cell);
  });
  test("any text is read back unchanged, except for the apostrophe that disarms a formula", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 }),
        (texts) => {
          const read = readCsv(csvLine(texts.map(textCell)));
          expect(read).toEqual([
            texts.map((text) =>
              textCell(text).replace(/^"/, "").startsWith("'") && !text.startsWith("'")
                ? `'${text}`
                : text,
            ),
          ]);
          for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
        },
      ),
    );
  });
  test.each([
    [0, "0,00"],
    [5, "0,05"],
    [123_456_789, "1234567,89"],
    [-1_990, "-19,90"],
  ])("%i centavos are written %s", (cents, cell) => {
    expect(moneyCell(cents)).toBe(cell);
  });
  test("starts with the byte order mark by which a spreadsheet detects UTF-8", () => {
    expect(CSV_BOM).toBe("\u{feff}");
  });
});

/** RFC 4180 with `;`. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
        else break;
      }
      at += 1;
    } else {
      const end = /[;\r]/.exec(text.slice(at));
      const stop = at + (end?.index ?? text.length - at);
      cell = text.slice(at, stop);
      at = stop;
    }
    rows.at(-1)?.push(cell);
    if (text[at] === ";") at += 1;
    else {
      at += 2;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}
