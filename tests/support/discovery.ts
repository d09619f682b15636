import type { Context } from "#app/domain/context.ts";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { loadExplore } from "#app/domain/discovery/queries.server.ts";
import type { ExploreResults } from "#app/domain/discovery/queries.server.ts";
import { exploreSchema } from "#app/domain/discovery/schema.ts";
import type { ExploreFilter } from "#app/domain/discovery/schema.ts";
import { openSpace } from "#app/domain/profiles/commands.server.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";
import { media } from "#drizzle/schema/media.ts";
import { postAccessRules, postMedia, posts } from "#drizzle/schema/posts.ts";
import { createPerson } from "./people.ts";
import type { TestPerson } from "./people.ts";

/** The page `/explore` for a given URL. */
export function explore(
  ctx: Context,
  viewer: Pick<TestPerson, "id">,
  asked: Partial<ExploreFilter> = {},
): Promise<ExploreResults> {
  return loadExplore(ctx, { ...exploreSchema.parse({}), ...asked, viewerId: viewer.id });
}

/** The newest public posts of everyone, after the rollup ran. */
export async function newestExplored(
  { ctx }: { ctx: Context },
  viewer: Pick<TestPerson, "id">,
): Promise<ExploreResults["posts"]> {
  await refreshDiscovery(ctx);
  return (await explore(ctx, viewer, { sort: "new" })).posts;
}

type Row = Partial<typeof posts.$inferInsert> & { authorId: string };

/**
 * Inserts a post as a row, for tests that need many or unusual ones. By default it is public and
 * published now.
 */
export async function postRow(
  ctx: Context,
  {
    rule = "public",
    opensAt = null,
    ...row
  }: Row & { rule?: "public" | "followers" | "subscribers" | null; opensAt?: number | null },
): Promise<string> {
  const now = ctx.now();
  const id = row.id ?? ctx.newId();
  const post = ctx.db.insert(posts).values({
    title: "Uma rabeca",
    content: "Texto.",
    state: "published",
    publishedAt: now,
    createdAt: now,
    updatedAt: now,
    ...row,
    id,
  });
  await (rule === null
    ? post
    : ctx.db.batch([
        post,
        ctx.db.insert(postAccessRules).values({ id: ctx.newId(), postId: id, kind: rule, opensAt }),
      ]));
  return id;
}

/**
 * Creates a creator with a page. Its text is unique, so that searches find no creator of another
 * test.
 */
export async function creator(
  ctx: Context,
  name: string,
  profile: { craft?: string; city?: string; category?: CreatorCategory } = {},
): Promise<TestPerson> {
  const made = await createPerson(ctx, name);
  await openSpace(ctx, {
    personId: made.id,
    name,
    bio: "Uma página.",
    craft: profile.craft ?? "de tudo",
    city: profile.city ?? "",
    category: profile.category ?? "",
    avatarMediaId: null,
    bannerMediaId: null,
  });
  return made;
}

/** Attaches a file of this kind to a post, as a row. */
export async function attach(
  ctx: Context,
  postId: string,
  ownerId: string,
  kind: "image" | "video" | "audio" | "document",
): Promise<void> {
  const mediaId = ctx.newId();
  await ctx.db.batch([
    ctx.db.insert(media).values({
      id: mediaId,
      ownerId,
      purpose: "post",
      kind,
      contentType: "video/mp4",
      sizeBytes: 1,
      width: 1,
      height: 1,
      createdAt: ctx.now(),
    }),
    ctx.db.insert(postMedia).values({ postId, mediaId, position: 0 }),
  ]);
}

export const ids = (page: { items: { id: string }[] }): string[] => page.items.map(({ id }) => id);
