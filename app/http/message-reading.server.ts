import type { RouterContextProvider } from "react-router";
import { readConversation } from "#app/domain/messages/commands/members.server.ts";
import type { ConversationHead } from "#app/domain/messages/schema.ts";
import { didWriteContext, domainContext } from "./contexts.ts";

/** Marks an opened conversation as read, if anything of it is unread, up to what was loaded. */
export async function markOpened(
  context: Readonly<RouterContextProvider>,
  { head, personId }: { head: ConversationHead; personId: string },
): Promise<void> {
  if (!head.isUnread && head.readSeq >= head.lastSeq) return;
  const isAccepted = head.box === "inbox" || head.box === "archived";
  await readConversation(context.get(domainContext), {
    conversationId: head.id,
    personId,
    lastSeq: head.lastSeq,
    otherId: isAccepted && head.showsReads ? head.other.id : null,
  });
  context.set(didWriteContext, true);
}
