import { and, eq } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { toPayout } from "#app/domain/payouts/queries.server.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/**
 * The statement of the payout whose transfer a delivery tells of, where we know it by the
 * provider's id; `toPayoutOfEvent` reads what it gives. It may be built once.
 */
export const payoutOfEventStatement = (
  { db }: Pick<Context, "db">,
  { inboxId }: { inboxId: SQL<string> },
) =>
  db
    .select({ payout: payouts })
    .from(inbox)
    .innerJoin(
      payouts,
      and(eq(payouts.provider, inbox.provider), eq(payouts.providerTransferId, inbox.objectId)),
    )
    .where(eq(inbox.id, inboxId))
    .limit(1);

export const toPayoutOfEvent = ([row]: Awaited<
  ReturnType<typeof payoutOfEventStatement>
>): Payout | null => (row ? toPayout(row.payout) : null);
