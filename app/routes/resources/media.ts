import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { isMediaVariant } from "#app/domain/media/rules.ts";
import type { Route } from "./+types/media.ts";

/** Public bytes may be kept by browsers; the edge asks again soon, so that a moderation hold takes effect. */
const PUBLIC_CACHE = "public, max-age=31536000, s-maxage=300, immutable";
/** Kept by this browser only, and only used after asking again. */
const PRIVATE_CACHE = "private, no-cache";

/** One variant of one image, to whoever may see it at this moment; to anyone else it does not exist. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  if (!isMediaVariant(params.variant)) return nothingHere();
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const servable = await mediaFor(ctx, { viewerId: viewer?.id ?? null, mediaId: params.id, variant: params.variant });
  if (!servable) return nothingHere();
  // The bytes behind an id and a variant never change, so that asking again costs no read of them.
  const etag = `"${params.id}.${params.variant}"`;
  const headers = {
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": servable.isPublic ? "cross-origin" : "same-origin",
    "Cache-Control": servable.isPublic ? PUBLIC_CACHE : PRIVATE_CACHE,
    ETag: etag,
    ...(servable.isPublic ? {} : { Vary: "Cookie" }),
  };
  if (matches(request.headers.get("If-None-Match"), etag)) return new Response(null, { status: 304, headers });
  const object = await ctx.mediaStore.get(servable.key);
  if (!object) return nothingHere();
  return new Response(object.body, { headers: { ...headers, "Content-Type": object.contentType, "Content-Length": String(object.sizeBytes) } });
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  const wanted = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return wanted.includes(etag) || wanted.includes("*");
}

function nothingHere(): Response {
  return new Response("Imagem não encontrada", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff" },
  });
}
