import { mediaFor } from "#app/domain/media/queries.server.ts";
import { isMediaVariant } from "#app/domain/media/rules.ts";
import { feedReader } from "#app/domain/syndication/queries/feeds.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { FEED_RETRY_AFTER_SECONDS, isFeedFileGenuine } from "#app/http/feeds.server.ts";
import { mediaFileResponse, fileNotFoundResponse } from "#app/http/file-response.ts";
import { NOINDEX_HEADERS } from "#app/http/noindex.ts";
import type { Route } from "./+types/private-file.ts";

/**
 * A file of a private feed, or a part of it, for players that keep no session and come back after
 * weeks. The link says which feed asks; whether that feed lives and what its owner may have is
 * decided on every request.
 */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { feedId, mediaId, variant, signature } = params;
  if (
    !isMediaVariant(variant) ||
    !(await isFeedFileGenuine(ctx, { feedId, mediaId, variant }, signature))
  )
    return fileNotFoundResponse();
  // Before the database is asked: whose address it is, the signature already says.
  const { FEED_FILE_LIMITER: limiter } = context.get(cloudflareContext).env;
  if (limiter && !(await limiter.limit({ key: feedId })).success) return tooOften();
  const reader = await feedReader(ctx, { feedId });
  const servable = reader && (await mediaFor(ctx, { viewerId: reader.personId, mediaId, variant }));
  if (!servable) return fileNotFoundResponse();
  // The address is a key, so that no shared cache may keep what it opens, public or not.
  const answer = await mediaFileResponse(ctx, request, {
    mediaId,
    variant,
    servable: { ...servable, isPublic: false },
  });
  for (const [name, value] of Object.entries(NOINDEX_HEADERS)) answer.headers.set(name, value);
  // Readers on the web show it in pages of their own; whoever has the address may.
  answer.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  return answer;
}

function tooOften(): Response {
  const headers = {
    ...NOINDEX_HEADERS,
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "private, no-store",
    "Retry-After": FEED_RETRY_AFTER_SECONDS,
  };
  return new Response("Este arquivo foi pedido vezes demais. Espere um minuto.", {
    status: 429,
    headers,
  });
}
