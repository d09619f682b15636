import { postFor } from "#app/domain/posts/queries.server.ts";
import { apiPost } from "#app/http/api/api-views.ts";
import {
  apiResponse,
  apiViewer,
  methodNotAllowed,
  postNotFound,
} from "#app/http/api/api.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/post.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = apiViewer(context, "posts:read")?.id ?? null;
  return apiResponse(ctx, async () => {
    const post = await postFor(ctx, { postId: params.id, viewerId });
    if (!post) throw postNotFound();
    return apiPost(ctx, post);
  });
}

export const action = methodNotAllowed("GET");
