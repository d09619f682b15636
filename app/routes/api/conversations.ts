import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { conversationsOf } from "#app/domain/messages/queries/conversations.server.ts";
import { apiNewConversationSchema } from "#app/domain/messages/schema.ts";
import { personByUsername } from "#app/domain/profiles/queries.server.ts";
import {
  apiResponse,
  parseApiBody,
  parseApiQuery,
  requiredApiViewer,
  userNotFound,
} from "#app/http/api/api.server.ts";
import { apiConversation, conversationsQuerySchema } from "#app/http/api/conversations.ts";
import type { ConversationListAnswer, SentMessageAnswer } from "#app/http/api/conversations.ts";
import { domainContext } from "#app/http/contexts.ts";
import { allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/conversations.ts";

/** Lists the conversations of the token's person. */
export function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<ConversationListAnswer> => {
    const { id: personId } = requiredApiViewer(context, "messages");
    const { filter, cursor, limit } = parseApiQuery(url, conversationsQuerySchema);
    const page = await conversationsOf(ctx, { personId, filter, cursor: cursor ?? null, limit });
    return { items: page.items.map(apiConversation), next: page.next };
  });
}

/** Writes to a person by their username, and so starts or finds the conversation. */
export function action({ request, context }: Route.ActionArgs) {
  allowMethods(request, ["GET", "POST"]);
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<SentMessageAnswer> => {
    const { id: personId } = requiredApiViewer(context, "messages");
    const { to, text, clientMessageId } = await parseApiBody(request, apiNewConversationSchema);
    const other = await personByUsername(ctx, { username: to.toLowerCase() });
    if (!other) throw userNotFound();
    return await sendMessage(ctx, {
      personId,
      otherId: other.id,
      writtenById: null,
      text,
      clientMessageId,
    });
  });
}
