import { recoveredDebtCents } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { RENEWAL_HOLD_MS } from "./release-time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A part of a paid charge's net. What refunds took of it never becomes the creator's. */
export type ReleasePart = {
  id: string;
  position: number;
  netCents: Cents;
  takenCents: Cents;
  /** The amount that open disputes hold of it. */
  disputedCents: Cents;
  beginsAt: Instant | null;
  releaseAt: Instant;
  releasedAt: Instant | null;
};

/** Returns the pending amount of a part (centavos): not released, not taken and not disputed. */
export const pendingCentsOf = ({
  netCents,
  takenCents,
  disputedCents,
  releasedAt,
}: Pick<ReleasePart, "netCents" | "takenCents" | "disputedCents" | "releasedAt">): Cents =>
  releasedAt === null ? netCents - takenCents - disputedCents : 0;

/**
 * Splits `totalCents` in proportion to `weightsCents`: whole centavos by largest remainder, the
 * first of equal ones first. The parts always add up to the total. Source: domain rules, "Fee".
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
 * Plans the release parts of a paid charge. A charge of several periods is released as each starts,
 * one day later. No part is released before `earliestAt`, the date of a single part. The parts are
 * weighted by the prices of the periods. Source: domain rules, "Subscriptions" and "Ledger", row
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

/** A part with its charge, and what of that charge was pending when it was read (centavos). */
export type ChargePart = ReleasePart & {
  chargeId: string;
  creatorId: string;
  pendingCents: Cents;
};

/**
 * Returns parts released together, in order, each with its charge's pending amount and its
 * creator's debt after those before it (centavos). INVARIANT: the last of them finds the ledger as
 * if each had been released alone, one after the other.
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
 * Returns what a refund or dispute of `netCents` takes of each pending part, the latest period
 * first. The remainder is not pending.
 */
export const allocateRefund = (parts: readonly ReleasePart[], netCents: Cents): PartShare[] =>
  fromTheLatest(parts, netCents, pendingCentsOf);

/**
 * Returns what a dispute that took `pendingCents` holds of each part. Holds of two disputes on one
 * part are not told apart; their sum counts.
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
 * Returns what becomes of a won dispute's hold on each part. It waits again if its period has not
 * started, or if the rest of its part still waits. The rest becomes available; `isFreed` marks a
 * part that is thereby released whole. INVARIANT: a charge's pending amount is that of its
 * unreleased parts, less what was taken of them and what is disputed.
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
