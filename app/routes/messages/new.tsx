import { redirect } from "react-router";
import { MessageComposer } from "#app/components/messages/message-composer.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { decideWriting, WRITING_PROBLEM_TEXTS } from "#app/domain/messages/rules/writing.ts";
import { messageSchema } from "#app/domain/messages/schema.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/new.ts";

export const meta: Route.MetaFunction = () => [{ title: "Nova mensagem · Coreto" }];

/** Leads to the conversation with a person, or to the form of its first message. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { personId } = requireActor({ context }, "messages:write").space;
  const other = foundOr404(await profileFor(ctx, { key: params.username, viewerId: personId }));
  const clientMessageId = ctx.newId();
  const found = foundOr404(
    await loadWriting(ctx, { personId, otherId: other.id }, clientMessageId),
  );
  if (found.conversationId !== null && !found.isBlocked)
    throw redirect(`/messages/${found.conversationId}`);
  const { box, problem } = decideWriting(found);
  return {
    name: other.name,
    username: other.username,
    clientMessageId,
    isRequest: box === "request",
    closed: problem && WRITING_PROBLEM_TEXTS[problem],
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return await submitForSpace(
    { request, context },
    "messages:write",
    messageSchema,
    async ({ text, clientMessageId }, actor) => {
      const other = foundOr404(await profileFor(ctx, { key: params.username, viewerId: null }));
      const { conversationId } = await sendMessage(ctx, {
        personId: actor.space.personId,
        otherId: other.id,
        writtenById: actingPersonId(actor),
        text,
        clientMessageId,
      });
      return redirect(`/messages/${conversationId}#fim`);
    },
  );
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

export default function NewMessage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, username, isRequest, closed, clientMessageId } = loaderData;
  const here = `/messages/new/${username}`;
  return (
    <>
      <PageHeader
        title={`Mensagem para ${name}`}
        lead={isRequest ? `${name} recebe como um pedido, e decide se quer conversar.` : undefined}
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        {closed === null ? (
          <MessageComposer
            action={here}
            here={here}
            clientMessageId={clientMessageId}
            replyTo={null}
            problem={actionData && "errors" in actionData ? actionData : undefined}
          />
        ) : (
          <p>{closed}</p>
        )}
        <ButtonLink to={`/space/${username}`} variant="outline" className="self-start">
          Voltar à página
        </ButtonLink>
      </Card>
    </>
  );
}
