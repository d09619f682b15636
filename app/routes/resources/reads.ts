import { z } from "zod";
import { LONGEST_READ_SECONDS } from "#app/domain/analytics/views/schema.ts";
import { beaconFields } from "#app/http/beacon.server.ts";
import { countRead } from "#app/http/visits.server.ts";
import type { Route } from "./+types/reads.ts";

const readSchema = z.object({
  post: z.string().regex(/^[\w-]{1,64}$/),
  /** How long the page was in sight of somebody who did something, in seconds. */
  seconds: z.coerce.number().int().min(1),
});

/** The page of a post says once, as it is left, for how long it was read. Nothing is answered. */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const fields = await beaconFields(request, readSchema);
  if (fields !== null) {
    const seconds = Math.min(fields.seconds, LONGEST_READ_SECONDS);
    countRead({ context, request }, { postId: fields.post, seconds });
  }
  return new Response(null, { status: 204 });
}
