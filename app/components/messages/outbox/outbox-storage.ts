import { inMemory, OUTBOX_NAME } from "./forget-outboxes.ts";
import type { StoredMessage } from "./forget-outboxes.ts";

/** Whose messages: those of one account, for the page that it writes for. */
export type OutboxOwner = { account: string; space: string };

const nameOf = ({ account, space }: OutboxOwner): string => `${OUTBOX_NAME}${account}:${space}`;

/** Reads the messages on their way, in their order. */
export function storedMessages(owner: OutboxOwner): StoredMessage[] {
  const name = nameOf(owner);
  try {
    return inMemory.get(name) ?? parsed(localStorage.getItem(name)) ?? [];
  } catch {
    return inMemory.get(name) ?? [];
  }
}

/** Changes the messages on their way. Reads them anew, because another tab may have changed them. */
export function changeStored(
  owner: OutboxOwner,
  change: (messages: StoredMessage[]) => StoredMessage[],
): void {
  const name = nameOf(owner);
  const messages = change(storedMessages(owner));
  try {
    if (messages.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(messages));
    inMemory.delete(name);
  } catch {
    // Full or switched off: the page holds them while it is open.
    inMemory.set(name, messages);
  }
}

/** Null for nothing stored, and for what this version did not write. */
function parsed(text: string | null): StoredMessage[] | null {
  if (text === null) return null;
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages.filter(isStored) : null;
  } catch {
    return null;
  }
}

function isStored(message: unknown): message is StoredMessage {
  if (typeof message !== "object" || message === null) return false;
  const { conversationId, clientMessageId, text, replyTo, problem } = message as Partial<
    Record<keyof StoredMessage, unknown>
  >;
  return (
    [conversationId, clientMessageId, text].every((field) => typeof field === "string") &&
    (replyTo === null || typeof replyTo === "number") &&
    (problem === null || typeof problem === "string")
  );
}
