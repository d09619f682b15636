import type { RouterContextProvider } from "react-router";
import { Refusal } from "#app/domain/errors.ts";
import { cloudflareContext } from "#app/http/contexts.ts";

/** Limits requests to secret addresses per network: guessing is slowed down before anything is read. */
export async function enforceSecretUrlLimit(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<void> {
  const { FEED_LIMITER: limiter } = context.get(cloudflareContext).env;
  const place = request.headers.get("CF-Connecting-IP");
  if (!limiter || !place || (await limiter.limit({ key: `gift:${place}` })).success) return;
  throw new Refusal("limit", "Muitas tentativas seguidas. Espere um minuto e tente de novo.");
}
