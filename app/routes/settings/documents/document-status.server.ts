import type { Context } from "#app/domain/context.ts";
import { documentStatusStatements } from "#app/domain/documents/queries.server.ts";
import { firstStepsStatement } from "#app/domain/plans/first-steps/queries.server.ts";
import type { FirstStepKey } from "#app/domain/plans/first-steps/rules.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { openStepPathOf } from "#app/routes/studio/first-steps/step.server.ts";

/**
 * Reads the documents of the page that the actor acts for, in one round trip. `stepPath` leads on
 * to the first step behind `after`, on the member's own page only.
 */
export async function loadDocumentsPage(
  ctx: Context,
  { space: { personId }, isOwn }: Pick<Actor, "space" | "isOwn">,
  { after }: { after: FirstStepKey },
) {
  const [[documents = null], files, contests, steps] = await ctx.db.batch([
    ...documentStatusStatements(ctx, { personId }),
    firstStepsStatement(ctx, { creatorId: personId }),
  ]);
  return {
    documents,
    files,
    isContested: contests.length > 0,
    stepPath: isOwn ? openStepPathOf(steps, after) : null,
  };
}
