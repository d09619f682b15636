import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { ConversationNotFound } from "#app/domain/messages/errors.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { apiMessageSchema } from "#app/domain/messages/schema.ts";
import {
  apiResponse,
  parseApiBody,
  parseApiQuery,
  requiredApiViewer,
} from "#app/http/api/api.server.ts";
import { apiStoredMessage, messagesQuerySchema } from "#app/http/api/conversations.ts";
import type { MessageListAnswer, SentMessageAnswer } from "#app/http/api/conversations.ts";
import { domainContext } from "#app/http/contexts.ts";
import { allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/conversation.ts";

/** Reads messages of a conversation. Marks nothing as read. */
export function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<MessageListAnswer> => {
    const { id: personId } = requiredApiViewer(context, "messages");
    const { after, before, limit } = parseApiQuery(url, messagesQuerySchema);
    const found = await conversationWith(ctx, {
      conversationId: params.id,
      personId,
      limit,
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
    });
    if (!found) throw new ConversationNotFound();
    return { items: found.messages.map(apiStoredMessage) };
  });
}

/** Sends a message into a conversation. */
export function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["GET", "POST"]);
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<SentMessageAnswer> => {
    const { id: personId } = requiredApiViewer(context, "messages");
    const { text, clientMessageId, replyTo, files } = await parseApiBody(request, apiMessageSchema);
    const place = { conversationId: params.id, personId, clientMessageId };
    return await sendMessage(ctx, {
      ...place,
      writtenById: null,
      text,
      replyToSeq: replyTo,
      files: await prepareMessageFiles(ctx, {
        ...place,
        uploaded: files.map(({ id, alt = "" }) => ({ mediaId: id, alt })),
        files: [],
        isSensitive: false,
        recording: null,
        priceCents: null,
      }),
    });
  });
}
