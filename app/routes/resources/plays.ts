import { countPlay } from "#app/http/visits.server.ts";
import type { Route } from "./+types/plays.ts";

const MEDIA_ID = /^[\w-]{1,64}$/;

/** A player's page says once that the file began to play. Nothing is answered and nobody waits. */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const mediaId = (await request.formData()).get("media");
  if (typeof mediaId === "string" && MEDIA_ID.test(mediaId))
    countPlay({ context, request }, { mediaId });
  return new Response(null, { status: 204 });
}
