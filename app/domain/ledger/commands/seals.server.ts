import { UniqueViolation, RuleViolation } from "#app/db/errors.ts";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { journal, sealingFacts, sealsOf } from "#app/domain/ledger/queries/journal.server.ts";
import { boundsOf } from "#app/domain/ledger/rules/months.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import { added, chained, monthToSeal, readBalances, sameBalances, sealHead, sealLine } from "#app/domain/ledger/rules/seals.ts";
import type { Digest, KindBalances } from "#app/domain/ledger/rules/seals.ts";
import { ledgerSeals } from "#drizzle/schema/ledger.ts";

/** Entries to one link of the chain. A part of what a seal is: another number gives other hashes. */
const LINK_ENTRIES = 500;

/**
 * Closes the next month that is over, if there is one: its entries are hashed into a chain that continues the month before, and nothing can be
 * posted into it any more. Months end by the wall clock, whatever the sandbox's says. Two runs at once make one seal. Gives the month, or null.
 */
export async function sealNextMonth(ctx: Context, { digest }: { digest: Digest }): Promise<Month | null> {
  const { last, firstEntryAt } = await sealingFacts(ctx);
  const month = monthToSeal({ lastSealed: last?.month ?? null, firstEntryAt, now: ctx.realNow() });
  if (month === null) return null;
  const previousHash = last?.hash ?? "";
  const { hash, entriesCount, balances } = await sealedMonth(ctx, { digest, month, previousHash, before: last ? readBalances(last.balances) : {} });
  try {
    await commit(ctx.db, [ctx.db.insert(ledgerSeals).values({ month, endsAt: boundsOf(month).until, entriesCount, previousHash, hash, balances: JSON.stringify(balances), sealedAt: ctx.realNow() })]);
  } catch (error) {
    // Another run sealed it first, of the same entries.
    if (!(error instanceof UniqueViolation || (error instanceof RuleViolation && error.rule === "ledger_append_only"))) throw error;
    return null;
  }
  ctx.log("ledger.month_sealed", { month, entriesCount, hash });
  return month;
}

type SealedMonth = { hash: string; entriesCount: number; balances: KindBalances };

type Sealing = { digest: Digest; month: Month; previousHash: string; before: KindBalances };

async function sealedMonth(ctx: Context, { digest, month, previousHash, before }: Sealing): Promise<SealedMonth> {
  let hash = await chained(digest, "", sealHead(month, previousHash));
  let entriesCount = 0;
  let balances = before;
  for await (const entries of journal(ctx, { ...boundsOf(month), pageRows: LINK_ENTRIES })) {
    hash = await chained(digest, hash, entries.map(sealLine).join(""));
    entriesCount += entries.length;
    balances = added(balances, entries);
  }
  return { hash, entriesCount, balances };
}

export type SealVerdict = { month: Month; holds: boolean; entriesCount: number };

/**
 * Reads every sealed month again, oldest first, and compares its hash, its count and what each kind of account came to: an entry that was
 * changed, removed or slipped in breaks its month, and a seal that was made anew breaks the one after it.
 */
export async function verifySeals(ctx: Context, { digest }: { digest: Digest }): Promise<SealVerdict[]> {
  const verdicts: SealVerdict[] = [];
  let previousHash = "";
  let before: KindBalances = {};
  for (const seal of (await sealsOf(ctx)).toReversed()) {
    const { hash, entriesCount, balances } = await sealedMonth(ctx, { digest, month: seal.month, previousHash, before });
    const holds = hash === seal.hash && seal.previousHash === previousHash && entriesCount === seal.entriesCount && sameBalances(balances, readBalances(seal.balances));
    verdicts.push({ month: seal.month, entriesCount, holds });
    previousHash = seal.hash;
    before = balances;
  }
  return verdicts;
}
