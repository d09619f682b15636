import { and, eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { prepareReads, batchReads } from "#app/db/prepared-reads.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { toChargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { charges, inbox } from "#drizzle/schema/payments.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import {
  toSubscriptionSnapshot,
  subscriptionSnapshotStatements,
} from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";

/** A mandate, its subscription, and the charge that its code carries. */
export type MandateSnapshot = {
  mandate: PixMandate;
  subscriptionSnapshot: SubscriptionSnapshot | null;
  first: Charge | null;
};

type MandateReadContext = { db: Database; adultSpaces: boolean };

/**
 * The statements of the mandate that a webhook event names, found by the provider's id or by our
 * own (`reference`); `toMandateSnapshot` reads their rows. They may be built once.
 */
export function mandateOfEventStatements(
  { db, adultSpaces }: MandateReadContext,
  { inboxId, reference }: { inboxId: SQL<string>; reference: SQL<string> },
) {
  const subscriptionId = sql<string>`(SELECT mandate.subscription_id FROM inbox event JOIN recurring_pix mandate ON mandate.provider = event.provider AND (mandate.provider_recurring_pix_id = event.object_id OR mandate.id = ${reference}) WHERE event.id = ${inboxId} LIMIT 1)`;
  return [
    db
      .select({ mandate: recurringPix, first: charges })
      .from(inbox)
      .innerJoin(
        recurringPix,
        and(
          eq(recurringPix.provider, inbox.provider),
          or(
            eq(recurringPix.providerRecurringPixId, inbox.objectId),
            eq(recurringPix.id, reference),
          ),
        ),
      )
      .leftJoin(charges, eq(charges.id, recurringPix.firstChargeId))
      .where(eq(inbox.id, inboxId))
      .limit(1),
    ...subscriptionSnapshotStatements({ db, adultSpaces }, { subscriptionId }),
  ] as const;
}

type MandateSnapshotRows<Statements> = {
  readonly [Index in keyof Statements]: Awaited<Statements[Index]>;
};

export function toMandateSnapshot(
  ctx: Context,
  [[found], ...snapshotRows]: MandateSnapshotRows<ReturnType<typeof mandateOfEventStatements>>,
): MandateSnapshot | null {
  return found
    ? {
        mandate: found.mandate,
        subscriptionSnapshot: toSubscriptionSnapshot(ctx, snapshotRows),
        first: found.first && toChargeRow(found.first),
      }
    : null;
}

const asked = sql<string>`${sql.placeholder("mandateId")}`;
const ofAuthorisation = (adultSpaces: boolean) =>
  prepareReads((db) => {
    const subscriptionId = sql<string>`(SELECT agreed.subscription_id FROM recurring_pix agreed WHERE agreed.id = ${asked})`;
    const mandateWithFirstCharge = db
      .select({ mandate: recurringPix, first: charges })
      .from(recurringPix)
      .leftJoin(charges, eq(charges.id, recurringPix.firstChargeId))
      .where(eq(recurringPix.id, asked))
      .limit(1);
    return [
      mandateWithFirstCharge,
      ...subscriptionSnapshotStatements({ db, adultSpaces }, { subscriptionId }),
    ] as const;
  });
const SNAPSHOT_STATEMENTS = { true: ofAuthorisation(true), false: ofAuthorisation(false) };

/** Loads mandates with their subscriptions, by id, in one round trip; missing ones are omitted. */
export async function loadMandateSnapshots(
  ctx: Context,
  { mandateIds }: { mandateIds: readonly string[] },
): Promise<ReadonlyMap<string, MandateSnapshot>> {
  const rows = await batchReads(
    ctx.db,
    mandateIds.map((mandateId) =>
      SNAPSHOT_STATEMENTS[`${ctx.settings.adultSpaces}`](ctx.db, { mandateId }),
    ),
  );
  return new Map(
    rows
      .map((found) => toMandateSnapshot(ctx, found))
      .flatMap((snapshot) => (snapshot ? [[snapshot.mandate.id, snapshot] as const] : [])),
  );
}

/** One of `loadMandateSnapshots`; null when the mandate does not exist. */
export async function loadMandateSnapshot(
  ctx: Context,
  { mandateId }: { mandateId: string },
): Promise<MandateSnapshot | null> {
  return (await loadMandateSnapshots(ctx, { mandateIds: [mandateId] })).get(mandateId) ?? null;
}
