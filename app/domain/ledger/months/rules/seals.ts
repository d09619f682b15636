import type { Cents } from "#app/domain/money.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { monthBounds, monthAfter, monthOf } from "./months.ts";
import type { Month } from "./months.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";

/** A month waits a day before it is sealed: what was decided at its last moment is posted by then. */
const SEAL_AFTER_MS = DAY_MS;

/** Entries to one link of the chain. A part of what a seal is: another number gives other hashes. */
export const LINK_ENTRIES = 500;

/**
 * The next month to seal at `now`, after the last sealed one or from the first with entries; null
 * while there is none that is over.
 */
export function monthToSeal({
  lastSealed,
  firstEntryAt,
  now,
}: {
  lastSealed: Month | null;
  firstEntryAt: Instant | null;
  now: Instant;
}): Month | null {
  if (lastSealed === null && firstEntryAt === null) return null;
  const month = lastSealed === null ? monthOf(firstEntryAt ?? now) : monthAfter(lastSealed);
  return monthBounds(month).until + SEAL_AFTER_MS <= now ? month : null;
}

/** Where an entry stands in the order of a seal. */
export type SealPosition = { postedAt: Instant; transactionId: string; id: string };

export type SealedEntry = SealPosition & {
  sourceKey: string;
  kind: string;
  chargeId: string | null;
  payoutId: string | null;
  accountId: string;
  amountCents: Cents;
};

/**
 * One entry as a seal reads it: whatever of it is changed afterwards gives another line. Ids and
 * source keys hold no tab.
 */
export function sealLine({
  id,
  transactionId,
  sourceKey,
  kind,
  chargeId,
  payoutId,
  postedAt,
  accountId,
  amountCents,
}: SealedEntry): string {
  return `${[id, transactionId, sourceKey, kind, chargeId ?? "", payoutId ?? "", postedAt, accountId, amountCents].join("\t")}\n`;
}

/** The first thing that a month's hash holds: the month before it. */
const sealHead = (month: Month, previousHash: string): string => `${month}\t${previousHash}\n`;

/** SHA-256 of a text, in hex. */
export type DigestFunction = (text: string) => Promise<string>;

/**
 * The hash after the next lines: entries are chained a page at a time, always of the same number of
 * lines.
 */
export const extendHash = (digest: DigestFunction, hash: string, lines: string): Promise<string> =>
  digest(`${hash}\n${lines}`);

/**
 * How far the hashing of a month came; `after` is the last entry that it holds, null at the
 * beginning.
 */
export type SealChain = {
  hash: string;
  entriesCount: number;
  balances: KindBalances;
  after: SealPosition | null;
};

/**
 * The chain of a month before its first entry: it continues the month before, whose balances are
 * `before`.
 */
export async function startSealChain(
  digest: DigestFunction,
  { month, previousHash, before }: { month: Month; previousHash: string; before: KindBalances },
): Promise<SealChain> {
  return {
    hash: await extendHash(digest, "", sealHead(month, previousHash)),
    entriesCount: 0,
    balances: before,
    after: null,
  };
}

/** The chain after its next page of entries. */
export async function extendSealChain(
  digest: DigestFunction,
  chain: SealChain,
  entries: readonly SealedEntry[],
): Promise<SealChain> {
  const last = entries.at(-1);
  if (!last) return chain;
  return {
    hash: await extendHash(digest, chain.hash, entries.map(sealLine).join("")),
    entriesCount: chain.entriesCount + entries.length,
    balances: added(chain.balances, entries),
    after: { postedAt: last.postedAt, transactionId: last.transactionId, id: last.id },
  };
}

/** What each kind of account comes to, debits positive (centavos). */
export type KindBalances = Partial<Record<LedgerAccountKind, Cents>>;

/** Written by `sealNextMonth` alone. */
export const readBalances = (json: string): KindBalances => JSON.parse(json) as KindBalances;

/** `balances` after `entries`; the kind of an account is the first word of its id. */
function added(
  balances: KindBalances,
  entries: readonly Pick<SealedEntry, "accountId" | "amountCents">[],
): KindBalances {
  const sums = { ...balances };
  for (const { accountId, amountCents } of entries) {
    const kind = accountId.replace(/:.*$/, "") as LedgerAccountKind;
    sums[kind] = (sums[kind] ?? 0) + amountCents;
  }
  return sums;
}

/** What `entries` moved of each account, by its id (centavos, debits positive). */
export function movementByAccount(
  entries: readonly Pick<SealedEntry, "accountId" | "amountCents">[],
): Record<string, Cents> {
  const sums: Record<string, Cents> = {};
  for (const { accountId, amountCents } of entries)
    sums[accountId] = (sums[accountId] ?? 0) + amountCents;
  return sums;
}

export function sameBalances(one: KindBalances, other: KindBalances): boolean {
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)] as LedgerAccountKind[]);
  return [...kinds].every((kind) => (one[kind] ?? 0) === (other[kind] ?? 0));
}
