import { data } from "react-router";
import type { RouterContextProvider } from "react-router";
import { MessageNotFound } from "#app/domain/messages/errors.ts";
import { messageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import type { MessageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";

/** The seq of an address; 0, which no message has, for anything else. */
export const seqParam = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** Reads a message that the actor's page sent, for a form about it. Otherwise a 404. */
export async function ownMessageOf(
  context: Readonly<RouterContextProvider>,
  { id, seq }: { id: string; seq: string },
): Promise<MessageSnapshot> {
  const { personId } = requireActor({ context }, "messages:write").space;
  const found = await messageSnapshot(context.get(domainContext), {
    conversationId: id,
    seq: seqParam(seq),
    personId,
  });
  if (!found?.isOwn || found.isDeleted || found.isTip)
    throw data({ message: new MessageNotFound().message }, { status: 404 });
  return found;
}
