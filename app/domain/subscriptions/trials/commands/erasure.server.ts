import { eq, or, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { trialSetups, trialUses } from "#drizzle/schema/subscriptions.ts";

/** The statement that erases the trial uses, stored by CPF, of a member and of their page. */
export function eraseTrialUsesStatement(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite {
  return ctx.db
    .delete(trialUses)
    .where(or(eq(trialUses.personId, personId), eq(trialUses.creatorId, personId)));
}

/** The statement that erases the cards with which a member started trials, or tried to. */
export function eraseTrialSetupsStatement(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite {
  return ctx.db
    .update(trialSetups)
    .set({
      personId: "",
      coupon: null,
      nextActionUrl: null,
      status: sql`CASE WHEN ${trialSetups.status} IN ('created', 'requires_action') THEN 'expired' ELSE ${trialSetups.status} END`,
    })
    .where(eq(trialSetups.personId, personId));
}
