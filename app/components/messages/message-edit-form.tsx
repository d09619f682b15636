import { Form } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { FormProblem } from "#app/lib/form-problem.ts";

/** The page "Editar mensagem" of a conversation, and of the chat of an event. */
export function MessageEditForm({
  text,
  limit,
  problem,
  back,
}: {
  text: string;
  /** The most letters. */
  limit: number;
  problem: FormProblem | undefined;
  back: { to: string; text: string };
}) {
  return (
    <>
      <PageHeader title="Editar mensagem" lead="Vale nos 15 primeiros minutos." />
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <ActingField />
          <FormMessage message={problem?.message} />
          <TextArea
            label="Mensagem"
            name="text"
            rows={4}
            limit={limit}
            required
            dir="auto"
            defaultValue={problem?.values["text"] ?? text}
            error={problem?.errors["text"]}
          />
          <div className="flex flex-wrap gap-2">
            <Button>Salvar</Button>
            <ButtonLink to={back.to} variant="outline">
              {back.text}
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
