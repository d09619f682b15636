import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProfileNotFound } from "#app/domain/profiles/errors.ts";
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

/** What one of the first steps asks for. Images are already stored. */
type PagePart =
  | { avatarMediaId: string }
  | { bannerMediaId: string }
  | { craft: string; bio: string; category?: string | undefined };

/** Changes one part of a creator's page and nothing else. Refuses ProfileNotFound without a page. */
export async function updatePagePart(
  ctx: Context,
  { creatorId, part }: { creatorId: string; part: PagePart },
): Promise<void> {
  const update = ctx.db
    .update(profiles)
    .set(part)
    .where(and(eq(profiles.personId, creatorId), eq(profiles.isCreator, true)));
  try {
    await commit(ctx.db, [mustChangeOne(update)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new ProfileNotFound() : error;
  }
}
