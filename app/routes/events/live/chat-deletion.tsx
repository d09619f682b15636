import { redirect } from "react-router";
import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { deleteChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { ChatMessageNotFound } from "#app/domain/event-chat/errors.ts";
import { chatMessage } from "#app/domain/event-chat/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { numberOf } from "./chat-page.server.ts";
import type { Route } from "./+types/chat-deletion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Apagar mensagem do chat · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await chatMessage(context.get(domainContext), {
    eventId: params.id,
    viewerId: context.get(memberContext).id,
    seq: numberOf(params.seq) ?? 0,
  });
  const { message } = foundOr404(
    found?.mayDelete && !found.message.isDeleted ? found : null,
    new ChatMessageNotFound().message,
  );
  return { text: message.text };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await deleteChatMessage(context.get(domainContext), {
      eventId: params.id,
      personId: context.get(memberContext).id,
      seq: numberOf(params.seq) ?? 0,
    });
    return redirect(`/events/${params.id}/live#m-${params.seq}`);
  });
}

export default function DeleteChatMessage({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Apagar esta mensagem do chat?"
      title={loaderData.text}
      means="Ela some para todo mundo. No lugar fica “Mensagem apagada”."
      button={<Button variant="danger">Apagar para todos</Button>}
      backTo={`/events/${params.id}/live`}
      message={actionData?.message}
    />
  );
}
