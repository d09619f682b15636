import { describe, expect, test } from "vitest";
import { mentionInTyping, mentionPatterns } from "#app/domain/comments/rules/mentions.ts";

describe("the mention that is being typed", () => {
  test.each([
    ["@an", { from: 0, typed: "an" }],
    ["oi @an", { from: 3, typed: "an" }],
    ["(@ana.rabeca", { from: 1, typed: "ana.rabeca" }],
    ["linha\n@Zé", { from: 6, typed: "Zé" }],
    ["@", null],
    ["oi @ ", null],
    ["ana@exemplo", null],
    ["@ana!", null],
    ["https://a.test/@an", null],
    [`@${"a".repeat(41)}`, null],
  ])("%j", (text, expected) => {
    expect(mentionInTyping(text, text.length)).toEqual(expected);
  });

  test("ends at the caret, and not at the end of the text", () => {
    expect(mentionInTyping("@ana e mais", 3)).toEqual({ from: 0, typed: "an" });
    expect(mentionInTyping("@ana e mais", 8)).toBeNull();
  });

  test("matches its own signs, never as patterns", () => {
    expect(mentionPatterns("a_b%")).toEqual({ start: "a\\_b\\%%", word: "% a\\_b\\%%" });
    expect([mentionPatterns(""), mentionPatterns("x".repeat(41))]).toEqual([null, null]);
  });
});
