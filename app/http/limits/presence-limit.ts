import type { RouterContextProvider } from "react-router";
import { Refusal } from "#app/domain/errors.ts";
import { cloudflareContext } from "#app/http/contexts.ts";

/**
 * Refuses more questions about presence, and notices of typing, than the open pages of one member
 * send. Nothing is written to the database for them.
 */
export async function enforcePresenceLimit(
  context: Readonly<RouterContextProvider>,
  { memberId }: { memberId: string },
): Promise<void> {
  const { PRESENCE_LIMITER: limiter } = context.get(cloudflareContext).env;
  if (!limiter || (await limiter.limit({ key: memberId })).success) return;
  throw new Refusal("limit", "Muitos avisos seguidos. Espere um minuto.");
}
