import { and, eq, or } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { toPayout } from "#app/domain/payouts/queries.server.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/**
 * Statement of the payout whose transfer a webhook event names, found by the provider's id or by
 * our own (`reference`). `toPayoutOfEvent` builds its result. It may be built once.
 */
export const payoutOfEventStatement = (
  { db }: Pick<Context, "db">,
  { inboxId, reference }: { inboxId: SQL<string>; reference: SQL<string> },
) =>
  db
    .select({ payout: payouts })
    .from(inbox)
    .innerJoin(
      payouts,
      and(
        eq(payouts.provider, inbox.provider),
        or(eq(payouts.providerTransferId, inbox.objectId), eq(payouts.id, reference)),
      ),
    )
    .where(eq(inbox.id, inboxId))
    .limit(1);

export const toPayoutOfEvent = ([row]: Awaited<
  ReturnType<typeof payoutOfEventStatement>
>): Payout | null => (row ? toPayout(row.payout) : null);
