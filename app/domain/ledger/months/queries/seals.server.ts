import type { Context } from "#app/domain/context.ts";
import { journalPage, sealAndPrevious, allSeals } from "./journal.server.ts";
import type { Seal } from "./journal.server.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import {
  startSealChain,
  extendSealChain,
  LINK_ENTRIES,
  readBalances,
  sameBalances,
} from "#app/domain/ledger/months/rules/seals.ts";
import type { DigestFunction } from "#app/domain/ledger/months/rules/seals.ts";

export type SealVerification = { month: Month; holds: boolean; entriesCount: number };

type SealReadContext = Pick<Context, "db">;
type SealVerificationOptions = { digest: DigestFunction; linkEntries?: number };

/**
 * Verifies the seal of a month against its entries. Null where `month` has no seal, or one of more
 * than `mostEntries`.
 *
 * It compares the hash, the count, the balance of each kind of account, and the month that it
 * continues. A changed, removed or inserted entry breaks its month. A rewritten seal breaks the
 * month after it.
 */
export async function verifySeal(
  ctx: SealReadContext,
  {
    month,
    mostEntries = Number.POSITIVE_INFINITY,
    ...how
  }: SealVerificationOptions & { month: Month; mostEntries?: number },
): Promise<SealVerification | null> {
  const { seal, previous } = await sealAndPrevious(ctx, { month });
  return seal && seal.entriesCount <= mostEntries
    ? await verdictOn(ctx, seal, previous, how)
    : null;
}

/**
 * Verifies every seal from `from` on, oldest first, as `verifySeal` does. Reads for as long as
 * there are entries.
 */
export async function* verifySeals(
  ctx: SealReadContext,
  { from = "", ...how }: SealVerificationOptions & { from?: Month },
): AsyncGenerator<SealVerification> {
  let previous: Seal | null = null;
  for (const seal of (await allSeals(ctx)).toReversed()) {
    if (seal.month >= from) yield await verdictOn(ctx, seal, previous, how);
    previous = seal;
  }
}

async function verdictOn(
  ctx: SealReadContext,
  seal: Seal,
  previous: Seal | null,
  { digest, linkEntries = LINK_ENTRIES }: SealVerificationOptions,
): Promise<SealVerification> {
  const { month, endsAt } = seal;
  const previousHash = previous?.hash ?? "";
  let chain = await startSealChain(digest, {
    month,
    previousHash,
    before: previous ? readBalances(previous.balances) : {},
  });
  // More entries than the seal counts already break it. There is no reason to read the rest.
  for (let isWhole = false; !isWhole && chain.entriesCount <= seal.entriesCount;) {
    const entries = await journalPage(ctx, {
      from: previous?.endsAt ?? 0,
      until: endsAt,
      after: chain.after,
      limit: linkEntries,
    });
    chain = await extendSealChain(digest, chain, entries);
    isWhole = entries.length < linkEntries;
  }
  const holds =
    chain.hash === seal.hash &&
    seal.previousHash === previousHash &&
    chain.entriesCount === seal.entriesCount &&
    sameBalances(chain.balances, readBalances(seal.balances));
  return { month, entriesCount: chain.entriesCount, holds };
}
