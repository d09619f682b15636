import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/**
 * The public name follows the account's as long as its owner gave it no other: it changes only
 * where it still is `from`.
 */
export function syncPublicNameWrites(
  ctx: Context,
  { personId, from, to }: { personId: string; from: string; to: string },
): BatchWrite[] {
  return [
    ctx.db
      .update(profiles)
      .set({ name: to })
      .where(and(eq(profiles.personId, personId), eq(profiles.name, from))),
  ];
}

/** The picture of a person; null takes it away, and the sweeper takes its bytes. */
export function pictureWrites(
  ctx: Context,
  { personId, mediaId }: { personId: string; mediaId: string | null },
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(profiles)
        .set({ avatarMediaId: mediaId })
        .where(eq(profiles.personId, personId)),
    ),
  ];
}
