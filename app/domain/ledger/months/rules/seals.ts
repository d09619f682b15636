import type { Cents } from "#app/domain/money.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { monthBounds, monthAfter, monthOf } from "./months.ts";
import type { Month } from "./months.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";

/** A month is sealed one day after its end, when decisions of its last moment are posted. */
const SEAL_AFTER_MS = DAY_MS;

/** Entries per link of the chain. It is part of the seal: another number gives other hashes. */
export const LINK_ENTRIES = 500;

/**
 * Returns the next month to seal at `now`; null while no such month is over. It follows the last
 * sealed one, or is the first with entries.
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

/** The position of an entry in the order of a seal. */
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
 * Formats one entry for the hash of a seal, so that any later change gives another line. Ids and
 * source keys contain no tab.
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

/** The first text in a month's hash: the month and the hash before it. */
const sealHead = (month: Month, previousHash: string): string => `${month}\t${previousHash}\n`;

/** Returns the SHA-256 of a text, in hex. */
export type DigestFunction = (text: string) => Promise<string>;

/**
 * Returns the hash after the next lines. Entries are chained page by page, always with the same
 * number of lines.
 */
export const extendHash = (digest: DigestFunction, hash: string, lines: string): Promise<string> =>
  digest(`${hash}\n${lines}`);

/** The progress of the hash of a month. `after` is its last entry, null at the start. */
export type SealChain = {
  hash: string;
  entriesCount: number;
  balances: KindBalances;
  after: SealPosition | null;
};

/**
 * Starts the chain of a month before its first entry. It continues the previous month, whose
 * balances are `before`.
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

/** Extends the chain by its next page of entries. */
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

/** The balance of each kind of account, debits positive (centavos). */
export type KindBalances = Partial<Record<LedgerAccountKind, Cents>>;

/** Parses stored balances. Only `sealNextMonth` writes them. */
export const readBalances = (json: string): KindBalances => JSON.parse(json) as KindBalances;

/** Adds `entries` to `balances`. The kind of an account is the first part of its id. */
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

/** Sums the movement of `entries` by account id (centavos, debits positive). */
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
