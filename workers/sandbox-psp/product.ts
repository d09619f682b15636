import { and, count, desc, eq, gt, inArray, isNull, lte, min, sql } from "drizzle-orm";
import { openDatabase } from "#app/db/client.server.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { chargeReleases, charges, inbox } from "#drizzle/schema/payments.ts";
import { localPushes } from "#drizzle/schema/push.ts";
import { localTexts } from "#drizzle/schema/sms.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { Psp } from "./psp.ts";
import { notFound } from "./refusal.ts";

// The console's view of the product. The payment provider itself needs none of it.
const waiting = {
  inbox: and(isNull(inbox.handledAt), isNull(inbox.quarantinedAt)),
  outbox: and(isNull(outbox.handledAt), isNull(outbox.quarantinedAt)),
};

export async function productView(psp: Psp, shown: number) {
  if (!psp.env.PRODUCT_DB) return { mails: [], texts: [], pushes: [], inbox: [], outbox: [] };
  const db = openDatabase(psp.env.PRODUCT_DB);
  const [mails, texts, pushes, deliveriesIn, messagesOut] = await db.batch([
    db.select().from(localMails).orderBy(desc(localMails.createdAt)).limit(shown),
    db.select().from(localTexts).orderBy(desc(localTexts.createdAt)).limit(shown),
    db.select().from(localPushes).orderBy(desc(localPushes.createdAt)).limit(shown),
    db.select().from(inbox).orderBy(desc(inbox.receivedAt)).limit(shown),
    db.select().from(outbox).orderBy(desc(outbox.createdAt)).limit(shown),
  ]);
  return { mails, texts, pushes, inbox: deliveriesIn, outbox: messagesOut };
}

/**
 * Counts pending work that moves money or access: unprocessed webhook events, unsent payouts,
 * overdue subscriptions, and those due for the renewals cron. Excludes notifications, because
 * nothing waits for them.
 */
export async function pendingWorkCount(binding: D1Database, now: number): Promise<number> {
  const db = openDatabase(binding);
  const rows = await db.batch([
    db.select({ rows: count() }).from(inbox).where(waiting.inbox),
    db
      .select({ rows: count() })
      .from(payouts)
      .where(inArray(payouts.status, ["requested", "claimed"])),
    db
      .select({ rows: count() })
      .from(subscriptions)
      .where(and(eq(subscriptions.status, "active"), lte(subscriptions.currentPeriodEndsAt, now))),
    db
      .select({ rows: count() })
      .from(subscriptions)
      .where(
        and(
          inArray(subscriptions.status, ["past_due", "canceled"]),
          lte(subscriptions.accessUntil, now),
        ),
      ),
    db
      .select({ rows: count() })
      .from(subscriptions)
      .where(and(eq(subscriptions.status, "paused"), lte(subscriptions.resumesAt, now))),
    db.select({ rows: count() }).from(subscriptions).where(lte(subscriptions.calendarAt, now)),
  ]);
  return rows.reduce((sum, [row]) => sum + (row?.rows ?? 0), 0);
}

/** Counts the notifications still to be sent. */
export async function pendingMessagesCount(binding: D1Database): Promise<number> {
  const [row] = await openDatabase(binding)
    .select({ rows: count() })
    .from(outbox)
    .where(waiting.outbox);
  return row?.rows ?? 0;
}

const openCharge = ["created", "awaiting_payment", "requires_action", "processing"];

/** Finds the next due time of the product after `after` and up to `until`; null if there is none. */
export async function nextProductDue(
  binding: D1Database,
  after: number,
  until: number,
): Promise<number | null> {
  const db = openDatabase(binding);
  const isLive = inArray(subscriptions.status, [
    "upcoming",
    "trialing",
    "active",
    "requires_action",
    "past_due",
    "paused",
    "canceled",
  ]);
  const rows = await db.batch([
    db
      .select({ at: min(charges.expiresAt) })
      .from(charges)
      .where(
        and(
          inArray(charges.status, openCharge),
          gt(charges.expiresAt, after),
          lte(charges.expiresAt, until),
        ),
      ),
    db
      .select({ at: min(chargeReleases.releaseAt) })
      .from(chargeReleases)
      .where(
        and(
          isNull(chargeReleases.releasedAt),
          gt(chargeReleases.releaseAt, after),
          lte(chargeReleases.releaseAt, until),
        ),
      ),
    db
      .select({ at: min(subscriptions.currentPeriodEndsAt) })
      .from(subscriptions)
      .where(
        and(
          isLive,
          gt(subscriptions.currentPeriodEndsAt, after),
          lte(subscriptions.currentPeriodEndsAt, until),
        ),
      ),
    db
      .select({ at: min(accountDeletions.dueAt) })
      .from(accountDeletions)
      .where(
        and(
          eq(accountDeletions.status, "requested"),
          gt(accountDeletions.dueAt, after),
          lte(accountDeletions.dueAt, until),
        ),
      ),
    db
      .select({ at: min(subscriptions.resumesAt) })
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.status, "paused"),
          gt(subscriptions.resumesAt, after),
          lte(subscriptions.resumesAt, until),
        ),
      ),
    // Banks are closed at midnight, which is a stop, so a payout to a bank account would wait
    // forever. A payout waiting for balance is checked every few minutes, and is no stop.
    db
      .select({ at: min(payouts.waitsUntil) })
      .from(payouts)
      .where(
        and(
          eq(payouts.waitsFor, "business_day"),
          gt(payouts.waitsUntil, after),
          lte(payouts.waitsUntil, until),
        ),
      ),
    db
      .select({ at: min(subscriptions.accessUntil) })
      .from(subscriptions)
      .where(
        and(isLive, gt(subscriptions.accessUntil, after), lte(subscriptions.accessUntil, until)),
      ),
  ]);
  return earliest(rows.map(([row]) => row?.at ?? null));
}

export function earliest(instants: readonly (number | null)[]): number | null {
  const times = instants.filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Releases a quarantined row to the sweeper and resets its attempts. */
export async function retryProductRow(
  psp: Psp,
  table: "inbox" | "outbox",
  id: string,
): Promise<void> {
  if (!psp.env.PRODUCT_DB) throw notFound(table);
  const db = openDatabase(psp.env.PRODUCT_DB);
  const again = { attempts: 0, quarantinedAt: null, quarantineReason: null };
  if (table === "inbox")
    await db
      .update(inbox)
      .set(again)
      .where(and(eq(inbox.id, id), isNull(inbox.handledAt), sql`answer IS NOT 'closed'`));
  else
    await db
      .update(outbox)
      .set(again)
      .where(and(eq(outbox.id, id), isNull(outbox.handledAt)));
}
