import { redirect } from "react-router";
import { messagePlace } from "#app/domain/messages/queries/message.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/paid-message.ts";

/** Leads to a bought message in its conversation. It is of the member who paid, not of a team. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const place = foundOr404(
    await messagePlace(context.get(domainContext), {
      messageId: params.messageId,
      personId: context.get(memberContext).id,
    }),
    "Não encontramos esta mensagem. Ela pode ter sido apagada.",
  );
  const page = place.isRecent ? "" : `?before=${place.seq + 1}`;
  throw redirect(`/messages/${place.conversationId}${page}#m-${place.seq}`);
}
