import { collectionListing } from "#app/domain/collections/queries/listing.server.ts";
import { COLLECTION_POSTS_MAX } from "#app/domain/collections/rules/limits.ts";
import { LIMIT_MAX, pageQuerySchema } from "#app/http/api/api-schema.ts";
import { apiCollection } from "#app/http/api/api-views.ts";
import {
  apiResponse,
  apiViewer,
  collectionNotFound,
  methodNotAllowed,
  parseApiQuery,
} from "#app/http/api/api.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/collection.ts";

export function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = apiViewer(context, "posts:read")?.id ?? null;
  return apiResponse(ctx, async () => {
    const asked = parseApiQuery(url, pageQuerySchema(COLLECTION_POSTS_MAX + LIMIT_MAX));
    const listing = await collectionListing(ctx, { collectionId: params.id, viewerId, ...asked });
    if (!listing) throw collectionNotFound();
    return apiCollection(ctx, listing, asked);
  });
}

export const action = methodNotAllowed("GET");
