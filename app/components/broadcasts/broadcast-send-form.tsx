import { Form, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { FormProblem } from "#app/lib/form-problem.ts";

/** The form that sends a broadcast, or schedules it. `sendAt` is a `datetime-local` value. */
export function BroadcastSendForm({
  id,
  sendAt,
  problem,
}: {
  id: string;
  sendAt: string;
  problem?: FormProblem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form
      method="post"
      action={`/messages/broadcasts/${id}/schedule`}
      className="flex flex-col gap-4"
    >
      <ActingField />
      <FormMessage message={problem?.message} />
      <TextField
        type="datetime-local"
        label="Enviar em"
        name="sendAt"
        defaultValue={problem?.values["sendAt"] ?? sendAt}
        error={problem?.errors["sendAt"]}
        required={false}
        hint="Em branco, sai agora. Com data, sai sozinha nessa hora, pelo horário de Brasília."
      />
      <Button disabled={isBusy} className="self-start">
        Enviar
      </Button>
    </Form>
  );
}
