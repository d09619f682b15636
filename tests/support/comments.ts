import { eq, isNull } from "drizzle-orm";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { commentsOf } from "#app/domain/comments/queries.server.ts";
import type { CommentThread } from "#app/domain/comments/schema.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import type { PostAudience } from "#app/domain/posts/schema.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import type { World } from "./context.ts";
import { createPerson } from "./people.ts";
import type { Seller, TestPerson } from "./people.ts";

/** Commands and reads for the comments on the posts of `author`. */
export function commentHelpers(of: () => { world: World; author: Seller }) {
  const ctx = () => of().world.ctx;
  return {
    newcomer: (name: string) => createPerson(ctx(), name),
    publish: async (audience: PostAudience = "public"): Promise<string> =>
      (
        await publishPost(ctx(), {
          authorId: of().author.id,
          title: "Uma rabeca",
          content: "Texto.",
          teaser: "",
          audience,
          planIds: [],
          image: null,
        })
      ).postId,
    say: async (
      postId: string,
      who: TestPerson,
      body = "Que beleza!",
      parentId?: string,
    ): Promise<string> =>
      (await addComment(ctx(), { postId, authorId: who.id, authorName: who.name, body, parentId }))
        .commentId,
    seen: async (postId: string, viewer: TestPerson | null): Promise<CommentThread[]> =>
      (
        await commentsOf(ctx(), {
          postId,
          viewerId: viewer?.id ?? null,
          hostId: viewer?.id,
          cursor: null,
          limit: 20,
        })
      ).items,
    count: async (postId: string) =>
      (await postFor(ctx(), { postId, viewerId: of().author.id }))?.commentsCount,
    notified: async (who: TestPerson) => {
      const waiting = await ctx()
        .db.select({ id: outbox.id })
        .from(outbox)
        .where(isNull(outbox.handledAt));
      for (const { id } of waiting) await deliverOutboxMessage(ctx(), { outboxId: id });
      const rows = await ctx()
        .db.select({ kind: notifications.kind, path: notifications.path })
        .from(notifications)
        .where(eq(notifications.personId, who.id));
      return rows.filter(({ path }) => path.startsWith("/post/"));
    },
    block: (blocker: TestPerson, blocked: TestPerson) =>
      ctx()
        .db.insert(blocks)
        .values({ blockerId: blocker.id, blockedId: blocked.id, createdAt: ctx().now() }),
  };
}
