import type { Context } from "#app/domain/context.ts";
import type { ServableMedia } from "#app/domain/media/queries.server.ts";
import type { MediaVariant } from "#app/domain/media/schema.ts";
import { isRangeCurrent, matchesEtag, parseRange } from "./byte-range.ts";

/**
 * Browsers may cache public bytes; the edge revalidates soon, so that a moderation hold takes
 * effect.
 */
const PUBLIC_CACHE = "public, max-age=31536000, s-maxage=300, immutable";
/** Cached by this browser only, and revalidated before each use. */
const PRIVATE_CACHE = "private, no-cache";
/** Captions can be replaced at the same address. */
const PUBLIC_CHANGING_CACHE = "public, no-cache";

/** The response with a file, or the requested part of it, after the viewer's access was checked. */
export async function mediaFileResponse(
  ctx: Context,
  request: Request,
  {
    mediaId,
    variant,
    servable,
  }: { mediaId: string; variant: MediaVariant; servable: ServableMedia },
): Promise<Response> {
  // The bytes of an id, a variant and a version never change, so a revalidation reads none of them.
  const etag =
    servable.version === 0
      ? `"${mediaId}.${variant}"`
      : `"${mediaId}.${variant}.${servable.version}"`;
  const headers = headersOf(servable, etag);
  if (matchesEtag(request.headers.get("If-None-Match"), etag))
    return new Response(null, { status: 304, headers });
  return await bytes(ctx, { request, servable, etag, headers });
}

function headersOf(servable: ServableMedia, etag: string): Record<string, string> {
  const publicCache = servable.version > 0 ? PUBLIC_CHANGING_CACHE : PUBLIC_CACHE;
  return {
    "Content-Type": servable.contentType,
    "Content-Disposition": dispositionOf(servable),
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": servable.isPublic ? "cross-origin" : "same-origin",
    "Cache-Control": servable.isPublic ? publicCache : PRIVATE_CACHE,
    "Accept-Ranges": "bytes",
    ETag: etag,
    ...(servable.isPublic ? {} : { Vary: "Cookie" }),
  };
}

/** A document is downloaded, never opened on our own origin. Source of the format: RFC 6266 and RFC 8187. */
function dispositionOf({ kind, filename }: ServableMedia): string {
  if (kind !== "document") return "inline";
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="arquivo.pdf"; filename*=UTF-8''${encoded}`;
}

type FileResponseInput = {
  request: Request;
  servable: ServableMedia;
  etag: string;
  headers: Record<string, string>;
};

async function bytes(
  ctx: Context,
  { request, servable, etag, headers }: FileResponseInput,
): Promise<Response> {
  const range = isRangeCurrent(request.headers.get("If-Range"), etag)
    ? request.headers.get("Range")
    : null;
  const sizeBytes =
    range === null ? null : (servable.sizeBytes ?? (await ctx.mediaStore.sizeOf(servable.key)));
  const asked = sizeBytes === null ? ({ kind: "whole" } as const) : parseRange(range, sizeBytes);
  if (asked.kind === "unsatisfiable")
    return new Response(null, {
      status: 416,
      headers: { ...headers, "Content-Range": `bytes */${sizeBytes}` },
    });
  if (request.method === "HEAD" && servable.sizeBytes !== null && asked.kind === "whole") {
    return new Response(null, {
      headers: { ...headers, "Content-Length": String(servable.sizeBytes) },
    });
  }
  const object = await ctx.mediaStore.get(
    servable.key,
    asked.kind === "part" ? { first: asked.first, last: asked.last } : undefined,
  );
  if (!object) return fileNotFoundResponse();
  if (asked.kind === "whole")
    return new Response(object.body, {
      headers: { ...headers, "Content-Length": String(object.sizeBytes) },
    });
  return new Response(object.body, {
    status: 206,
    headers: {
      ...headers,
      "Content-Length": String(asked.last - asked.first + 1),
      "Content-Range": `bytes ${asked.first}-${asked.last}/${object.sizeBytes}`,
    },
  });
}

/** The same response for a missing file and for one without access. */
export function fileNotFoundResponse(): Response {
  return new Response("Arquivo não encontrado", {
    status: 404,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
