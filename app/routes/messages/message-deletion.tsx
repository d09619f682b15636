import { Form, redirect } from "react-router";
import { z } from "zod";
import { MessageText } from "#app/components/messages/message-text.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { deleteMessage } from "#app/domain/messages/commands/messages.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { ownMessageOf, seqParam } from "./own-message.server.ts";
import type { Route } from "./+types/message-deletion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Apagar mensagem · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { body, hasFile, isBought } = await ownMessageOf(context, params);
  return { text: body, hasFile, isBought };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    z.object({}),
    async (_, actor) => {
      await deleteMessage(context.get(domainContext), {
        conversationId: params.id,
        seq: seqParam(params.seq),
        personId: actor.space.personId,
      });
      return redirect(`/messages/${params.id}#m-${params.seq}`);
    },
  );
}

export default function DeleteMessage({ loaderData, actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  return (
    <>
      <PageHeader
        title="Apagar esta mensagem?"
        lead="Ela some para as duas pessoas. No lugar fica “Mensagem apagada”."
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={message} />
        {loaderData.text === "" ? null : <MessageText text={loaderData.text} />}
        {loaderData.hasFile ? <p className="text-muted">Com um arquivo, que some também.</p> : null}
        {loaderData.isBought ? (
          <p>Este arquivo foi comprado. Quem comprou recebe o dinheiro de volta um dia depois.</p>
        ) : null}
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <Button variant="danger">Apagar para todos</Button>
          <ButtonLink to={`/messages/${params.id}`} variant="outline">
            Voltar à conversa
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
