import { forgetDoors } from "#app/components/events/door/forget-doors.ts";

/** An own message that the server does not have yet. */
export type StoredMessage = {
  conversationId: string;
  clientMessageId: string;
  text: string;
  replyTo: number | null;
  /** Why the server refused it; null while it waits for the connection. */
  problem: string | null;
  /** How often the server failed at it, and when last (epoch ms). */
  failures?: { count: number; at: number };
};

/** Before the names of the outboxes in the browser's storage. */
export const OUTBOX_NAME = "coreto-outbox:";
/** Before the names of what is typed and not sent. */
export const DRAFT_NAME = "coreto-message-draft:";

/** Holds what the browser refuses to store, by the same names. It ends with the page. */
export const inMemory = new Map<string, StoredMessage[]>();

/** Set in the tab to the account, from the moment a sign-out is sent until the next page. */
const SIGNING_OUT = "coreto-signing-out";

const isOf = (account: string) => (name: string) => name.startsWith(`${OUTBOX_NAME}${account}:`);

/** Deletes what an account left to send, or typed, in this browser. Other accounts keep theirs. */
export function forgetOutboxes(account: string): void {
  const isOutbox = isOf(account);
  for (const name of [...inMemory.keys()].filter(isOutbox)) inMemory.delete(name);
  ifStored(() => {
    for (const name of Object.keys(localStorage))
      if (isOutbox(name) || name.startsWith(`${DRAFT_NAME}${account}:`))
        localStorage.removeItem(name);
  });
}

/** Counts the messages that this browser did not send yet: of one account, or of all. */
export function waitingCount(account?: string): number {
  const isCounted =
    account === undefined ? (name: string) => name.startsWith(OUTBOX_NAME) : isOf(account);
  let count = [...inMemory].flatMap(([name, messages]) => (isCounted(name) ? messages : [])).length;
  ifStored(() => {
    for (const name of Object.keys(localStorage).filter(isCounted)) {
      if (inMemory.has(name)) continue;
      const messages: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
      if (Array.isArray(messages)) count += messages.length;
    }
  });
  return count;
}

/** Notes that the account is being signed out. */
export function beginSignOut(account: string): void {
  ifStored(() => sessionStorage.setItem(SIGNING_OUT, account));
}

/** Notes that the account is still signed in: what it wrote stays. */
export function cancelSignOut(): void {
  ifStored(() => sessionStorage.removeItem(SIGNING_OUT));
}

/** Deletes what the account did not send, on a page for who is signed out, if this tab signed out. */
export function endSignOut(): void {
  ifStored(() => {
    const account = sessionStorage.getItem(SIGNING_OUT);
    if (account === null) return;
    sessionStorage.removeItem(SIGNING_OUT);
    forgetOutboxes(account);
    forgetDoors();
  });
}

/** Does nothing where storage is switched off. */
function ifStored(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing is stored there.
  }
}
