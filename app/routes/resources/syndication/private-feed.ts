import type { Context } from "#app/domain/context.ts";
import { feedReader, privateFeed } from "#app/domain/syndication/queries/feeds.server.ts";
import { isFeedFile } from "#app/domain/syndication/schema.ts";
import { withConditionalResponse } from "#app/http/headers/conditional.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import {
  textDocumentResponse,
  FEED_RETRY_AFTER_SECONDS,
  feedContentType,
  feedTokenHash,
  privateFeedDocument,
} from "#app/http/public-pages/feeds.server.ts";
import { NOINDEX_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/private-feed.ts";

/**
 * Returns a page's feed as one subscriber can see it now, for readers and players without a
 * session. The address is the credential, so it stays out of public view.
 */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { token, file } = params;
  const { FEED_LIMITER: limiter, FEED_FILE_LIMITER: guessLimiter } =
    context.get(cloudflareContext).env;
  // Before the database is asked: who guesses addresses is slowed down, by their network.
  const place = request.headers.get("CF-Connecting-IP");
  if (guessLimiter && place && !(await guessLimiter.limit({ key: `feeds:${place}` })).success)
    return refused(429, TOO_OFTEN, { "Retry-After": FEED_RETRY_AFTER_SECONDS });
  const tokenHash = isFeedFile(file) ? await feedTokenHash(token) : null;
  const reader = tokenHash && (await feedReader(ctx, { tokenHash }));
  if (!reader || !isFeedFile(file)) return refused(404, GONE);
  if (limiter && !(await limiter.limit({ key: reader.feedId })).success)
    return refused(429, TOO_OFTEN, { "Retry-After": FEED_RETRY_AFTER_SECONDS });
  return (await answer(ctx, request, { reader, token, file })) ?? refused(404, GONE);
}

type Asked = {
  reader: NonNullable<Awaited<ReturnType<typeof feedReader>>>;
  token: string;
  file: Parameters<typeof feedContentType>[0];
};

async function answer(
  ctx: Context,
  request: Request,
  { reader, token, file }: Asked,
): Promise<Response | null> {
  const followed = await privateFeed(ctx, reader);
  if (!followed) return null;
  const text = await privateFeedDocument(ctx, followed, { feedId: reader.feedId, token, file });
  return withConditionalResponse(
    request,
    await textDocumentResponse(text, feedContentType(file), {
      ...NOINDEX_HEADERS,
      "Cache-Control": "private, no-cache",
    }),
  );
}

const GONE = "Este feed não existe mais. Se você assina, gere outro endereço em Ajustes, Feeds.";
const TOO_OFTEN = "Este feed foi pedido vezes demais. Espere um minuto.";

function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  return new Response(message, {
    status,
    headers: {
      ...NOINDEX_HEADERS,
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "private, no-store",
      ...headers,
    },
  });
}
