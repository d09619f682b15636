import { useNavigation } from "react-router";
import { SpaceForm } from "#app/components/shell/space-form.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { REQUEST_REPLY_MAX } from "#app/domain/events/requests/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

/** The form that answers a request for seats, with a message if the creator wants to write one. */
export function RequestReply({
  heading,
  name,
  means,
  label,
  variant,
  backTo,
  problem,
}: {
  heading: string;
  name: string;
  means: string;
  label: string;
  variant: "primary" | "danger";
  backTo: string;
  problem: FormProblem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title={heading} lead={name} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p>{means}</p>
        <SpaceForm problem={problem}>
          <TextArea
            label="Recado"
            name="reply"
            rows={3}
            defaultValue={problem?.values["reply"]}
            error={problem?.errors["reply"]}
            limit={REQUEST_REPLY_MAX}
            required={false}
            hint="A pessoa lê no aviso."
          />
          <div className="flex flex-wrap gap-2">
            <Button variant={variant} disabled={isBusy}>
              {label}
            </Button>
            <ButtonLink to={backTo} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </SpaceForm>
      </Card>
    </>
  );
}
