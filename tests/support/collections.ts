import type { Context } from "#app/domain/context.ts";
import { createCollection } from "#app/domain/collections/commands.server.ts";
import type { CollectionInput } from "#app/domain/collections/commands.server.ts";
import { addPosts } from "#app/domain/collections/commands/placing.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import type { PostAudience } from "#app/domain/posts/schema.ts";
import type { TestPerson } from "./people.ts";

export const plainCollection: CollectionInput = {
  title: "Quintal",
  description: "",
  priceCents: null,
  cover: null,
  coverAlt: "",
  removesCover: false,
};

/** Creates a collection of `creator` with one published post for each title, in that order. */
export async function collectionOf(
  ctx: Context,
  creator: TestPerson,
  titles: string[],
  { audience = "public", ...input }: Partial<CollectionInput> & { audience?: PostAudience } = {},
) {
  const { collectionId } = await createCollection(ctx, {
    creatorId: creator.id,
    ...plainCollection,
    ...input,
  });
  const postIds: string[] = [];
  for (const title of titles)
    postIds.push(await publishInCollection(ctx, creator, title, audience));
  if (postIds.length > 0) await addPosts(ctx, { collectionId, creatorId: creator.id, postIds });
  return { collectionId, creatorId: creator.id, postIds };
}

export async function publishInCollection(
  ctx: Context,
  creator: TestPerson,
  title: string,
  audience: PostAudience = "public",
): Promise<string> {
  return (
    await publishPost(ctx, {
      authorId: creator.id,
      title,
      content: `Texto de ${title}.`,
      teaser: "",
      audience,
      planIds: [],
      image: null,
    })
  ).postId;
}
