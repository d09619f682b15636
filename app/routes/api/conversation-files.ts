import { storeMessageFile } from "#app/domain/messages/commands/files.server.ts";
import { apiResponse, methodNotAllowed, requiredApiViewer } from "#app/http/api/api.server.ts";
import type { StoredFileAnswer } from "#app/http/api/conversations.ts";
import { domainContext } from "#app/http/contexts.ts";
import { allowMethods, parseResourceFile } from "#app/http/resource.server.ts";
import type { Route } from "./+types/conversation-files.ts";

export const loader = methodNotAllowed("POST");

/** Stores a file for a message of the conversation. */
export function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<StoredFileAnswer> => {
    const { id: personId } = requiredApiViewer(context, "messages");
    const file = await parseResourceFile(request);
    return await storeMessageFile(ctx, { conversationId: params.id, personId, file });
  });
}
