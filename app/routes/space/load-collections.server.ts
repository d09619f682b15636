import {
  collectionsStatement,
  toCollectionSummary,
} from "#app/domain/collections/queries.server.ts";
import { COLLECTIONS_MAX } from "#app/domain/collections/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { profileForStatement, profileForViewer } from "#app/domain/profiles/queries.server.ts";

/**
 * Loads every collection of the page of `key` (a username or an id) that `viewerId` can see. Null
 * when that page does not exist for them.
 */
export async function loadCollections(
  ctx: Context,
  { key, viewerId }: { key: string; viewerId: string | null },
) {
  const [[profileRow], rows] = await ctx.db.batch([
    profileForStatement(ctx, { key, viewerId }),
    collectionsStatement(ctx, { creatorKey: key, viewerId, limit: COLLECTIONS_MAX }),
  ]);
  if (!profileRow) return null;
  const { id, name, username, isAgeClosed } = profileForViewer(profileRow);
  return { id, name, username, isAgeClosed, collections: rows.map(toCollectionSummary) };
}
