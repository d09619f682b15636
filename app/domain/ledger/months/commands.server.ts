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
  /** Whether another page may start. */ hasRoom?: () => boolean;
  linkEntries?: number;
};

/**
 * Seals the next month that is over, if there is one. Returns the sealed month, or null.
 *
 * Its entries are hashed page by page into a chain that continues the previous month. From the
 * first step on, nothing can be posted into the month any more. Each page is saved with its
 * movement of each account. So the next run continues after one that ended or was killed. Months
 * end by the wall clock, even if the sandbox has another time. Two runs at once make one seal.
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
          ctx.db.update(ledgerSealProgress).set(sealRow(next)).where(asRead(month, chain)),
        ),
        ...moved,
      ]);
      chain = next;
    }
  } catch (error) {
    // Another run started, continued or sealed the month, with the same entries.
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

/** Starts a seal. From here on the month accepts no postings. */
async function begin(
  ctx: Context,
  month: Month,
  previousHash: string,
  chain: SealChain,
): Promise<SealChain> {
  await commit(ctx.db, [
    ctx.db
      .insert(ledgerSealProgress)
      .values({ month, endsAt: monthBounds(month).until, previousHash, ...sealRow(chain) }),
  ]);
  return chain;
}

/** Adds the movement of a page's entries to the month's movement of their accounts. */
function movedStatements(
  ctx: Context,
  month: Month,
  entries: readonly SealedEntry[],
): BatchWrite[] {
  if (entries.length === 0) return [];
  // `WHERE 1` separates the list from the conflict clause, which SQLite would otherwise read as a
  // join.
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

const sealRow = ({ hash, entriesCount, balances, after }: SealChain) => ({
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
