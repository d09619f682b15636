import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bodyParts,
  cleanCommentBody,
  allowedCommentActions,
  EDIT_WINDOW_MS,
  mentionsIn,
  UNDO_WINDOW_MS,
} from "#app/domain/comments/rules.ts";
import type { CommentActionInput, CommentActions } from "#app/domain/comments/rules.ts";
import { commentSchema } from "#app/domain/comments/schema.ts";

describe("the saved text of a comment", () => {
  test.each([
    ["  oi  ", "oi"],
    ["um\r\ndois\rtrês", "um\ndois\ntrês"],
    ["um\n\n\n\n\ndois", "um\n\ndois"],
    ["um   \n dois", "um\n dois"],
    ["a\u0000b\u0007c", "abc"],
    ["\u202eodarrive", "odarrive"],
    ["מה שלומך", "מה שלומך"],
    ["ação", "ação"],
    ["👩‍👩‍👧 beleza", "👩‍👩‍👧 beleza"],
  ])("%j is saved as %j", (typed, saved) => {
    expect(cleanCommentBody(typed)).toBe(saved);
  });

  test.each([["", " ", "\n\n", "\u200b\u200d", "\u3000", "\u0301\u0301", "\u2066\u2069"]].flat())(
    "%j is empty",
    (typed) => {
      expect(cleanCommentBody(typed)).toBe("");
      expect(commentSchema.safeParse({ body: typed }).error?.issues[0]?.message).toBe(
        "Escreva o seu comentário.",
      );
    },
  );

  test("a letter with a hundred combining marks keeps four", () => {
    expect(cleanCommentBody(`q${"\u0335".repeat(100)}!`)).toBe(`q${"\u0335".repeat(4)}!`);
  });

  test("the length limit applies to the cleaned text and is inclusive", () => {
    expect(commentSchema.safeParse({ body: `${"a".repeat(2_000)}\n\n ` }).success).toBe(true);
    expect(commentSchema.safeParse({ body: "a".repeat(2_001) }).error?.issues[0]?.message).toBe(
      "Use até 2.000 caracteres.",
    );
  });

  test("cleaning is idempotent", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (typed) => cleanCommentBody(cleanCommentBody(typed)) === cleanCommentBody(typed),
      ),
    );
  });

  test("a megabyte is cleaned in linear time", () => {
    const body = `${"@ana ".repeat(100_000)}${"a\u0301".repeat(100_000)}${" \n".repeat(100_000)}`;
    expect(cleanCommentBody(body).length).toBeLessThan(body.length);
    expect(mentionsIn(body)).toEqual(["ana"]);
  });
});

describe("mentions", () => {
  test.each<[string, string[]]>([
    ["oi @ana", ["ana"]],
    ["@Ana, e @bruno.lima!", ["ana", "bruno.lima"]],
    ["(@ana) @ana @ANA", ["ana"]],
    ["fim de frase @ana.", ["ana"]],
    ["escreva para ana@exemplo.com", []],
    ["@ab é curto demais", []],
    ["@ não é ninguém", []],
    ["https://exemplo.com/@ana", []],
    ["@joãozinho", []],
    ["@_ana_", []],
    ["@a-b_c.d9", ["a-b_c.d9"]],
  ])("%j mentions %j", (body, named) => {
    expect(mentionsIn(body)).toEqual(named);
  });

  test("are limited to ten", () => {
    const body = Array.from({ length: 10_000 }, (_, index) => `@pessoa${index}`).join(" ");
    expect(mentionsIn(body)).toHaveLength(10);
  });
});

describe("the parts of a comment", () => {
  test("mentions of existing members and web addresses are links, the rest is text", () => {
    expect(bodyParts("Oi @Ana e @ninguem: https://exemplo.com/@ana.", ["ana"])).toEqual([
      { kind: "text", text: "Oi " },
      { kind: "mention", text: "@Ana", username: "ana" },
      { kind: "text", text: " e @ninguem: " },
      { kind: "link", text: "https://exemplo.com/@ana" },
      { kind: "text", text: "." },
    ]);
  });

  test("add up to the body, and only http and https addresses are links", () => {
    const words = fc.constantFrom(
      "@ana",
      "@bia",
      " ",
      "\n",
      "javascript:alert(1)",
      "https://a.bc/x",
      "data:text/html,x",
      "<b>",
      "@",
      ".",
      "ção",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        const body = parts.join("");
        const made = bodyParts(body, ["ana"]);
        expect(made.map((part) => part.text).join("")).toBe(body);
        expect(made.every((part) => part.kind !== "link" || /^https?:\/\//.test(part.text))).toBe(
          true,
        );
      }),
    );
  });
});

describe("the actions on a comment", () => {
  const said: CommentActionInput = {
    isAuthor: false,
    isHost: false,
    isReply: false,
    areCommentsClosed: false,
    createdAt: 1_000_000,
    deletedAt: null,
    hiddenAt: null,
    heldAt: null,
  };
  const able = (input: Partial<CommentActionInput>, now = 1_000_000): string => {
    const powers: CommentActions = allowedCommentActions({ ...said, ...input }, now);
    return Object.entries(powers)
      .flatMap(([name, may]) => (may ? [name] : []))
      .join(" ");
  };

  test.each<[string, Partial<CommentActionInput>, number, string]>([
    ["anyone", {}, 1_000_000, "like reply"],
    ["anyone, comments closed", { areCommentsClosed: true }, 1_000_000, "like"],
    ["anyone, removed", { deletedAt: 1_000_000 }, 1_000_000, ""],
    ["anyone, hidden", { hiddenAt: 1_000_000 }, 1_000_000, ""],
    ["its author", { isAuthor: true }, 1_000_000, "like reply edit remove"],
    [
      "its author, last millisecond of the 15 minutes",
      { isAuthor: true },
      1_000_000 + EDIT_WINDOW_MS - 1,
      "like reply edit remove",
    ],
    [
      "its author, when the 15 minutes are over",
      { isAuthor: true },
      1_000_000 + EDIT_WINDOW_MS,
      "like reply remove",
    ],
    ["its author, hidden by another", { isAuthor: true, hiddenAt: 1 }, 1_000_000, "remove"],
    [
      "its author, just removed",
      { isAuthor: true, deletedAt: 1_000_000 },
      1_000_000 + UNDO_WINDOW_MS - 1,
      "restore",
    ],
    [
      "its author, ten minutes after removing",
      { isAuthor: true, deletedAt: 1_000_000 },
      1_000_000 + UNDO_WINDOW_MS,
      "",
    ],
    ["the post's owner", { isHost: true }, 1_000_000, "like reply hide pin"],
    ["the post's owner, a reply", { isHost: true, isReply: true }, 1_000_000, "like reply hide"],
    ["the post's owner, hidden", { isHost: true, hiddenAt: 1 }, 1_000_000, "show"],
    ["the post's owner, held", { isHost: true, hiddenAt: 1, heldAt: 1 }, 1_000_000, ""],
    ["the post's owner, removed", { isHost: true, deletedAt: 1 }, 1_000_000, ""],
    [
      "the post's owner, own comment",
      { isHost: true, isAuthor: true },
      1_000_000,
      "like reply edit remove pin",
    ],
  ])("%s", (_who, input, now, expected) => {
    expect(able(input, now)).toBe(expected);
  });
});
