import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Marks a page as for adults, or for everyone again. Stale when it already is. */
export function adultPageStatement(
  ctx: Context,
  { personId, isAdult }: { personId: string; isAdult: boolean },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(profiles)
      .set({ isAdult })
      .where(
        and(
          eq(profiles.personId, personId),
          eq(profiles.isCreator, true),
          eq(profiles.isAdult, !isAdult),
        ),
      ),
  );
}
