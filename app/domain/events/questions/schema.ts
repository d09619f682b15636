import { z } from "zod";
import {
  answerField,
  answerMax,
  answerProblem,
  hasOptions,
  QUESTION_KINDS,
  QUESTION_OPTION_MAX,
  QUESTION_OPTIONS_MAX,
  QUESTION_TEXT_MAX,
} from "./rules.ts";
import type { Answer, EventQuestion } from "./rules.ts";
import { cleanLine, cleanText } from "#app/domain/text.ts";

/** The form of a question. Its options are typed one a line. */
export const questionSchema = z
  .object({
    text: z
      .string({ error: "Escreva a pergunta." })
      .transform(cleanLine)
      .pipe(
        z
          .string()
          .min(1, "Escreva a pergunta.")
          .max(QUESTION_TEXT_MAX, `Use até ${QUESTION_TEXT_MAX} caracteres.`),
      ),
    kind: z.enum(QUESTION_KINDS, "Escolha o tipo da resposta.").default("short"),
    options: z
      .string()
      .default("")
      .transform((typed) => typed.split("\n").map(cleanLine).filter(Boolean)),
    isRequired: z
      .literal("true")
      .optional()
      .transform((value) => value === "true"),
  })
  .superRefine(({ kind, options }, check) => {
    const message = hasOptions(kind) ? optionsProblem(options) : null;
    if (message !== null) check.addIssue({ code: "custom", path: ["options"], message });
  })
  .transform(({ options, ...question }) => ({
    ...question,
    options: hasOptions(question.kind) ? options : [],
  }));

/** What the form of a question saves. */
export type QuestionInput = z.output<typeof questionSchema>;

function optionsProblem(options: readonly string[]): string | null {
  if (options.length < 2) return "Escreva pelo menos duas opções, uma por linha.";
  if (options.length > QUESTION_OPTIONS_MAX) return `Use até ${QUESTION_OPTIONS_MAX} opções.`;
  if (new Set(options).size < options.length) return "Há duas opções iguais. Apague uma.";
  return options.some((option) => option.length > QUESTION_OPTION_MAX)
    ? `Cada opção pode ter até ${QUESTION_OPTION_MAX} caracteres.`
    : null;
}

const answered = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .default([])
  .transform((values) => values.map((value) => cleanText(value).trim()).filter(Boolean));

/**
 * The part of a form that answers `questions`: an input for each. Gives the answers with the text
 * of their questions; a blank one is left out.
 */
export function answersSchema(questions: readonly EventQuestion[]) {
  const fields = Object.fromEntries(
    questions.map((question) => [
      answerField(question.id),
      answered.superRefine((values, check) => {
        const message = answerProblem(question, values);
        if (message !== null) check.addIssue({ code: "custom", message });
      }),
    ]),
  );
  return z.object(fields).transform((values): { answers: Answer[] } => ({
    answers: questions.flatMap(({ id, kind, text }) => {
      const given = values[answerField(id)] ?? [];
      const lines = answerMax(kind) === null || kind === "long" ? given : given.map(cleanLine);
      return lines.length === 0 ? [] : [{ id, question: text, values: lines }];
    }),
  }));
}
