import { sql } from "drizzle-orm";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DEBIT_ORDER_LEAD_DAYS } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import { sweepInbox } from "#workers/fees/apply-event.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { MAIN_PROVIDER, CALM_FAULT_RATES, CARD_PROVIDER } from "./provider-state.ts";
import type { ProviderStateCharge } from "./provider-state.ts";
import type { ChaoticProvider } from "./provider.ts";
import { webhookRequestOf } from "./traffic.ts";
import type { SeededWorld, WorldWork } from "./seeded-world.ts";

/**
 * Steps of the clock after the chaos run. They let every Pix code expire, even of a renewal that
 * crashed before it was sent. They also let us look up every object whose webhook was lost.
 */
const REST_MS = [
  20 * MINUTE_MS,
  HOUR_MS,
  20 * MINUTE_MS,
  (GRACE_DAYS + 1) * DAY_MS,
  20 * MINUTE_MS,
  DEBIT_ORDER_LEAD_DAYS * DAY_MS,
  20 * MINUTE_MS,
  20 * MINUTE_MS,
];
const MOST_ROUNDS = 40;

/** Brings the world to rest without faults: delivers events, empties queues, runs the crons. */
export async function settleWorld(seededWorld: SeededWorld): Promise<void> {
  seededWorld.deal(1);
  seededWorld.provider.luck.weather = CALM_FAULT_RATES;
  for (const restMs of REST_MS) {
    seededWorld.advance(restMs);
    await delivered(seededWorld);
    for (const cron of [sweepInbox, runRenewals, runPayouts])
      await seededWorld.together("cron", [cron], null);
    await emptied(seededWorld);
    await seededWorld.together("cron", [sweepOutbox], null);
  }
}

async function delivered(seededWorld: SeededWorld): Promise<void> {
  for (const delivery of seededWorld.provider.deliveries.splice(0))
    await seededWorld.together(
      "deliver",
      [(ctx) => receiveWebhook(ctx, webhookRequestOf(delivery))],
      null,
    );
}

async function emptied(seededWorld: SeededWorld): Promise<void> {
  for (let round = 0; seededWorld.queue.length > 0; round += 1) {
    if (round > MOST_ROUNDS)
      throw new Error(
        `the queues never came to rest: ${JSON.stringify(seededWorld.queue.slice(0, 3))}`,
      );
    for (const message of seededWorld.queue.splice(0)) await seededWorld.consumed([message], null);
  }
}

/** Subscribes people by every payment method, prepays one and buys a gift nobody claimed. */
export async function populateWorld(seededWorld: SeededWorld): Promise<void> {
  const [first, second] = seededWorld.sellers;
  const by = (at: number) => ({
    memberId: seededWorld.fans[at]?.id ?? "",
    memberName: seededWorld.fans[at]?.name ?? "",
    method: "pix" as const,
    cardToken: null,
  });
  const to = { planPriceId: first?.priceId ?? "" };
  const started: WorldWork[] = [
    (ctx) => startSubscription(ctx, { ...by(0), ...to, isAutomatic: true }),
    (ctx) => startSubscription(ctx, { ...by(1), ...to, method: "card", cardToken: "good" }),
    (ctx) => startSubscription(ctx, { ...by(2), ...to }),
    (ctx) => startSubscription(ctx, { ...by(3), ...to, periods: 3 }),
    (ctx) => startSubscription(ctx, { ...by(1), planPriceId: second?.priceId ?? "" }),
    (ctx) =>
      startGift(ctx, {
        ...by(0),
        ...to,
        recipientName: "Gil",
        recipientEmail: "",
        message: "",
        deliverOn: null,
      }),
  ];
  for (const work of started) await seededWorld.together("begin", [work], null);
  for (const charge of seededWorld.provider.charges.values())
    seededWorld.provider.payCharge(charge);
  await delivered(seededWorld);
  await emptied(seededWorld);
}

/**
 * Everything that is wrong in a world at rest, as text. Empty if our rows agree with the provider's
 * and every ledger invariant holds.
 */
