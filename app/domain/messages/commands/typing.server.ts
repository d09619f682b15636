import type { Context } from "#app/domain/context.ts";
import { ConversationNotFound } from "#app/domain/messages/errors.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";

type InConversation = { conversationId: string; personId: string };

/**
 * Notifies the open pages of the other side that the person is typing. Stores nothing. Does nothing
 * before the conversation is accepted, and where one of the two hides it. Refuses
 * ConversationNotFound.
 */
export async function sendTyping(ctx: Context, one: InConversation): Promise<void> {
  const found = await conversationWith(ctx, { ...one, limit: 0 });
  if (!found) throw new ConversationNotFound();
  const { head } = found;
  if (head.showsPresence && head.writingProblem === null)
    await ctx.live.typing(inboxTopic(head.other.id), head.id);
}

/**
 * Whether the other side has its messages open now. False before the conversation is accepted, and
 * where one of the two hides it. Refuses ConversationNotFound.
 */
export async function isOtherPresent(ctx: Context, one: InConversation): Promise<boolean> {
  const found = await conversationWith(ctx, { ...one, limit: 0 });
  if (!found) throw new ConversationNotFound();
  const { head } = found;
  return head.showsPresence && (await ctx.live.isListening(inboxTopic(head.other.id)));
}
