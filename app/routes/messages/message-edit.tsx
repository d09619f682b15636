import { redirect } from "react-router";
import { MessageEditForm } from "#app/components/messages/message-edit-form.tsx";
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
    <MessageEditForm
      text={loaderData.text}
      limit={MESSAGE_MAX}
      problem={problem}
      back={{ to: `/messages/${params.id}`, text: "Voltar à conversa" }}
    />
  );
}
