import { and, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeReleased } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { partsToRelease } from "#app/domain/payments/releases/queries.server.ts";
import { isReleasable } from "#app/domain/payments/rules.ts";
import {
  allocateDispute,
  pendingCentsOf,
  allocateSequentially,
  allocateRefund,
  allocateDisputeWon,
} from "#app/domain/payments/releases/rules/releases.ts";
import type { ChargePart, ReleasePart } from "#app/domain/payments/releases/rules/releases.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargePeriods, chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";

/** Builds the statement that inserts the release parts of a paid charge. */
export function insertReleasesStatement(
  ctx: Context,
  charge: Pick<Charge, "id" | "creatorId">,
  parts: readonly Pick<ReleasePart, "netCents" | "beginsAt" | "releaseAt">[],
): BatchWrite {
  // D1 binds at most a hundred values, and a charge has up to twelve parts. Equal values are
  // therefore written, not bound.
  const untouched = { takenCents: sql`0`, disputedCents: sql`0`, releasedAt: sql`NULL` };
  return ctx.db.insert(chargeReleases).values(
    parts.map((part, position) => ({
      ...part,
      ...untouched,
      id: ctx.newId(),
      chargeId: charge.id,
      creatorId: charge.creatorId,
      position,
    })),
  );
}

/** Number of parts that one commit releases: eight statements each. */
export const RELEASE_BATCH_SIZE = 25;

/**
 * Releases the pending amount of these parts (at most `RELEASE_BATCH_SIZE`) to their creators'
 * available balances. All of them are one commit: two calls to the database. Skips parts that are
 * released, not due or disputed; safe to run twice. The ledger is the same as after single releases
 * (`allocateSequentially`), each part a transaction of its own.
 */
export async function releaseDueParts(
  ctx: Context,
  { releaseIds }: { releaseIds: readonly string[] },
): Promise<void> {
  await retryOnConflict(async () => {
    const { parts, owedCents } = await partsToRelease(ctx, { releaseIds });
    const ripe = parts.filter(
      (part) =>
        part.releaseAt <= ctx.now() && pendingCentsOf(part) > 0 && isReleasable(part.status),
    );
    await commit(
      ctx.db,
      allocateSequentially(ripe, owedCents).flatMap((part) => leavingStatements(ctx, part)),
    );
  });
}

function leavingStatements(
  ctx: Context,
  part: ChargePart & Pick<Charge, "provider" | "status"> & { owedCents: Cents },
): BatchWrite[] {
  const { chargeId, creatorId, provider, status, pendingCents, position, owedCents } = part;
  const netCents = pendingCentsOf(part);
  return [
    freedStatement(ctx, part),
    mustChangeOne(
      ctx.db
        .update(charges)
        .set({ pendingCents: pendingCents - netCents })
        .where(
          and(
            eq(charges.id, chargeId),
            eq(charges.status, status),
            eq(charges.pendingCents, pendingCents),
          ),
        ),
    ),
    ...postingStatements(
      ctx,
      chargeReleased({ chargeId, position, creatorId, provider, netCents, owedCents }),
    ),
  ];
}

/** Builds the statement that marks a part as released. */
function freedStatement(ctx: Context, part: ReleasePart): BatchWrite {
  return movedStatement(ctx, part, { releasedAt: ctx.now() });
}

/**
 * Builds the statements by which a refund takes `netCents` of the pending parts. Returns the amount
 * taken.
 */
export function refundedPartsStatements(
  ctx: Context,
  parts: readonly ReleasePart[],
  netCents: Cents,
): { writes: BatchWrite[]; takenCents: Cents } {
  const taken = allocateRefund(parts, netCents);
  return {
    takenCents: taken.reduce((sum, { cents }) => sum + cents, 0),
    writes: taken.map(({ part, cents }) =>
      movedStatement(ctx, part, { takenCents: part.takenCents + cents }),
    ),
  };
}

/**
 * Builds the statements by which a dispute holds `netCents` of the pending parts. Returns the
 * amount held.
 */
export function disputedPartsStatements(
  ctx: Context,
  parts: readonly ReleasePart[],
  netCents: Cents,
): { writes: BatchWrite[]; pendingCents: Cents } {
  const taken = allocateRefund(parts, netCents);
  return {
    pendingCents: taken.reduce((sum, { cents }) => sum + cents, 0),
    writes: taken.map(({ part, cents }) =>
      movedStatement(ctx, part, { disputedCents: part.disputedCents + cents }),
    ),
  };
}

/**
 * Builds the statements that take a lost dispute's hold from a charge's parts: the bank refunded
 * the payer.
 */
export function disputeLostPartsStatements(
  ctx: Context,
  parts: readonly ReleasePart[],
  pendingCents: Cents,
): BatchWrite[] {
  return allocateDispute(parts, pendingCents).map(({ part, cents }) =>
    movedStatement(ctx, part, {
      disputedCents: part.disputedCents - cents,
      takenCents: part.takenCents + cents,
    }),
  );
}

/**
 * Builds the statements that return a won dispute's hold to the creator. Returns how much of it
 * waits with its part.
 */
export function disputeWonPartsStatements(
  ctx: Context,
  parts: readonly ReleasePart[],
  pendingCents: Cents,
): { writes: BatchWrite[]; waitingCents: Cents } {
  const now = ctx.now();
  const { shares, waitingCents } = allocateDisputeWon(parts, pendingCents, now);
  return {
    waitingCents,
    writes: shares.map(({ part, cents, isFreed }) =>
      movedStatement(ctx, part, {
        disputedCents: part.disputedCents - cents,
        ...(isFreed ? { releasedAt: now } : {}),
      }),
    ),
  };
}

/** Builds the statement that updates a part, if it is unchanged since it was read. */
function movedStatement(
  ctx: Context,
  { id, takenCents, disputedCents, releasedAt }: ReleasePart,
  to: Partial<Pick<ReleasePart, "takenCents" | "disputedCents" | "releasedAt">>,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(chargeReleases)
      .set(to)
      .where(
        and(
          eq(chargeReleases.id, id),
          releasedAt === null
            ? isNull(chargeReleases.releasedAt)
            : eq(chargeReleases.releasedAt, releasedAt),
          eq(chargeReleases.takenCents, takenCents),
          eq(chargeReleases.disputedCents, disputedCents),
        ),
      ),
  );
}

/**
 * Builds the statement that moves releases with their subscription periods, for periods that start
 * from `from` on.
 */
export function shiftReleasesStatement(
  ctx: Context,
  { subscriptionId, from, by }: { subscriptionId: string; from: Instant; by: number },
): BatchWrite {
  const theirs = ctx.db
    .select({ id: chargePeriods.chargeId })
    .from(chargePeriods)
    .where(eq(chargePeriods.subscriptionId, subscriptionId));
  return ctx.db
    .update(chargeReleases)
    .set({
      beginsAt: sql`${chargeReleases.beginsAt} + CAST(${by} AS INTEGER)`,
      releaseAt: sql`${chargeReleases.releaseAt} + CAST(${by} AS INTEGER)`,
    })
    .where(
      and(
        inArray(chargeReleases.chargeId, theirs),
        isNull(chargeReleases.releasedAt),
        gte(chargeReleases.beginsAt, from),
      ),
    );
}
