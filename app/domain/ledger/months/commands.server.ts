import { and, eq, sql } from "drizzle-orm";
import { StaleWrite, UniqueViolation, RuleViolation } from "#app/db/errors.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  journalPage,
  loadSealingSnapshot,
} from "#app/domain/ledger/months/queries/journal.server.ts";
import { monthBounds } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import {
  startSealChain,
  extendSealChain,
  LINK_ENTRIES,
  monthToSeal,
  movementByAccount,
  readBalances,
} from "#app/domain/ledger/months/rules/seals.ts";
import type {
  SealChain,
  DigestFunction,
  SealedEntry,
} from "#app/domain/ledger/months/rules/seals.ts";
import { ledgerAccountMonths, ledgerSealProgress, ledgerSeals } from "#drizzle/schema/ledger.ts";

type SealOptions = {
  digest: DigestFunction;
  /** Whether another page may be begun. */ hasRoom?: () => boolean;
  linkEntries?: number;
};

/**
 * Closes the next month that is over, if there is one: its entries are hashed, a page at a time,
 * into a chain that continues the month before. From the first step on nothing can be posted into
 * it any more; each page is kept, with what it moved of each account, so that a run that ends, or
 * is killed, is gone on with by the next. Months end by the wall clock, whatever the sandbox's
 * says. Two runs at once make one seal. Gives the month that was sealed, or null.
 */
export async function sealNextMonth(
  ctx: Context,
  { digest, hasRoom = () => true, linkEntries = LINK_ENTRIES }: SealOptions,
): Promise<Month | null> {
  const { last, firstEntryAt, progress } = await loadSealingSnapshot(ctx);
  const month = monthToSeal({ lastSealed: last?.month ?? null, firstEntryAt, now: ctx.realNow() });
  if (month === null || !hasRoom()) return null;
  const previousHash = last?.hash ?? "";
  try {
    let chain: SealChain =
      progress ??
      (await begin(
        ctx,
        month,
        previousHash,
        await startSealChain(digest, {
          month,
          previousHash,
          before: last ? readBalances(last.balances) : {},
        }),
      ));
    while (hasRoom()) {
      const entries = await journalPage(ctx, {
        from: last?.endsAt ?? 0,
        until: monthBounds(month).until,
        after: chain.after,
        limit: linkEntries,
      });
      const next = await extendSealChain(digest, chain, entries);
      const moved = movedStatements(ctx, month, entries);
      if (entries.length < linkEntries)
        return await seal(ctx, { month, previousHash, chain, whole: next, moved });
      await commit(ctx.db, [
        mustChangeOne(
          ctx.db.update(ledgerSealProgress).set(kept(next)).where(asRead(month, chain)),
        ),
        ...moved,
      ]);
      chain = next;
    }
  } catch (error) {
    // Another run began, went on or sealed, with the same entries.
    if (
      !(
        error instanceof StaleWrite ||
        error instanceof UniqueViolation ||
        (error instanceof RuleViolation && error.rule === "ledger_append_only")
      )
    )
      throw error;
  }
  return null;
}

/** From here on the month takes nothing more. */
async function begin(
  ctx: Context,
  month: Month,
  previousHash: string,
  chain: SealChain,
): Promise<SealChain> {
  await commit(ctx.db, [
    ctx.db
      .insert(ledgerSealProgress)
      .values({ month, endsAt: monthBounds(month).until, previousHash, ...kept(chain) }),
  ]);
  return chain;
}

/** Adds what the entries of a page moved to what their accounts moved by in the month. */
function movedStatements(
  ctx: Context,
  month: Month,
  entries: readonly SealedEntry[],
): BatchWrite[] {
  if (entries.length === 0) return [];
  // `WHERE 1` parts the list from the conflict clause, which SQLite would else read as a join.
  const moved = sql`SELECT ${month} AS month, key AS account_id, value AS cents FROM json_each(${JSON.stringify(movementByAccount(entries))}) WHERE 1`;
  return [
    ctx.db
      .insert(ledgerAccountMonths)
      .select(moved)
      .onConflictDoUpdate({
        target: [ledgerAccountMonths.month, ledgerAccountMonths.accountId],
        set: { cents: sql`${ledgerAccountMonths.cents} + excluded.cents` },
      }),
  ];
}

type SealedMonth = {
  month: Month;
  previousHash: string;
  chain: SealChain;
  whole: SealChain;
  moved: BatchWrite[];
};

async function seal(
  ctx: Context,
  { month, previousHash, chain, whole, moved }: SealedMonth,
): Promise<Month> {
  const { hash, entriesCount, balances } = whole;
  await commit(ctx.db, [
    ...moved,
    mustChangeOne(ctx.db.delete(ledgerSealProgress).where(asRead(month, chain))),
    ctx.db.insert(ledgerSeals).values({
      month,
      endsAt: monthBounds(month).until,
      entriesCount,
      previousHash,
      hash,
      balances: JSON.stringify(balances),
      sealedAt: ctx.realNow(),
    }),
  ]);
  ctx.log("ledger.month_sealed", { month, entriesCount, hash });
  return month;
}

const kept = ({ hash, entriesCount, balances, after }: SealChain) => ({
  hash,
  entriesCount,
  balances: JSON.stringify(balances),
  afterPostedAt: after?.postedAt ?? null,
  afterTransactionId: after?.transactionId ?? null,
  afterId: after?.id ?? null,
});

const asRead = (month: Month, chain: SealChain) =>
  and(
    eq(ledgerSealProgress.month, month),
    eq(ledgerSealProgress.hash, chain.hash),
    eq(ledgerSealProgress.entriesCount, chain.entriesCount),
  );
