import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { reactToMessage } from "#app/domain/messages/commands/messages.server.ts";
import { messageReactionSchema } from "#app/domain/messages/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { seqParam } from "./own-message.server.ts";
import type { Route } from "./+types/message-reaction.ts";

export const meta: Route.MetaFunction = () => [{ title: "Reagir · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    messageReactionSchema,
    async ({ emoji }, actor) => {
      await reactToMessage(context.get(domainContext), {
        conversationId: params.id,
        seq: seqParam(params.seq),
        personId: actor.space.personId,
        emoji: emoji ?? null,
      });
      return redirect(`/messages/${params.id}#m-${params.seq}`);
    },
  );
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/** Shows a reaction that was refused without JavaScript. */
export default function ReactionPage({ actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={message ? "Não deu certo" : "Reagir"} />
      <FormMessage message={message} />
      <ButtonLink to={`/messages/${params.id}`} variant="outline" className="self-start">
        Voltar à conversa
      </ButtonLink>
    </div>
  );
}
