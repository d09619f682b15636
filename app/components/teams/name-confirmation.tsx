import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type NameConfirmationProps = {
  teamName: string;
  submitLabel: string;
  back: string;
  backLabel: string;
  problem: FormProblem | undefined;
};

/** Asks for the team's name before an irreversible action. */
export function NameConfirmation({
  teamName,
  submitLabel,
  back,
  backLabel,
  problem,
}: NameConfirmationProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  return (
    <Form method="post" noValidate className="flex flex-col gap-5">
      <FormMessage message={problem?.message} />
      <p>
        Para confirmar, digite o nome da equipe:{" "}
        <strong className="wrap-anywhere">{teamName}</strong>
      </p>
      <TextField
        label="Nome da equipe"
        name="confirmation"
        autoComplete="off"
        required
        defaultValue={problem?.values.confirmation}
        error={problem?.errors.confirmation}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" disabled={isBusy}>
          {submitLabel}
        </Button>
        <ButtonLink to={back} variant="outline">
          {backLabel}
        </ButtonLink>
      </div>
    </Form>
  );
}
