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
  await enforceLimitOf(context, { key: memberId, query });
}

/** The same for visitors: all searches from one network count together. */
export async function enforceVisitorSearchLimit(
  context: Readonly<RouterContextProvider>,
  { request, query }: { request: Request; query: string },
): Promise<void> {
  const network = request.headers.get("CF-Connecting-IP");
  if (network) await enforceLimitOf(context, { key: `visitor:${network}`, query });
}

async function enforceLimitOf(
  context: Readonly<RouterContextProvider>,
  { key, query }: { key: string; query: string },
): Promise<void> {
  const { SEARCH_LIMITER: limiter } = context.get(cloudflareContext).env;
  if (query === "" || !limiter || (await limiter.limit({ key })).success) return;
  throw new Refusal("limit", "Muitas buscas seguidas. Espere um minuto e tente de novo.");
}
