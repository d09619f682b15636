import type { Context } from "#app/domain/context.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { isMediaVariant } from "#app/domain/media/rules.ts";
import { parseMediaLink } from "#app/domain/media/rules/links.ts";
import type { MediaVariant } from "#app/domain/media/schema.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { mediaFileResponse, fileNotFoundResponse } from "#app/http/files/file-response.ts";
import type { Route } from "./+types/media.ts";

/** Returns one variant of a file, or a range of it, to people who can see it now. Others get 404. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const { id: mediaId, variant } = params;
  if (!isMediaVariant(variant)) return fileNotFoundResponse();
  const ctx = context.get(domainContext);
  const viewerId =
    context.get(viewerContext)?.id ?? (await bearerOfLink(ctx, request, mediaId, variant));
  const servable = await mediaFor(ctx, { viewerId, mediaId, variant });
  if (!servable) return fileNotFoundResponse();
  return mediaFileResponse(ctx, request, { mediaId, variant, servable });
}

/**
 * Returns the person that a signed link was made for. The link only identifies them. Their access
 * is checked as for anybody.
 */
async function bearerOfLink(
  ctx: Context,
  request: Request,
  mediaId: string,
  variant: MediaVariant,
): Promise<string | null> {
  const claimed = parseMediaLink(new URL(request.url).searchParams, {
    mediaId,
    variant,
    now: ctx.now(),
  });
  return claimed && (await ctx.mediaLinks.isGenuine(claimed.link, claimed.signature))
    ? claimed.link.personId
    : null;
}
