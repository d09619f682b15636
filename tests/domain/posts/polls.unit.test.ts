import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeChoices,
  isChosen,
  isPollClosed,
  percentageOf,
  pollForViewer,
  pollSummary,
  pollLabel,
} from "#app/domain/posts/rules/polls.ts";
import type { PollRow } from "#app/domain/posts/rules/polls.ts";
import { draftSchema, publicationSchema } from "#app/domain/posts/schema/composing.ts";
import { parsePollForm, voteSchema } from "#app/domain/posts/schema/polls.ts";

const row = (more: Partial<PollRow> = {}): PollRow => ({
  question: "Qual música abre o show?",
  isMultiple: false,
  closesAt: null,
  votersCount: 3,
  choices: null,
  options: [
    { position: 0, label: "Asa Branca", votesCount: 2 },
    { position: 1, label: "Feira de Mangaio", votesCount: 1 },
  ],
  ...more,
});
const NOW = 1_000_000;
const counts = (poll: PollRow, isOwn = false) =>
  pollForViewer(poll, { isOwn, now: NOW }).options.map((option) => option.votesCount);

describe("the poll on a post card", () => {
  test.each<[string, Partial<PollRow>, string]>([
    ["open without an end", {}, "Enquete aberta"],
    [
      "open until its end",
      { closesAt: Date.UTC(2026, 10, 20, 17, 30) },
      "Enquete até 20/11/2026, 14:30",
    ],
    ["ended, with who voted", { closesAt: NOW }, "Enquete encerrada · 3 pessoas votaram"],
    [
      "ended with one vote",
      { closesAt: NOW, votersCount: 1 },
      "Enquete encerrada · 1 pessoa votou",
    ],
    [
      "ended with many",
      { closesAt: NOW, votersCount: 1_234 },
      "Enquete encerrada · 1.234 pessoas votaram",
    ],
  ])("%s", (_name, poll, said) => {
    expect(pollLabel(pollSummary(row(poll), NOW))).toBe(said);
  });

  test("shows no number of voters while the poll is open", () => {
    expect(pollSummary(row({ closesAt: NOW + 1 }), NOW).votersCount).toBeNull();
  });
});

describe("the results of a poll", () => {
  test.each<[string, PollRow, boolean, boolean]>([
    ["are hidden from a reader who did not vote", row(), false, false],
    ["are shown to a reader who voted", row({ choices: 2 }), false, true],
    ["are shown to the author", row(), true, true],
    ["are shown to everyone from the exact end", row({ closesAt: NOW }), false, true],
    ["are hidden until its end", row({ closesAt: NOW + 1 }), false, false],
  ])("%s", (_name, poll, isOwn, isShown) => {
    expect(counts(poll, isOwn)).toEqual(isShown ? [2, 1] : [null, null]);
    expect(pollForViewer(poll, { isOwn, now: NOW }).votersCount).toBe(isShown ? 3 : null);
  });

  test("mark the viewer's choice, and show only counts of other votes", () => {
    const seen = pollForViewer(row({ choices: 0b10 }), { isOwn: false, now: NOW });
    expect(seen.options.map((option) => option.isChosen)).toEqual([false, true]);
    expect(seen).not.toHaveProperty("choices");
    expect(isPollClosed({ closesAt: null }, NOW)).toBe(false);
  });

  test.each([
    [0, 0, 0],
    [0, 3, 0],
    [1, 3, 33],
    [2, 3, 67],
    [1, 200, 1],
    [3, 3, 100],
  ])("%i of %i is %i%%", (votes, voters, share) => {
    expect(percentageOf(votes, voters)).toBe(share);
  });
});

test("choices are encoded as bits and decoded unchanged", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 9 })), (places) => {
      const bits = encodeChoices(places);
      expect(
        Array.from({ length: 10 }, (_, place) => place).filter((place) => isChosen(bits, place)),
      ).toEqual(places.toSorted((one, other) => one - other));
      expect(bits).toBeLessThan(1_024);
    }),
  );
});

describe("a poll in the composer", () => {
  const post = { title: "Ensaio", content: "Oito músicas.", ways: "public" };
  const errorsOf = (poll: Record<string, unknown>) =>
    Object.fromEntries(
      (publicationSchema.safeParse({ ...post, ...poll }).error?.issues ?? []).map((issue) => [
        issue.path[0],
        issue.message,
      ]),
    );

  test("is absent when nothing was typed", () => {
    expect(
      parsePollForm(
        publicationSchema.parse({
          ...post,
          pollOptions: ["", " "],
          pollClosesAt: "2030-01-31T10:00",
          pollIsMultiple: "true",
        }),
      ),
    ).toBeNull();
  });

  test("keeps the filled options, cleaned and in order", () => {
    const poll = parsePollForm(
      publicationSchema.parse({
        ...post,
        pollQuestion: " Qual? ",
        pollOptions: ["Sim ", "", "\u202eNão", "\u200b"],
        pollIsMultiple: "true",
      }),
    );
    expect(poll).toEqual({
      question: "Qual?",
      options: ["Sim", "Não"],
      isMultiple: true,
      closesAt: null,
    });
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      "without a question",
      { pollOptions: ["Sim", "Não"] },
      { pollQuestion: "Escreva a pergunta da enquete." },
    ],
    [
      "with one option",
      { pollQuestion: "Qual?", pollOptions: "Sim" },
      { pollOptions: "Escreva pelo menos duas opções." },
    ],
    [
      "with two alike",
      { pollQuestion: "Qual?", pollOptions: ["Sim", "não", "SIM"] },
      { pollOptions: "Há duas opções iguais." },
    ],
    [
      "with eleven",
      {
        pollQuestion: "Qual?",
        pollOptions: Array.from({ length: 11 }, (_, index) => `Opção ${index}`),
      },
      { pollOptions: "Use até 10 opções." },
    ],
    [
      "with a long option",
      { pollQuestion: "Qual?", pollOptions: ["Sim", "x".repeat(81)] },
      { pollOptions: "Use até 80 caracteres." },
    ],
    [
      "with a long question",
      { pollQuestion: "x".repeat(141), pollOptions: ["Sim", "Não"] },
      { pollQuestion: "Use até 140 caracteres." },
    ],
    [
      "with no date as its end",
      { pollQuestion: "Qual?", pollOptions: ["Sim", "Não"], pollClosesAt: "amanhã" },
      { pollClosesAt: "Confira a data e a hora." },
    ],
  ])("%s is not published, and shows the error at its field", (_name, poll, errors) => {
    expect(errorsOf(poll)).toEqual(errors);
  });

  test("in a draft can be incomplete", () => {
    expect(draftSchema.safeParse({ pollQuestion: "Qual?", pollOptions: "Sim" }).success).toBe(true);
  });
});

test.each<[unknown, number[] | null]>([
  ["1", [1]],
  [
    ["0", "2", "2"],
    [0, 2],
  ],
  [undefined, null],
  [[], []],
  ["dez", null],
  ["10", null],
  ["-1", null],
  [Array.from({ length: 11 }, () => "1"), null],
])("a vote for %j", (choice, places) => {
  const read = voteSchema.safeParse({ choice });
  expect(read.success ? read.data.choice : null).toEqual(places);
});
