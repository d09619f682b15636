import { Form, redirect } from "react-router";
import { MessageFilesView } from "#app/components/messages/files/message-files-view.tsx";
import { MessageText } from "#app/components/messages/message-text.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { boughtMessage, messagePlace } from "#app/domain/messages/queries/message.server.ts";
import { nounFor } from "#app/domain/text.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/paid-message.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagem com arquivos · Coreto" }];

/**
 * Leads to a bought message in its conversation. It is of the member who paid: while they act for a
 * team, and where a block closed the conversation, the file is shown here.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const asked = { messageId: params.messageId, personId: context.get(memberContext).id };
  const place = await messagePlace(ctx, asked);
  if (place && context.get(actorContext).isOwn) {
    const page = place.isRecent ? "" : `?before=${place.seq + 1}`;
    throw redirect(`/messages/${place.conversationId}${page}#m-${place.seq}`);
  }
  const bought = await boughtMessage(ctx, asked);
  foundOr404(place ?? bought, "Não encontramos esta mensagem. Ela pode ter sido apagada.");
  return { bought, isInConversation: place !== null, here: url.pathname };
}

export default function PaidMessage({
  loaderData: { bought, isInConversation, here },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={
          bought
            ? `${nounFor(bought.files.length, "Arquivo", "Arquivos")} que você comprou`
            : "Mensagem da sua página"
        }
        lead={bought ? `De ${bought.senderName}.` : undefined}
      />
      {bought ? (
        <Card className="mb-6 flex flex-col gap-3 p-5">
          <MessageFilesView files={bought.files} />
          {bought.text === "" ? null : <MessageText text={bought.text} />}
        </Card>
      ) : null}
      {isInConversation ? (
        <Form
          method="post"
          action="/settings/teams/acting"
          className="flex flex-wrap items-center gap-3"
        >
          <input type="hidden" name="team" value="" />
          <input type="hidden" name="to" value={here} />
          <p>A conversa é da sua página, e você está na de outra pessoa.</p>
          <Button variant="outline">Voltar para a sua página e abrir</Button>
        </Form>
      ) : (
        <p className="text-muted">
          A conversa está fechada para você. O que você comprou continua seu.
        </p>
      )}
    </>
  );
}
