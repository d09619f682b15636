import { describe, expect, test } from "vitest";
import {
  cleanMessageText,
  filesLabel,
  isEditable,
  messageParts,
  pairOf,
} from "#app/domain/messages/rules.ts";
import { soldMessageTitle } from "#app/domain/purchases/rules.ts";

describe("the text of a message", () => {
  test("is trimmed, and keeps its line breaks with at most one blank line", () => {
    expect(cleanMessageText("  oi\r\n\n\n\ntudo bem? \n")).toBe("oi\n\ntudo bem?");
    expect(cleanMessageText(" \u200b\n ")).toBe("");
  });

  test("has links: addresses, and Markdown's, whose host is shown", () => {
    expect(messageParts("veja https://coreto.test/a. E [o mapa](https://mapa.test/x)!")).toEqual([
      { kind: "text", text: "veja " },
      { kind: "link", text: "https://coreto.test/a", href: "https://coreto.test/a", host: null },
      { kind: "text", text: ". E " },
      { kind: "link", text: "o mapa", href: "https://mapa.test/x", host: "mapa.test" },
      { kind: "text", text: "!" },
    ]);
  });

  test.each(["[x](javascript:alert(1))", "**negrito** <b>x</b>", "# título", "[x](//outro.test)"])(
    "stays text otherwise: %s",
    (body) => expect(messageParts(body)).toEqual([{ kind: "text", text: body }]),
  );
});

test("a message can be edited for 15 minutes, unless it was deleted", () => {
  const at = (minutes: number, isDeleted = false) =>
    isEditable({ createdAt: 0, isDeleted }, minutes * 60_000);
  expect([at(0), at(14.9), at(15), at(1, true)]).toEqual([true, true, false, false]);
});

test.each([
  [[], "Arquivo", null],
  [["image"], "Foto", "Mensagem com foto"],
  [["document", "document"], "2 PDFs", "Mensagem com 2 PDFs"],
  [["image", "image", "video"], "3 arquivos", "Mensagem com 3 arquivos"],
] as const)("files are counted by their kind: %j", (kinds, label, title) => {
  expect(filesLabel(kinds)).toBe(label);
  if (title !== null) expect(soldMessageTitle(kinds)).toBe(title);
});

test("a pair has one order, whoever asks", () => {
  expect(pairOf("b", "a")).toEqual(pairOf("a", "b"));
});
