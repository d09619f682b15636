import type { Answer } from "#app/domain/events/questions/rules.ts";
import { answerText } from "#app/domain/events/questions/rules.ts";

/** Answers beside the questions that they answered. */
export function AnswerList({ answers, className = "" }: { answers: Answer[]; className?: string }) {
  if (answers.length === 0) return null;
  return (
    <dl className={`flex flex-col gap-2 text-small ${className}`}>
      {answers.map((answer) => (
        <div key={answer.id} className="flex min-w-0 flex-col">
          <dt className="text-muted wrap-anywhere">{answer.question}</dt>
          <dd className="wrap-anywhere whitespace-pre-line">{answerText(answer)}</dd>
        </div>
      ))}
    </dl>
  );
}
