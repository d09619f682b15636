import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { answerField, answerMax, choicesOf } from "#app/domain/events/questions/rules.ts";
import type { EventQuestion } from "#app/domain/events/questions/rules.ts";

type Typed = { values: Record<string, string>; errors: Record<string, string> };

/** The questions of an event in the form of who takes a seat, asked once for all its tickets. */
export function AnswerFields({
  questions,
  typed,
}: {
  questions: EventQuestion[];
  typed?: Typed | undefined;
}) {
  return questions.map((question) => {
    const name = answerField(question.id);
    const given = typed?.values[name];
    const error = typed?.errors[name];
    const max = answerMax(question.kind);
    if (max === null)
      return (
        <ChosenAnswer key={name} question={question} name={name} given={given} error={error} />
      );
    const field = {
      name,
      error,
      label: question.text,
      limit: max,
      defaultValue: given,
      required: question.isRequired,
      className: "basis-full",
    };
    return question.kind === "long" ? (
      <TextArea key={name} {...field} rows={4} />
    ) : (
      <TextField key={name} {...field} autoComplete="off" />
    );
  });
}

function ChosenAnswer({
  question,
  name,
  given,
  error,
}: {
  question: EventQuestion;
  name: string;
  given: string | undefined;
  error: string | undefined;
}) {
  const options = choicesOf(question).map((value) => ({ value, label: value }));
  const legend = question.isRequired ? question.text : `${question.text} (opcional)`;
  const isSeveral = question.kind === "several";
  const blank = { value: "", label: "Não responder" };
  return (
    <Choices
      className="basis-full"
      legend={legend}
      name={name}
      type={isSeveral ? "checkbox" : "radio"}
      defaultValue={
        isSeveral ? given?.split("\n") : (given ?? (question.isRequired ? undefined : ""))
      }
      error={error}
      options={isSeveral || question.isRequired ? options : [...options, blank]}
    />
  );
}
