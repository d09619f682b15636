import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { conversationsOf } from "#app/domain/messages/queries/conversations.server.ts";
import { messagesOf } from "#app/domain/messages/queries.server.ts";
import type { ListFilter, Message } from "#app/domain/messages/schema.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import type { World } from "./context.ts";

type Person = { id: string };

/** Short forms of the commands of a conversation, for tests. */
export function messageHelpers(world: () => World) {
  const ctx = () => world().ctx;
  const write = (from: Person, to: Person, text = "Oi", clientMessageId = ctx().newId()) =>
    sendMessage(ctx(), {
      personId: from.id,
      otherId: to.id,
      writtenById: null,
      text,
      clientMessageId,
    });
  return {
    write,
    /** `fan` writes to `creator`, who accepts. */
    open: async (fan: Person, creator: Person): Promise<string> => {
      const { conversationId } = await write(fan, creator);
      await changeConversation(ctx(), { conversationId, personId: creator.id, act: "accept" });
      return conversationId;
    },
    listed: async (person: Person, filter: ListFilter = "inbox") =>
      (await conversationsOf(ctx(), { personId: person.id, filter, cursor: null, limit: 50 }))
        .items,
    read: (person: Person, conversationId: string) =>
      messagesOf(ctx(), { conversationId, personId: person.id, limit: 500 }),
    /** The last message of a conversation, as one of its people reads it. */
    last: async (person: Person, conversationId: string): Promise<Message> => {
      const message = (
        await messagesOf(ctx(), { conversationId, personId: person.id, limit: 500 })
      ).at(-1);
      if (!message) throw new Error("no message");
      return message;
    },
    follows: (one: Person, other: Person) =>
      follow(ctx(), { followerId: one.id, creatorId: other.id }),
  };
}

/** Fills the form of a message, without a text where none is given. A list is sent field by field. */
export function messageForm(
  world: World,
  fields: Record<string, string | number | File | readonly (string | File)[]>,
): FormData {
  const form = new FormData();
  form.set("text", "");
  form.set("clientMessageId", world.ctx.newId());
  for (const [name, value] of Object.entries(fields)) {
    form.delete(name);
    const all = typeof value === "object" && !(value instanceof File) ? value : [value];
    for (const one of all) {
      if (one instanceof File) form.append(name, one);
      else form.append(name, String(one));
    }
  }
  return form;
}
