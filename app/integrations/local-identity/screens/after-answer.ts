import { quietly } from "#app/domain/identity/commands/letters.server.ts";
import type { LocalAskedLater } from "./asked.server.ts";

/** Long enough for an answer to be on its way. */
const ANSWER_MS = 100;

/**
 * Leaves `act` for when the answer has gone, quietly: what only an account gets must not even begin
 * beside the answer, which would be a little later for it
 * (docs/decisions/identity/prove-the-email-before-the-account-exists.md).
 */
export function afterAnswer(
  { ctx, waitUntil }: Pick<LocalAskedLater, "ctx" | "waitUntil">,
  act: () => Promise<void>,
): void {
  const gone = new Promise<void>((resolve) => setTimeout(resolve, ANSWER_MS));
  waitUntil(gone.then(() => quietly(ctx, act)));
}
