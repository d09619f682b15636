import { eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Hides or shows the list of first steps on a creator's own page. A repeated call changes nothing. */
export async function setFirstStepsClosed(
  ctx: Context,
  { creatorId, isClosed }: { creatorId: string; isClosed: boolean },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .update(profiles)
      .set({ firstStepsClosedAt: isClosed ? ctx.now() : null })
      .where(eq(profiles.personId, creatorId)),
  ]);
}
