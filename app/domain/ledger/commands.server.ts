import { and, eq, isNull } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { accountId } from "./rules.ts";
import { accountKinds } from "./schema.ts";
import type { Posting } from "./schema.ts";

/**
 * The statements that write and post `posting`, to be joined to the batch of the command that made it happen.
 * The database refuses it (RuleViolation) when its key exists, it does not balance, or an account would pass its floor.
 * A posting without legs (everything was zero) is nothing.
 */
export function postingStatements(ctx: Context, posting: Posting): Write[] {
  if (posting.legs.length === 0) return [];
  const transactionId = ctx.newId();
  const now = ctx.now();
  return [
    ctx.db
      .insert(ledgerAccounts)
      .values(
        posting.legs.map(({ account }) => ({
          id: accountId(account),
          kind: account.kind,
          ownerId: account.ownerId,
          normalSide: accountKinds[account.kind].normalSide,
          hasFloor: accountKinds[account.kind].hasFloor,
        })),
      )
      .onConflictDoNothing(),
    ctx.db.insert(ledgerTransactions).values({
      id: transactionId,
      sourceKey: posting.sourceKey,
      kind: posting.kind,
      chargeId: posting.chargeId,
      payoutId: posting.payoutId,
      createdAt: now,
    }),
    ctx.db.insert(ledgerEntries).values(
      posting.legs.map((leg, index) => ({
        id: `${transactionId}-${index}`,
        transactionId,
        accountId: accountId(leg.account),
        amountCents: leg.debitCents,
        postedAt: now,
      })),
    ),
    exactlyOne(
      ctx.db
        .update(ledgerTransactions)
        .set({ postedAt: now })
        .where(and(eq(ledgerTransactions.id, transactionId), isNull(ledgerTransactions.postedAt))),
    ),
  ];
}
