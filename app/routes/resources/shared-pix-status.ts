import { sharedPix } from "#app/domain/payments/shared-pix/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { NOINDEX_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/shared-pix-status.ts";

const HEADERS = { ...NOINDEX_HEADERS, "Cache-Control": "no-store" };

/** Returns the status of a shared Pix, for the page of the person who was asked to pay it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const shared = await sharedPix(context.get(domainContext), params);
  if (!shared)
    return Response.json(
      { error: "Este endereço não vale mais." },
      { status: 404, headers: HEADERS },
    );
  return Response.json({ status: shared.state }, { headers: HEADERS });
}
