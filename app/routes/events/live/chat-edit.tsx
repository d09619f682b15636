import { redirect } from "react-router";
import { MessageEditForm } from "#app/components/messages/message-edit-form.tsx";
import { editChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { ChatMessageNotFound } from "#app/domain/event-chat/errors.ts";
import { chatMessage } from "#app/domain/event-chat/queries.server.ts";
import { CHAT_TEXT_MAX } from "#app/domain/event-chat/rules.ts";
import { chatEditSchema } from "#app/domain/event-chat/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { numberOf } from "./chat-page.server.ts";
import type { Route } from "./+types/chat-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar mensagem do chat · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await chatMessage(context.get(domainContext), {
    eventId: params.id,
    viewerId: context.get(memberContext).id,
    seq: numberOf(params.seq) ?? 0,
  });
  const { message } = foundOr404(
    found?.message.isOwn && !found.message.isDeleted ? found : null,
    new ChatMessageNotFound().message,
  );
  return { text: message.text };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await handleForm(request, chatEditSchema, async ({ text }) => {
    await editChatMessage(context.get(domainContext), {
      eventId: params.id,
      personId: context.get(memberContext).id,
      seq: numberOf(params.seq) ?? 0,
      text,
    });
    return redirect(`/events/${params.id}/live#m-${params.seq}`);
  });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

export default function EditChatMessage({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <MessageEditForm
      text={loaderData.text}
      limit={CHAT_TEXT_MAX}
      problem={actionData && "errors" in actionData ? actionData : undefined}
      back={{ to: `/events/${params.id}/live`, text: "Voltar ao chat" }}
    />
  );
}
