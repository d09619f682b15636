import { DEEPEST_ITEM, postsPage } from "#app/domain/posts/queries.server.ts";
import { pageQuerySchema } from "#app/http/api/api-schema.ts";
import type { PostList } from "#app/http/api/api-schema.ts";
import { apiPost } from "#app/http/api/api-views.ts";
import {
  apiResponse,
  apiViewer,
  methodNotAllowed,
  parseApiQuery,
} from "#app/http/api/api.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/posts.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = apiViewer(context, "posts:read")?.id ?? null;
  return apiResponse(ctx, async (): Promise<PostList> => {
    const { page, limit } = parseApiQuery(url, pageQuerySchema(DEEPEST_ITEM));
    const { items, totalItems } = await postsPage(ctx, { viewerId, page, limit });
    return {
      items: items.map((post) => apiPost(ctx, post)),
      pagination: { limit, page, totalItems },
    };
  });
}

export const action = methodNotAllowed("GET");
