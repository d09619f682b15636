import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { reactToChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { messageReactionSchema } from "#app/domain/messages/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { numberOf } from "./chat-page.server.ts";
import type { Route } from "./+types/chat-reaction.ts";

export const meta: Route.MetaFunction = () => [{ title: "Reagir no chat · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  return await handleForm(request, messageReactionSchema, async ({ emoji }) => {
    await reactToChatMessage(context.get(domainContext), {
      eventId: params.id,
      personId: context.get(memberContext).id,
      seq: numberOf(params.seq) ?? 0,
      emoji: emoji ?? null,
    });
    return redirect(`/events/${params.id}/live#m-${params.seq}`);
  });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/** Shows a reaction that was refused without JavaScript. */
export default function ChatReactionPage({ actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={message ? "Não deu certo" : "Reagir"} />
      <FormMessage message={message} />
      <ButtonLink to={`/events/${params.id}/live`} variant="outline" className="self-start">
        Voltar ao chat
      </ButtonLink>
    </div>
  );
}
