import { Refusal } from "#app/domain/errors.ts";
import { answerField, QUESTIONS_MAX } from "./rules.ts";

/** An answer that is missing, or that the question as it is now does not take. */
export class QuestionUnanswered extends Refusal {
  constructor({ questionId, problem }: { questionId: string; problem: string }) {
    super("invalid", problem, answerField(questionId));
  }
}

export class TooManyQuestions extends Refusal {
  constructor() {
    super("limit", `Um evento tem até ${QUESTIONS_MAX} perguntas. Apague uma antes.`);
  }
}

export class QuestionNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta pergunta.");
  }
}
