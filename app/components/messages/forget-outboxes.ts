/** Before the names of the outboxes in the browser's storage. */
export const OUTBOX_NAME = "coreto-outbox:";

/** Deletes what other accounts of this browser left to send; without an account, everything. */
export function forgetOutboxes(except: string | null = null): void {
  try {
    for (const name of Object.keys(localStorage))
      if (
        name.startsWith(OUTBOX_NAME) &&
        (except === null || !name.startsWith(`${OUTBOX_NAME}${except}:`))
      )
        localStorage.removeItem(name);
  } catch {
    // Nothing is stored where storage is switched off.
  }
}
