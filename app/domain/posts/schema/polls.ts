import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";
import { lineSchema } from "./line.ts";
import { civilMomentSchema } from "./moment.ts";

export const QUESTION_MAX = 140;
const OPTION_MAX = 80;
export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 10;

/** A poll as its author writes it. In a draft it can lack the question or options. */
export type PollDraft = {
  question: string;
  options: string[];
  isMultiple: boolean;
  closesAt: Instant | null;
};

/** A poll as its author wrote it, and the number of voters. From the first vote on its text stays. */
export type StoredPoll = PollDraft & { votersCount: number };

/** A poll as one viewer sees it. Its counts are null while they cannot see the results. */
export type Poll = {
  question: string;
  isMultiple: boolean;
  closesAt: Instant | null;
  isClosed: boolean;
  votersCount: number | null;
  options: { position: number; label: string; votesCount: number | null; isChosen: boolean }[];
  hasVoted: boolean;
};

const optionsSchema = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((options) => (Array.isArray(options) ? options : [options]))
  .pipe(z.array(lineSchema(OPTION_MAX)).max(OPTIONS_MAX, `Use até ${OPTIONS_MAX} opções.`))
  .transform((options) => options.filter(Boolean));

/** A composer's poll fields. All of them empty means no poll. */
export const pollShape = {
  pollQuestion: lineSchema(QUESTION_MAX).default(""),
  pollOptions: optionsSchema,
  pollIsMultiple: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
  pollClosesAt: civilMomentSchema,
};

type PollForm = {
  pollQuestion: string;
  pollOptions: string[];
  pollIsMultiple: boolean;
  pollClosesAt: Instant | null;
};

/** Parses the poll of a form; null without a question or an option. */
export function parsePollForm({
  pollQuestion,
  pollOptions,
  pollIsMultiple,
  pollClosesAt,
}: PollForm): PollDraft | null {
  if (pollQuestion === "" && pollOptions.length === 0) return null;
  return {
    question: pollQuestion,
    options: pollOptions,
    isMultiple: pollIsMultiple,
    closesAt: pollClosesAt,
  };
}

/** Returns what prevents the publication of a poll, and its field; null when nothing does. */
export function pollProblem({
  question,
  options,
}: PollDraft): { field: string; message: string } | null {
  if (question === "") return { field: "pollQuestion", message: "Escreva a pergunta da enquete." };
  if (options.length < OPTIONS_MIN)
    return { field: "pollOptions", message: "Escreva pelo menos duas opções." };
  const distinct = new Set(options.map((option) => option.toLocaleLowerCase("pt-BR")));
  return distinct.size < options.length
    ? { field: "pollOptions", message: "Há duas opções iguais." }
    : null;
}

/** An option's position is one digit: a poll has at most ten. */
const choiceSchema = z.string().regex(/^\d$/).transform(Number);

/**
 * The form "Votar": the positions of the choices. `inPlace` is sent by a page that stays where it
 * is.
 */
export const voteSchema = z.object({
  choice: z
    .union([choiceSchema.transform((one) => [one]), z.array(choiceSchema).max(OPTIONS_MAX)], {
      error: "Escolha uma opção.",
    })
    .transform((places) => [...new Set(places)]),
  inPlace: z.literal("true").optional(),
});
