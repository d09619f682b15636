import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answerColumns,
  answerField,
  answerProblem,
  choicesOf,
  firstUnanswered,
  QUESTION_KINDS,
} from "#app/domain/events/questions/rules.ts";
import type { EventQuestion } from "#app/domain/events/questions/rules.ts";
import { answersSchema, questionSchema } from "#app/domain/events/questions/schema.ts";

const question = (changed: Partial<EventQuestion> = {}): EventQuestion => ({
  id: "q1",
  kind: "short",
  text: "Que instrumento você toca?",
  options: [],
  isRequired: true,
  ...changed,
});
const PICKS = ["Rabeca", "Pandeiro"];

test.each([
  ["a required text without an answer", question(), [], "Responda a esta pergunta."],
  ["an optional text without an answer", question({ isRequired: false }), [], null],
  ["a short text of 200 letters", question(), ["a".repeat(200)], null],
  ["a short text of 201 letters", question(), ["a".repeat(201)], "Use até 200 caracteres."],
  [
    "a long text of 2,001 letters",
    question({ kind: "long" }),
    ["a".repeat(2_001)],
    "Use até 2.000 caracteres.",
  ],
  ["a choice", question({ kind: "one", options: PICKS }), ["Rabeca"], null],
  [
    "two of one choice",
    question({ kind: "one", options: PICKS }),
    PICKS,
    "Escolha entre as opções desta pergunta.",
  ],
  ["two of several choices", question({ kind: "several", options: PICKS }), PICKS, null],
  [
    "an option that was removed",
    question({ kind: "several", options: PICKS }),
    ["Tuba"],
    "Escolha entre as opções desta pergunta.",
  ],
  [
    "none of several",
    question({ kind: "several", options: PICKS }),
    [],
    "Escolha pelo menos uma das opções.",
  ],
  ["yes", question({ kind: "yes_no" }), ["Sim"], null],
  [
    "neither yes nor no",
    question({ kind: "yes_no" }),
    ["Talvez"],
    "Escolha entre as opções desta pergunta.",
  ],
])("%s", (_, asked, values, problem) => {
  expect(answerProblem(asked, values)).toBe(problem);
});

test("a form that answers every question gives the answers with the questions' texts", () => {
  const asked = [
    question(),
    question({ id: "q2", kind: "several", text: "O que traz?", options: PICKS }),
    question({ id: "q3", kind: "yes_no", text: "Vem de carro?", isRequired: false }),
  ];
  const parsed = answersSchema(asked).parse({
    [answerField("q1")]: "  Rabeca\n de  Alagoas ",
    [answerField("q2")]: PICKS,
    [answerField("q3")]: "",
  });
  expect(parsed.answers).toEqual([
    { id: "q1", question: asked[0]?.text, values: ["Rabeca de Alagoas"] },
    { id: "q2", question: "O que traz?", values: PICKS },
  ]);
});

test("each question that is not answered is refused beside its own field", () => {
  const asked = [question(), question({ id: "q2", kind: "one", options: PICKS })];
  const parsed = answersSchema(asked).safeParse({ [answerField("q2")]: "Tuba" });
  expect(parsed.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    [answerField("q1"), "Responda a esta pergunta."],
    [answerField("q2"), "Escolha entre as opções desta pergunta."],
  ]);
});

test.each([
  ["no text", { text: " " }, "text"],
  ["a text that is too long", { text: "a".repeat(201) }, "text"],
  ["a choice without options", { text: "O quê?", kind: "one" }, "options"],
  ["a choice of one", { text: "O quê?", kind: "one", options: "Sim" }, "options"],
  ["the same option twice", { text: "O quê?", kind: "several", options: "a\n a \nb" }, "options"],
  ["an unknown kind", { text: "O quê?", kind: "file" }, "kind"],
])("a question with %s is refused", (_, typed, field) => {
  expect(questionSchema.safeParse(typed).error?.issues[0]?.path).toEqual([field]);
});

test("options are stored only with a kind that has a choice", () => {
  const typed = { text: "O quê?", options: "a\nb" };
  expect(questionSchema.parse({ ...typed, kind: "short" }).options).toEqual([]);
  expect(questionSchema.parse({ ...typed, kind: "one" }).options).toEqual(["a", "b"]);
});

test("a question that was written anew is a column beside its former text", () => {
  const asked = [question({ text: "Qual instrumento?" })];
  const answered = [
    { id: "q1", text: "Qual instrumento?" },
    { id: "q1", text: "Que instrumento você toca?" },
    { id: "q9", text: "Já apagada?" },
  ];
  expect(answerColumns(asked, answered).map(({ text }) => text)).toEqual([
    "Qual instrumento?",
    "Que instrumento você toca?",
    "Já apagada?",
  ]);
});

const anyQuestion = fc
  .record({
    kind: fc.constantFrom(...QUESTION_KINDS),
    isRequired: fc.boolean(),
    options: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), {
      minLength: 2,
      maxLength: 5,
    }),
  })
  .map((one) => question(one));

test("whatever the form lets through, the command lets through as well", () => {
  fc.assert(
    fc.property(anyQuestion, fc.array(fc.string(), { maxLength: 3 }), (one, typed) => {
      const values = one.kind === "short" ? typed : [...typed, ...choicesOf(one).slice(0, 1)];
      const parsed = answersSchema([one]).safeParse({ [answerField(one.id)]: values });
      if (parsed.success) expect(firstUnanswered([one], parsed.data.answers)).toBeNull();
    }),
  );
});
