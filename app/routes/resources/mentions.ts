import { z } from "zod";
import { mentionSuggestions } from "#app/domain/comments/queries/mentions.server.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import type { Route } from "./+types/mentions.ts";

const askedSchema = z.object({
  q: z.string().max(40).catch("").default(""),
  post: z.string().max(64).nullable().catch(null).default(null),
});

/** Returns people to mention in a comment of a post, or in a text without one. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { q, post } = askedSchema.parse(Object.fromEntries(url.searchParams));
  return await memberResponse(context, async (ctx, { id: writerId }) => {
    await enforceSearchLimit(context, { memberId: `mentions:${writerId}`, query: q });
    const people = await mentionSuggestions(ctx, { writerId, typed: q, postId: post });
    return {
      people: people.map(({ username, name, avatarMediaId }) => ({
        username,
        name,
        avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
      })),
    };
  });
}
