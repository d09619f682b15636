import { Form, redirect } from "react-router";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { editMessage } from "#app/domain/messages/commands/messages.server.ts";
import { MESSAGE_MAX } from "#app/domain/messages/rules.ts";
import { messageEditSchema } from "#app/domain/messages/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { ownMessageOf, seqParam } from "./own-message.server.ts";
import type { Route } from "./+types/message-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar mensagem · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  return { text: (await ownMessageOf(context, params)).body };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    messageEditSchema,
    async ({ text }, actor) => {
      await editMessage(context.get(domainContext), {
        conversationId: params.id,
        seq: seqParam(params.seq),
        personId: actor.space.personId,
        writtenById: actingPersonId(actor),
        text,
      });
      return redirect(`/messages/${params.id}#m-${params.seq}`);
    },
  );
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

export default function EditMessage({ loaderData, actionData, params }: Route.ComponentProps) {
  const problem: FormProblem | undefined =
    actionData && "errors" in actionData ? actionData : undefined;
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
            limit={MESSAGE_MAX}
            required
            dir="auto"
            defaultValue={problem?.values["text"] ?? loaderData.text}
            error={problem?.errors["text"]}
          />
          <div className="flex flex-wrap gap-2">
            <Button>Salvar</Button>
            <ButtonLink to={`/messages/${params.id}`} variant="outline">
              Voltar à conversa
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
