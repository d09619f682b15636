import { mediaFor } from "#app/domain/media/queries.server.ts";
import { isMediaVariant } from "#app/domain/media/rules.ts";
import { feedReader } from "#app/domain/syndication/queries/feeds.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import {
  FEED_RETRY_AFTER_SECONDS,
  isFeedFileGenuine,
} from "#app/http/public-pages/feeds.server.ts";
import { mediaFileResponse, fileNotFoundResponse } from "#app/http/files/file-response.ts";
import { NOINDEX_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/private-file.ts";

/**
 * Returns a file of a private feed, or a range of it, for players without a session that return
 * after weeks. The link identifies the feed. Every request checks that the feed exists and what its
 * owner can access.
 */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { feedId, mediaId, variant, signature } = params;
  if (
    !isMediaVariant(variant) ||
    !(await isFeedFileGenuine(ctx, { feedId, mediaId, variant }, signature))
  )
    return fileNotFoundResponse();
  // The rate limit comes before the database. The signature already identifies the feed.
  const { FEED_FILE_LIMITER: limiter } = context.get(cloudflareContext).env;
  if (limiter && !(await limiter.limit({ key: feedId })).success) return tooOften();
  const reader = await feedReader(ctx, { feedId });
  const servable = reader && (await mediaFor(ctx, { viewerId: reader.personId, mediaId, variant }));
  if (!servable) return fileNotFoundResponse();
  // The address is a credential, so no shared cache can store the file, even a public one.
  const answer = await mediaFileResponse(ctx, request, {
    mediaId,
    variant,
    servable: { ...servable, isPublic: false },
  });
  for (const [name, value] of Object.entries(NOINDEX_HEADERS)) answer.headers.set(name, value);
  // Web readers show the file in their own pages, which anyone with the address can do.
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
