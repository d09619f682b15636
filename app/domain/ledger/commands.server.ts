import { asc, eq, sql } from "drizzle-orm";
import { prepareReads } from "#app/db/prepared-reads.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { accountId } from "./rules.ts";
import { ledgerAccountKinds } from "./schema.ts";
import type { Posting } from "./schema.ts";

/**
 * Returns the statements that write and post `posting`, for the batch of the command that caused
 * it.
 *
 * The database refuses them (RuleViolation) if the posting does not balance, an account would pass
 * its floor, or its key exists. `ledger_source_exists`: the same posting is already there.
 * `ledger_key_reused`: a different posting has the key, which is our fault and no retry fixes. A
 * posting without legs (every amount was zero) writes nothing.
 */
export function postingStatements(ctx: Context, posting: Posting): readonly BatchWrite[] {
  const { legs, sourceKey, kind, chargeId, payoutId } = posting;
  if (legs.length === 0) return [];
  const transactionId = ctx.newId();
  const values: Record<string, unknown> = {
    transactionId,
    sourceKey,
    kind,
    chargeId,
    payoutId,
    now: ctx.now(),
  };
  for (const [index, { account, debitCents }] of legs.entries()) {
    const { normalSide, hasFloor } = ledgerAccountKinds[account.kind];
    Object.assign(values, {
      [`account${index}`]: accountId(account),
      [`kind${index}`]: account.kind,
      [`owner${index}`]: account.ownerId,
      [`side${index}`]: normalSide,
      [`floor${index}`]: hasFloor,
    });
    Object.assign(values, {
      [`entry${index}`]: `${transactionId}-${index}`,
      [`cents${index}`]: debitCents,
    });
  }
  const [accounts, transaction, entries, posted] = postingOf(legs.length)(ctx.db, values);
  return [
    accounts,
    {
      explained: transaction,
      refused: async (rule) =>
        rule === "ledger_source_exists" && (await isKeyReused(ctx, posting))
          ? "ledger_key_reused"
          : null,
    },
    entries,
    posted,
  ];
}

/**
 * Whether a different posting has this key. Postings never change, so it may be read after the
 * batch was refused.
 */
async function isKeyReused(
  ctx: Context,
  { legs, sourceKey, kind, chargeId, payoutId }: Posting,
): Promise<boolean> {
  const rows = await ctx.db
    .select({
      kind: ledgerTransactions.kind,
      chargeId: ledgerTransactions.chargeId,
      payoutId: ledgerTransactions.payoutId,
      accountId: ledgerEntries.accountId,
      debitCents: ledgerEntries.amountCents,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(eq(ledgerTransactions.sourceKey, sourceKey))
    // Entry ids end in their position. Sorting by length first keeps the tenth after the second.
    .orderBy(sql`length(${ledgerEntries.id})`, asc(ledgerEntries.id));
  const [there] = rows;
  if (!there) return false;
  const lines = (of: readonly { accountId: string; debitCents: number }[]) =>
    of.map((leg) => `${leg.accountId} ${leg.debitCents}`).join("\n");
  const isSame =
    there.kind === kind &&
    there.chargeId === (chargeId ?? null) &&
    there.payoutId === (payoutId ?? null) &&
    lines(rows) ===
      lines(legs.map(({ account, debitCents }) => ({ accountId: accountId(account), debitCents })));
  return !isSame;
}

const built = new Map<number, ReturnType<typeof written>>();

/**
 * Returns prepared statements by the number of legs. Every payment posts, and Drizzle takes longer
 * to build the statements than D1 to run them.
 */
function postingOf(legsCount: number): ReturnType<typeof written> {
  const prepared = built.get(legsCount) ?? written(legsCount);
  built.set(legsCount, prepared);
  return prepared;
}

function written(legsCount: number) {
  const value = (name: string) => sql.placeholder(name);
  const legs = Array.from({ length: legsCount }, (_, index) => index);
  return prepareReads((db) => [
    db
      .insert(ledgerAccounts)
      .values(
        legs.map((index) => ({
          id: value(`account${index}`),
          kind: value(`kind${index}`),
          ownerId: value(`owner${index}`),
          normalSide: value(`side${index}`),
          hasFloor: value(`floor${index}`),
        })),
      )
      .onConflictDoNothing(),
    db.insert(ledgerTransactions).values({
      id: value("transactionId"),
      sourceKey: value("sourceKey"),
      kind: value("kind"),
      chargeId: value("chargeId"),
      payoutId: value("payoutId"),
      createdAt: value("now"),
    }),
    db.insert(ledgerEntries).values(
      legs.map((index) => ({
        id: value(`entry${index}`),
        transactionId: value("transactionId"),
        accountId: value(`account${index}`),
        amountCents: value(`cents${index}`),
        postedAt: value("now"),
      })),
    ),
    // The transaction was inserted just before, or the whole batch fails. So no guard checks that
    // it exists.
    db
      .update(ledgerTransactions)
      .set({ postedAt: sql`${value("now")}` })
      .where(eq(ledgerTransactions.id, value("transactionId"))),
  ]);
}
