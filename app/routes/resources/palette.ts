import { z } from "zod";
import { loadExplore } from "#app/domain/discovery/queries.server.ts";
import { exploreSchema, QUERY_MAX } from "#app/domain/discovery/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { resolveActor } from "#app/http/acting.server.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import type { Route } from "./+types/palette.ts";

const MOST_SHOWN = 5;

const askedSchema = z.object({ q: z.string().trim().max(QUERY_MAX).catch("").default("") });

/**
 * Returns what the palette finds: people and posts as `/explore` does, and the permissions that
 * decide which pages it lists. Without `q` only the permissions.
 */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { q } = askedSchema.parse(Object.fromEntries(url.searchParams));
  return await memberResponse(context, async (ctx, viewer) => {
    const { actor } = await resolveActor(ctx, request, viewer);
    await enforceSearchLimit(context, { memberId: `palette:${viewer.id}`, query: q });
    const found =
      q === ""
        ? null
        : await loadExplore(ctx, { ...exploreSchema.parse({ q }), viewerId: viewer.id });
    return {
      permissions: {
        editsPlans: actor.may("plans:edit"),
        seesMoney: actor.may("money:see"),
        managesBilling: actor.may("billing:manage"),
      },
      people: [...(found?.people.items ?? []), ...(found?.near ?? [])]
        .slice(0, MOST_SHOWN)
        .map(({ username, name, avatarMediaId }) => ({
          username,
          name,
          avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
        })),
      posts: (found?.posts.items ?? []).slice(0, MOST_SHOWN).map(({ id, title, author }) => ({
        id,
        title,
        author: author.name,
      })),
    };
  });
}
