export const QUESTIONS_MAX = 10;
export const QUESTION_TEXT_MAX = 200;
export const QUESTION_OPTIONS_MAX = 20;
export const QUESTION_OPTION_MAX = 100;
const SHORT_ANSWER_MAX = 200;
const LONG_ANSWER_MAX = 2_000;

export const QUESTION_KINDS = ["short", "long", "one", "several", "yes_no"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export const QUESTION_KIND_LABELS: Record<QuestionKind, string> = {
  short: "Texto curto",
  long: "Texto longo",
  one: "Uma escolha",
  several: "Várias escolhas",
  yes_no: "Sim ou não",
};

/** What an event asks who takes a seat. `options` is empty for kinds without a choice. */
export type EventQuestion = {
  id: string;
  kind: QuestionKind;
  text: string;
  options: string[];
  isRequired: boolean;
};

/** An answer with the text of its question on that day. `values` has several for `several`. */
export type Answer = { id: string; question: string; values: string[] };

/** The most letters of a typed answer; null for the kinds that are chosen. */
export const answerMax = (kind: QuestionKind): number | null =>
  kind === "short" ? SHORT_ANSWER_MAX : kind === "long" ? LONG_ANSWER_MAX : null;

/** Whether a question of this kind is answered by choosing. */
export const hasOptions = (kind: QuestionKind): boolean => kind === "one" || kind === "several";

/** The name of the question's input in a form. */
export const answerField = (questionId: string): string => `answer-${questionId}`;

/** Returns what may be chosen for a question; empty for typed answers. */
export const choicesOf = ({ kind, options }: EventQuestion): string[] =>
  kind === "yes_no" ? ["Sim", "Não"] : options;

/**
 * Returns why `values` do not answer a question, or null. A sentence for the person who answers. An
 * optional question may be left blank.
 */
export function answerProblem(question: EventQuestion, values: readonly string[]): string | null {
  const { kind, isRequired } = question;
  if (values.length === 0) {
    if (!isRequired) return null;
    const isTyped = answerMax(kind) !== null;
    if (isTyped) return "Responda a esta pergunta.";
    return kind === "several" ? "Escolha pelo menos uma das opções." : "Escolha uma das opções.";
  }
  const max = answerMax(kind);
  if (max !== null) {
    const isLong = values.some((value) => value.length > max);
    return isLong ? `Use até ${max.toLocaleString("pt-BR")} caracteres.` : null;
  }
  const choices = choicesOf(question);
  const isKnown = values.every((value) => choices.includes(value));
  const isSingle = kind === "several" || values.length === 1;
  return isKnown && isSingle ? null : "Escolha entre as opções desta pergunta.";
}

/**
 * Returns the first question that `answers` do not answer, with the sentence; null when they answer
 * all. The questions may have changed since the form was shown.
 */
export function firstUnanswered(
  questions: readonly EventQuestion[],
  answers: readonly Answer[],
): { question: EventQuestion; problem: string } | null {
  for (const question of questions) {
    const values = answers.find(({ id }) => id === question.id)?.values ?? [];
    const problem = answerProblem(question, values);
    if (problem !== null) return { question, problem };
  }
  return null;
}

/** Formats an answer in one line, or as it was typed. */
export const answerText = ({ values }: Pick<Answer, "values">): string => values.join(", ");

/** A column of a table of answers. A question that was written anew is another column. */
export type AnswerColumn = { id: string; text: string };

/**
 * Returns the columns of a table of answers: the questions of today in their order, then those that
 * were answered and are no longer asked.
 */
export function answerColumns(
  questions: readonly EventQuestion[],
  answered: readonly AnswerColumn[],
): AnswerColumn[] {
  const asked = questions.map(({ id, text }) => ({ id, text }));
  const isAsked = ({ id, text }: AnswerColumn): boolean =>
    asked.some((one) => one.id === id && one.text === text);
  const former = answered.filter((one) => !isAsked(one));
  return [...asked, ...former];
}
