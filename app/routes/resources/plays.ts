import { mediaFor } from "#app/domain/media/queries.server.ts";
import { limitedBody } from "#app/http/body.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { countPlay } from "#app/http/visits.server.ts";
import type { Route } from "./+types/plays.ts";

const MEDIA_ID = /^[\w-]{1,64}$/;
/** The form has one id. */
const LARGEST_BODY_BYTES = 1024;

/**
 * A player's page says once that the file began to play. Counts it for who may see the file.
 * Nothing is answered.
 */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const form = await limitedBody(request, LARGEST_BODY_BYTES)
    .formData()
    .catch(() => new FormData());
  const mediaId = form.get("media");
  if (typeof mediaId === "string" && MEDIA_ID.test(mediaId)) {
    const viewerId = context.get(viewerContext)?.id ?? null;
    const asked = { viewerId, mediaId, variant: "original" } as const;
    if (await mediaFor(context.get(domainContext), asked))
      countPlay({ context, request }, { mediaId });
  }
  return new Response(null, { status: 204 });
}
