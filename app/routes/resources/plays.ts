import { z } from "zod";
import { REACH_STEPS } from "#app/domain/analytics/views/schema.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { beaconFields } from "#app/http/beacon.server.ts";
import { countPlay } from "#app/http/visits.server.ts";
import type { Route } from "./+types/plays.ts";

const playSchema = z.object({
  media: z.string().regex(/^[\w-]{1,64}$/),
  /** How many twentieths of it were played; left out when the file began. */
  reach: z.coerce.number().int().min(0).max(REACH_STEPS).optional(),
});

/**
 * A player's page says once that the file began to play, and once at its end how much of it. Counts
 * it for who may see the file. Nothing is answered.
 */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const fields = await beaconFields(request, playSchema);
  if (fields !== null) {
    const viewerId = context.get(viewerContext)?.id ?? null;
    const asked = { viewerId, mediaId: fields.media, variant: "original" } as const;
    if (await mediaFor(context.get(domainContext), asked))
      countPlay({ context, request }, { mediaId: fields.media, reach: fields.reach ?? null });
  }
  return new Response(null, { status: 204 });
}
