import type { Context } from "#app/domain/context.ts";
import {
  journalPage,
  sealAndPrevious,
  sealsOf,
} from "#app/domain/ledger/queries/journal.server.ts";
import type { Seal } from "#app/domain/ledger/queries/journal.server.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import {
  begun,
  continued,
  LINK_ENTRIES,
  readBalances,
  sameBalances,
} from "#app/domain/ledger/rules/seals.ts";
import type { Digest } from "#app/domain/ledger/rules/seals.ts";

export type SealVerdict = { month: Month; holds: boolean; entriesCount: number };

type Reading = Pick<Context, "db">;
type Verifying = { digest: Digest; linkEntries?: number };

/**
 * Reads the entries of a sealed month again and compares its hash, its count, what each kind of
 * account came to, and the month that it continues: an entry that was changed, removed or slipped
 * in breaks its month, and a seal that was made anew breaks the one after it. Null where `month`
 * has no seal, or one of more than `mostEntries`.
 */
export async function verifySeal(
  ctx: Reading,
  {
    month,
    mostEntries = Number.POSITIVE_INFINITY,
    ...how
  }: Verifying & { month: Month; mostEntries?: number },
): Promise<SealVerdict | null> {
  const { seal, previous } = await sealAndPrevious(ctx, { month });
  return seal && seal.entriesCount <= mostEntries
    ? await verdictOn(ctx, seal, previous, how)
    : null;
}

/**
 * Every seal from `from` on, oldest first, as `verifySeal` does; it reads for as long as there are
 * entries.
 */
export async function* verifySeals(
  ctx: Reading,
  { from = "", ...how }: Verifying & { from?: Month },
): AsyncGenerator<SealVerdict> {
  let previous: Seal | null = null;
  for (const seal of (await sealsOf(ctx)).toReversed()) {
    if (seal.month >= from) yield await verdictOn(ctx, seal, previous, how);
    previous = seal;
  }
}

async function verdictOn(
  ctx: Reading,
  seal: Seal,
  previous: Seal | null,
  { digest, linkEntries = LINK_ENTRIES }: Verifying,
): Promise<SealVerdict> {
  const { month, endsAt } = seal;
  const previousHash = previous?.hash ?? "";
  let chain = await begun(digest, {
    month,
    previousHash,
    before: previous ? readBalances(previous.balances) : {},
  });
  // What has more entries than its seal does not hold, however many more: no reason to read them
  // all.
  for (let isWhole = false; !isWhole && chain.entriesCount <= seal.entriesCount;) {
    const entries = await journalPage(ctx, {
      from: previous?.endsAt ?? 0,
      until: endsAt,
      after: chain.after,
      limit: linkEntries,
    });
    chain = await continued(digest, chain, entries);
    isWhole = entries.length < linkEntries;
  }
  const holds =
    chain.hash === seal.hash &&
    seal.previousHash === previousHash &&
    chain.entriesCount === seal.entriesCount &&
    sameBalances(chain.balances, readBalances(seal.balances));
  return { month, entriesCount: chain.entriesCount, holds };
}