export async function worldProblems(seededWorld: SeededWorld): Promise<string[]> {
  const { ctx, provider, findings } = seededWorld;
  // Seals the past months, as the payouts' cron does. The chaos run never runs the nightly jobs.
  while ((await sealNextMonth(ctx, { digest: sha256Hex })) !== null);
  const broken = (await invariantFindings(ctx)).flatMap(({ name, rows }) =>
    rows.map((row) => `${name}: ${JSON.stringify(row)}`),
  );
  const shelved = await ctx.db.all<{ line: string }>(sql`
    SELECT 'inbox: ' || type || ' ' || object_id || ' ' || quarantine_reason AS line FROM inbox WHERE quarantined_at IS NOT NULL
    UNION ALL SELECT 'outbox: ' || id || ' ' || quarantine_reason FROM outbox WHERE quarantined_at IS NOT NULL
    UNION ALL SELECT 'waits: ' || id FROM inbox WHERE handled_at IS NULL AND quarantined_at IS NULL
    UNION ALL SELECT 'waits: ' || id FROM outbox WHERE handled_at IS NULL AND quarantined_at IS NULL`);
  const twice = await ctx.db.all<{ line: string }>(sql`
    SELECT 'covered twice: ' || one.subscription_id || ' ' || one.charge_id || ' ' || datetime(one.starts_at / 1000, 'unixepoch') || ' to ' || datetime(one.ends_at / 1000, 'unixepoch') || ', and ' || other.charge_id || ' ' || datetime(other.starts_at / 1000, 'unixepoch') || ' to ' || datetime(other.ends_at / 1000, 'unixepoch') AS line FROM charge_periods one JOIN charge_periods other
      ON other.subscription_id = one.subscription_id AND other.id <> one.id AND other.is_difference = 0 AND one.is_difference = 0 AND other.starts_at >= one.starts_at AND other.starts_at < one.ends_at
      JOIN charges c ON c.id = one.charge_id AND c.status NOT IN ('refunded', 'dispute_lost') JOIN charges d ON d.id = other.charge_id AND d.status NOT IN ('refunded', 'dispute_lost')
    UNION ALL SELECT 'paid for nothing: ' || c.id FROM charges c WHERE c.purchase_kind IN ('subscription', 'plan_change') AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
      AND NOT EXISTS (SELECT 1 FROM charge_periods p WHERE p.charge_id = c.id) AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id)`);
  return [
    ...findings,
    ...broken,
    ...shelved.map(({ line }) => line),
    ...twice.map(({ line }) => line),
    ...(await statesThatDiffer(seededWorld)),
    ...(await sumsThatDiffer(seededWorld)),
    ...(await standingsThatDiffer(seededWorld)),
    ...(await transfersThatDiffer(seededWorld, provider)),
  ];
}

async function statesThatDiffer({ ctx, provider }: SeededWorld): Promise<string[]> {
  const ours = new Map((await ctx.db.select().from(charges)).map((charge) => [charge.id, charge]));
  const atProvider = [...provider.charges.values()].flatMap((providerCharge) => {
    const known = ours.get(providerCharge.reference ?? "");
    ours.delete(providerCharge.reference ?? "");
    if (!known) return [`${providerCharge.id} is nobody's`];
    const lawful = statesOf(provider, providerCharge);
    const isSame =
      lawful.includes(known.status) &&
      (providerCharge.status !== "succeeded" ||
        known.refundedCents === providerCharge.refundedCents);
    return isSame
      ? []
      : [
          `${providerCharge.id} is ${known.status} (${known.refundedCents} back) here, and there ${lawful.join("/")} (${providerCharge.refundedCents} back)`,
        ];
  });
  const neverReached = [...ours.values()].filter(
    ({ status }) => !["failed", "expired", "canceled"].includes(status),
  );
  return [
    ...atProvider,
    ...neverReached.map(({ id, status }) => `${id} is ${status}, and no provider knows it`),
  ];
}

function statesOf(provider: ChaoticProvider, providerCharge: ProviderStateCharge): string[] {
  if (providerCharge.status !== "succeeded") return [providerCharge.status];
  const { status: dispute, amountCents: disputedCents } = provider.disputes.get(
    `dp_${providerCharge.id}`,
  ) ?? { status: null, amountCents: 0 };
  if (dispute === "needs_response" || dispute === "under_review") return ["disputed"];
  const isAllGone = providerCharge.refundedCents + disputedCents === providerCharge.amountCents;
  // A dispute over a part leaves the rest, which may be refunded too.
  if (dispute === "lost") return isAllGone ? ["dispute_lost", "refunded"] : ["partially_refunded"];
  const left =
    providerCharge.refundedCents === 0
      ? "succeeded"
      : providerCharge.refundedCents === providerCharge.amountCents
        ? "refunded"
        : "partially_refunded";
  return dispute === "won" ? ["dispute_won", left] : [left];
}

