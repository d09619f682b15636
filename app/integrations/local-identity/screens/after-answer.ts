import { quietly } from "#app/domain/identity/commands/letters.server.ts";
import type { LocalAskedLater } from "./asked.server.ts";

/** Enough time for a response to be sent. */
const ANSWER_MS = 100;

/**
 * Runs `act` after the response was sent. Work that only an existing account causes must not start
 * earlier, because it would delay the response measurably
 * (docs/decisions/identity/prove-the-email-before-the-account-exists.md).
 */
export function afterAnswer(
  { ctx, waitUntil }: Pick<LocalAskedLater, "ctx" | "waitUntil">,
  act: () => Promise<void>,
): void {
  const gone = new Promise<void>((resolve) => setTimeout(resolve, ANSWER_MS));
  waitUntil(gone.then(() => quietly(ctx, act)));
}
