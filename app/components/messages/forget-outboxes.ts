import { forgetDoors } from "#app/components/events/forget-doors.ts";

/** An own message that the server does not have yet. */
export type StoredMessage = {
  conversationId: string;
  clientMessageId: string;
  text: string;
  replyTo: number | null;
  /** Why the server refused it; null while it waits for the connection. */
  problem: string | null;
};

/** Before the names of the outboxes in the browser's storage. */
export const OUTBOX_NAME = "coreto-outbox:";

/** Holds what the browser refuses to store, by the same names. It ends with the page. */
export const inMemory = new Map<string, StoredMessage[]>();

/** Set in the tab from the moment a sign-out is sent until the next page tells how it went. */
const SIGNING_OUT = "coreto-signing-out";

/** Deletes what other accounts of this browser left to send; without an account, everything. */
export function forgetOutboxes(except: string | null = null): void {
  const isForgotten = (name: string) =>
    name.startsWith(OUTBOX_NAME) &&
    (except === null || !name.startsWith(`${OUTBOX_NAME}${except}:`));
  for (const name of [...inMemory.keys()].filter(isForgotten)) inMemory.delete(name);
  ifStored(() => {
    for (const name of Object.keys(localStorage).filter(isForgotten)) localStorage.removeItem(name);
  });
}

/** Counts the messages that this browser did not send yet. */
export function waitingCount(): number {
  let count = [...inMemory.values()].flat().length;
  ifStored(() => {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(OUTBOX_NAME) || inMemory.has(name)) continue;
      const messages: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
      if (Array.isArray(messages)) count += messages.length;
    }
  });
  return count;
}

/** Notes that the account is being signed out. */
export function beginSignOut(): void {
  ifStored(() => sessionStorage.setItem(SIGNING_OUT, "1"));
}

/** Notes that the account is still signed in: what it wrote stays. */
export function cancelSignOut(): void {
  ifStored(() => sessionStorage.removeItem(SIGNING_OUT));
}

/** Deletes what was not sent, on a page for who is signed out, if this tab signed out. */
export function endSignOut(): void {
  ifStored(() => {
    if (sessionStorage.getItem(SIGNING_OUT) === null) return;
    sessionStorage.removeItem(SIGNING_OUT);
    forgetOutboxes();
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
