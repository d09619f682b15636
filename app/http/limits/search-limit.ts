import type { RouterContextProvider } from "react-router";
import { Refusal } from "#app/domain/errors.ts";
import { cloudflareContext } from "#app/http/contexts.ts";

/**
 * Refuses more searches of one member than a person types: each is expensive for the one database.
 * Other requests are not counted.
 */
export async function enforceSearchLimit(
  context: Readonly<RouterContextProvider>,
  { memberId, query }: { memberId: string; query: string },
): Promise<void> {
  const { SEARCH_LIMITER: limiter } = context.get(cloudflareContext).env;
  if (query === "" || !limiter || (await limiter.limit({ key: memberId })).success) return;
  throw new Refusal("limit", "Muitas buscas seguidas. Espere um minuto e tente de novo.");
}
