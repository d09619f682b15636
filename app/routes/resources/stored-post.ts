import { valuesOfPost } from "#app/components/composer/values.ts";
import type { ServerCopy } from "#app/components/composer/local-copies.ts";
import { postToEdit, storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/stored-post.ts";

/**
 * Returns what the server stores of a post. A browser with a copy of its composer learns whether it
 * has anything left to recover.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const authorId = requireActor({ context }, "posts:publish").space.personId;
  const [row, composed] = await Promise.all([
    storedPost(ctx, { postId: params.id }),
    postToEdit(ctx, { postId: params.id, authorId }),
  ]);
  const savedCopy: ServerCopy | null =
    row?.authorId === authorId
      ? {
          state: row.state,
          savedByTab: row.savedByTab,
          values: composed && valuesOfPost(composed, { tab: row.savedByTab }),
        }
      : null;
  return Response.json({ savedCopy }, { headers: { "Cache-Control": "private, no-store" } });
}
