import { recoveredDebtCents } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { RENEWAL_HOLD_MS } from "#app/domain/payments/rules.ts";
import type { Instant } from "#app/domain/time.ts";

/** A part of a paid charge's net; what was taken of it, by refunds, never becomes its creator's. */
export type ReleasePart = {
  id: string;
  position: number;
  netCents: Cents;
  takenCents: Cents;
  /** What disputes that are open hold of it. */ disputedCents: Cents;
  beginsAt: Instant | null;
  releaseAt: Instant;
  releasedAt: Instant | null;
};

/** What of a part was not released nor taken yet, and is not fought over (centavos). */
export const pendingCentsOf = ({
  netCents,
  takenCents,
  disputedCents,
  releasedAt,
}: Pick<ReleasePart, "netCents" | "takenCents" | "disputedCents" | "releasedAt">): Cents =>
  releasedAt === null ? netCents - takenCents - disputedCents : 0;

/**
 * `totalCents` in parts as large, one against the other, as `weightsCents`: whole centavos by
 * largest remainder, the first of equal ones first, so that they always add to the whole. Source:
 * domain rules, "Fee".
 */
export function splitProportionally(totalCents: Cents, weightsCents: readonly Cents[]): Cents[] {
  const wholeCents = weightsCents.reduce((sum, weight) => sum + weight, 0);
  if (wholeCents <= 0) throw new Error("nothing to divide by");
  const exact = weightsCents.map((weight, position) => ({
    position,
    product: BigInt(totalCents) * BigInt(weight),
  }));
  const parts = exact.map(({ product }) => Number(product / BigInt(wholeCents)));
  const missing = totalCents - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact.toSorted(
    (one, other) =>
      Number((other.product % BigInt(wholeCents)) - (one.product % BigInt(wholeCents))) ||
      one.position - other.position,
  );
  for (const { position } of byRemainder.slice(0, missing))
    parts[position] = (parts[position] ?? 0) + 1;
  return parts;
}

/**
 * The parts in which the net of a paid charge leaves pending. One that covers several periods
 * leaves as each begins, a day later and never before `earliestAt`, when a single one would; what
 * those periods cost weighs the parts. Source: domain rules, "Subscriptions" and "Ledger", row
 * "released".
 */
export function planReleaseParts(sale: {
  netCents: Cents;
  earliestAt: Instant;
  periods: readonly { startsAt: Instant; cents: Cents }[];
  beginsAt?: Instant | null;
}): Pick<ReleasePart, "netCents" | "beginsAt" | "releaseAt">[] {
  const { netCents, earliestAt, periods, beginsAt = null } = sale;
  if (periods.length <= 1) return [{ netCents, beginsAt, releaseAt: earliestAt }];
  const parts = splitProportionally(
    netCents,
    periods.map(({ cents }) => cents),
  );
  return periods.map(({ startsAt }, position) => ({
    netCents: parts[position] ?? 0,
    beginsAt: startsAt,
    releaseAt: Math.max(earliestAt, startsAt + RENEWAL_HOLD_MS),
  }));
}

/** A part, of which charge it is, and what of that charge was pending as it was read (centavos). */
export type ChargePart = ReleasePart & {
  chargeId: string;
  creatorId: string;
  pendingCents: Cents;
};

/**
 * Parts that leave pending together, in their order, each with what its charge has pending and its
 * creator owes (centavos) once those before it left. INVARIANT: the last of them finds the books as
 * if each had left by itself, one after the other.
 */
export function allocateSequentially<Part extends ChargePart>(
  parts: readonly Part[],
  owedCents: ReadonlyMap<string, Cents>,
): (Part & { owedCents: Cents })[] {
  const [pending, owed] = [new Map<string, Cents>(), new Map(owedCents)];
  return parts.map((part) => {
    const found = {
      ...part,
      pendingCents: pending.get(part.chargeId) ?? part.pendingCents,
      owedCents: owed.get(part.creatorId) ?? 0,
    };
    const netCents = pendingCentsOf(part);
    pending.set(part.chargeId, found.pendingCents - netCents);
    owed.set(
      part.creatorId,
      found.owedCents - recoveredDebtCents({ netCents, owedCents: found.owedCents }),
    );
    return found;
  });
}

/**
 * What a refund or a dispute of `netCents` takes of each part that is still pending, the latest
 * period first; the rest is not there.
 */
export const allocateRefund = (parts: readonly ReleasePart[], netCents: Cents): PartShare[] =>
  fromTheLatest(parts, netCents, pendingCentsOf);

/**
 * Of each part what a dispute holds that took `pendingCents` of them as it opened. Parts that two
 * of them hold are not told apart: what they hold together is what both took.
 */
export const allocateDispute = (parts: readonly ReleasePart[], pendingCents: Cents): PartShare[] =>
  fromTheLatest(parts, pendingCents, ({ disputedCents }) => disputedCents);

type PartShare = { part: ReleasePart; cents: Cents };

function fromTheLatest(
  parts: readonly ReleasePart[],
  netCents: Cents,
  mostOf: (part: ReleasePart) => Cents,
): PartShare[] {
  let leftCents = netCents;
  return parts
    .toSorted((one, other) => other.position - one.position)
    .map((part) => {
      const cents = Math.min(leftCents, mostOf(part));
      leftCents -= cents;
      return { part, cents };
    })
    .filter(({ cents }) => cents > 0);
}

/**
 * What becomes of what a dispute that is won held of the parts: of a period that is to come, or
 * where the rest of its part still waits, it waits again; the rest is free (`isFreed`: and with it
 * the part, of which nothing else waits). INVARIANT: what a charge has pending is what its parts
 * that were not released have, less what was taken of them and what is fought over.
 */
export function allocateDisputeWon(
  parts: readonly ReleasePart[],
  pendingCents: Cents,
  now: Instant,
): { shares: (PartShare & { isFreed: boolean })[]; waitingCents: Cents } {
  const waits = (part: ReleasePart) =>
    part.releasedAt === null &&
    (pendingCentsOf(part) > 0 || (part.beginsAt !== null && part.releaseAt > now));
  const shares = allocateDispute(parts, pendingCents);
  return {
    shares: shares.map((share) => ({
      ...share,
      isFreed: share.part.releasedAt === null && !waits(share.part),
    })),
    waitingCents: shares
      .filter(({ part }) => waits(part))
      .reduce((sum, { cents }) => sum + cents, 0),
  };
}
