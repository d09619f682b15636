import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { SpaceForm } from "#app/components/shell/space-form.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { CheckboxField, TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import {
  QUESTION_KIND_LABELS,
  QUESTION_KINDS,
  QUESTION_TEXT_MAX,
} from "#app/domain/events/questions/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

/** The form of a question: its text, how it is answered, and whether it has to be. */
export function QuestionForm({
  values: initial,
  problem,
  submitLabel,
  dates,
}: {
  values: Record<string, string>;
  problem: FormProblem | undefined;
  submitLabel: string;
  /** Which dates of a repeating event it is for. */
  dates: ReactNode;
}) {
  const isBusy = useNavigation().state !== "idle";
  const values = problem?.values ?? initial;
  const errors = problem?.errors ?? {};
  return (
    <SpaceForm problem={problem} className="group/question">
      <TextField
        label="Pergunta"
        name="text"
        defaultValue={values["text"]}
        error={errors["text"]}
        limit={QUESTION_TEXT_MAX}
        required
        placeholder="Você toca algum instrumento?"
      />
      <Choices
        legend="Como se responde"
        name="kind"
        defaultValue={values["kind"] ?? "short"}
        error={errors["kind"]}
        options={QUESTION_KINDS.map((kind) => ({ value: kind, label: QUESTION_KIND_LABELS[kind] }))}
      />
      <TextArea
        label="Opções"
        name="options"
        rows={4}
        defaultValue={values["options"]}
        error={errors["options"]}
        hint="Uma por linha, para uma escolha ou várias."
        className={
          errors["options"]
            ? ""
            : "hidden group-has-[input[value=one]:checked]/question:flex group-has-[input[value=several]:checked]/question:flex"
        }
      />
      <CheckboxField
        label="A resposta é obrigatória"
        name="isRequired"
        value="true"
        defaultChecked={values["isRequired"] === "true"}
      />
      {dates}
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </SpaceForm>
  );
}