/** Compares our ledger balance at each provider with what the provider holds. */
async function sumsThatDiffer({ ctx, provider }: SeededWorld): Promise<string[]> {
  const rows = await ctx.db.all<{ id: string; cents: number }>(
    sql`SELECT id, balance_cents AS cents FROM ledger_accounts WHERE kind = 'provider_clearing'`,
  );
  const sum = (amounts: number[]) => amounts.reduce((total, one) => total + one, 0);
  return [MAIN_PROVIDER, CARD_PROVIDER].flatMap((at) => {
    const providerCharges = [...provider.charges.values()].filter((charge) => charge.at === at);
    const ids = new Set(providerCharges.map(({ id }) => id));
    const taken = sum(
      providerCharges
        .filter(({ status }) => status === "succeeded")
        .map(({ amountCents, refundedCents }) => amountCents - refundedCents),
    );
    const lost = sum(
      [...provider.disputes.values()]
        .filter(({ status, chargeId }) => status === "lost" && ids.has(chargeId))
        .map(({ amountCents }) => amountCents),
    );
    const sent =
      at === MAIN_PROVIDER
        ? sum(
            [...provider.transfers.values()]
              .filter(({ status }) => status === "paid")
              .map(({ amountCents }) => amountCents),
          )
        : 0;
    const ours = rows.find(({ id }) => id === `provider_clearing:${at}`)?.cents ?? 0;
    return ours === taken - lost - sent
      ? []
      : [`the books say ${ours} is at ${at}, and it has ${taken - lost - sent}`];
  });
}

/** Compares Pix mandates with the provider, and seat counts and upcoming starts with their rows. */
async function standingsThatDiffer({ ctx, provider }: SeededWorld): Promise<string[]> {
  const authorisations = (await ctx.db.select().from(recurringPix)).flatMap(({ id, status }) => {
    const said = provider.recurring.get(`rp_${id}`)?.status ?? "expired";
    return said === status ? [] : [`authorisation ${id} is ${status} here, and there ${said}`];
  });
  const seats = await ctx.db.all<{ line: string }>(sql`
    SELECT 'plan ' || p.id || ' counts ' || p.seats_taken || ' seats, and ' || held.count || ' are held' AS line FROM plans p JOIN (
      SELECT plan_id, SUM(count) AS count FROM (
        SELECT plan_id, COUNT(*) AS count FROM subscriptions WHERE holds_seat = 1 GROUP BY plan_id
        UNION ALL SELECT plan_id, COUNT(*) FROM gifts WHERE holds_seat = 1 GROUP BY plan_id
        UNION ALL SELECT to_plan_id, COUNT(*) FROM plan_changes WHERE holds_seat = 1 GROUP BY to_plan_id
        UNION ALL SELECT id, 0 FROM plans) GROUP BY plan_id) held ON held.plan_id = p.id WHERE p.seats_taken <> held.count`);
  const prepaidProblems = await ctx.db.all<{ line: string }>(sql`
    SELECT 'never begins: ' || u.id || ', since ' || datetime(u.started_at / 1000, 'unixepoch') AS line FROM subscriptions u WHERE u.status = 'upcoming' AND u.started_at < ${ctx.now() - HOUR_MS}
      AND NOT EXISTS (SELECT 1 FROM subscriptions o WHERE o.fan_id = u.fan_id AND o.creator_id = u.creator_id AND o.status NOT IN ('incomplete', 'upcoming', 'expired'))
    UNION ALL SELECT 'opens before it begins: ' || id FROM subscriptions WHERE status = 'upcoming' AND (access_until IS NOT NULL OR begins_after IS NULL OR holds_seat = 0)`);
  return [
    ...authorisations,
    ...seats.map(({ line }) => line),
    ...prepaidProblems.map(({ line }) => line),
  ];
}

async function transfersThatDiffer(
  { ctx }: SeededWorld,
  provider: ChaoticProvider,
): Promise<string[]> {
  const ours = new Map((await ctx.db.select().from(payouts)).map((payout) => [payout.id, payout]));
  return [...provider.transfers.values()].flatMap(({ reference, status, amountCents }) => {
    const payout = ours.get(reference ?? "");
    const word = status === "processing" ? "sent" : status;
    return payout?.status === word && payout.amountCents === amountCents
      ? []
      : [
          `transfer ${reference} is ${payout?.status} of ${payout?.amountCents} here, and there ${status} of ${amountCents}`,
        ];
  });
}
