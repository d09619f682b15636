import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/**
 * Copies the account's name to the public name, unless the owner chose another. Changes it only
 * while it is still `from`.
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

/** Changes the picture of a person. Null removes it, and the sweeper deletes its bytes. */
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
