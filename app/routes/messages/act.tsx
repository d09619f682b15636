import { Form, redirect } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { conversationActSchema } from "#app/domain/messages/schema.ts";
import type { ConversationAct } from "#app/domain/messages/schema.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import type { Route } from "./+types/act.ts";
import { domainContext } from "#app/http/contexts.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conversa · Mensagens · Coreto" }];

/** After these the conversation is not shown: it would be read, or is in another list. */
const LEAVES: readonly ConversationAct[] = ["unread", "archive", "refuse", "clear"];

export function loader({ context, url }: Route.LoaderArgs) {
  requireActor({ context }, "messages:write");
  return { isClearing: url.searchParams.get("act") === "clear" };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { id } = params;
  return await submitForSpace(
    { request, context },
    "messages:write",
    conversationActSchema,
    async ({ act }, actor) => {
      await changeConversation(context.get(domainContext), {
        conversationId: id,
        personId: actor.space.personId,
        act,
      });
      return redirect(LEAVES.includes(act) ? "/messages" : `/messages/${id}`);
    },
  );
}

/** Asks before a conversation is cleared, and shows what was refused. */
export default function ActPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  const asksToClear = loaderData.isClearing && !message;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={
          message ? "Não deu certo" : asksToClear ? "Limpar esta conversa para você?" : "Conversa"
        }
        lead={
          asksToClear
            ? "As mensagens de até agora somem só para você. Isto não pode ser desfeito."
            : undefined
        }
      />
      <FormMessage message={message} />
      <Form method="post" className="flex flex-wrap gap-2">
        <ActingField />
        {asksToClear ? (
          <Button name="act" value="clear" variant="danger">
            Limpar
          </Button>
        ) : null}
        <ButtonLink to={`/messages/${params.id}`} variant="outline">
          Voltar à conversa
        </ButtonLink>
      </Form>
    </div>
  );
}
