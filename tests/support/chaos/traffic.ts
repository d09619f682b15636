import { inArray } from "drizzle-orm";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { DEBIT_ORDER_LEAD_DAYS } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { sweepInbox } from "#workers/fees/apply-event.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { requestRandom, payCheckoutNow, runConcurrently } from "./actions.ts";
import type { ChaosActions, Concurrency } from "./actions.ts";
import { countGenerated } from "./generated.ts";
import type { PendingDelivery } from "./provider-state.ts";
import { CHAOS_FAULT_RATES } from "./provider-state.ts";
import type { Dice } from "./scheduler.ts";
import type { SeededWorld, WorldWork } from "./seeded-world.ts";

/** The webhook request of a delivery. */
export const webhookRequestOf = ({ event }: PendingDelivery): Request =>
  new Request(`https://coreto.test/webhooks/${event.at}`, {
    method: "POST",
    body: JSON.stringify(event),
  });

/** Posts a delivery. If the answer is not 200, it stays and is due again an hour later. */
const posted =
  (seededWorld: SeededWorld, delivery: PendingDelivery): WorldWork =>
  async (ctx) => {
    const again = { ...delivery, dueAt: ctx.now() + HOUR_MS, tries: delivery.tries + 1 };
    seededWorld.provider.deliveries.splice(
      seededWorld.provider.deliveries.indexOf(delivery),
      1,
      again,
    );
    if ((await receiveWebhook(ctx, webhookRequestOf(delivery))).status === 200)
      seededWorld.provider.deliveries.splice(seededWorld.provider.deliveries.indexOf(again), 1);
  };

/** Deliveries or messages that one action handles, one after the other. */
const GROUPS = 5;
const crons: WorldWork[] = [sweepInbox, sweepOutbox, runRenewals, runPayouts];
const JUMPS_MS = [
  MINUTE_MS,
  3 * MINUTE_MS,
  20 * MINUTE_MS,
  45 * MINUTE_MS,
  6 * HOUR_MS,
  DAY_MS,
  3 * DAY_MS,
  9 * DAY_MS,
  28 * DAY_MS,
];

async function delivered(
  seededWorld: SeededWorld,
  dice: Dice,
  { times, dies }: Concurrency,
): Promise<boolean> {
  const due = seededWorld.due();
  const picked = new Set(
    Array.from({ length: times }, () =>
      dice.chance(CHAOS_FAULT_RATES.late) ? dice.pick(due) : due[0],
    ),
  );
  const works = [...picked].flatMap((delivery) =>
    delivery ? [posted(seededWorld, delivery)] : [],
  );
  return await seededWorld.together("deliver", works, dies);
}

async function consumed(
  seededWorld: SeededWorld,
  dice: Dice,
  { times, dies }: Concurrency,
): Promise<boolean> {
  const taken = Array.from({ length: times }, () =>
    seededWorld.queue.splice(
      dice.chance(CHAOS_FAULT_RATES.late) ? dice.below(seededWorld.queue.length) : 0,
      1,
    ),
  ).flat();
  const messages = taken.flatMap((message) =>
    dice.chance(CHAOS_FAULT_RATES.duplicate) ? [message, message] : [message],
  );
  return await seededWorld.consumed(messages, dies);
}

/** Delivers every due webhook and consumes every queued message. */
export async function deliverAll(seededWorld: SeededWorld, dice: Dice): Promise<void> {
  for (const _ of seededWorld.due()) await delivered(seededWorld, dice, { times: 1, dies: null });
  for (let left = seededWorld.queue.length; left > 0; left -= 1)
    await consumed(seededWorld, dice, { times: 1, dies: null });
}

/**
 * Runs the action `name` just before, most of the time, and delivers its webhooks. An action such
 * as a cooling-off refund needs a recent purchase.
 */
export async function ensureRecently(
  seededWorld: SeededWorld,
  dice: Dice,
  acts: ChaosActions,
  name: string,
): Promise<void> {
  const kind = acts[name];
  if (!kind || !dice.chance(60)) return;
  countGenerated(name, await kind.act(seededWorld, dice, { times: 1, dies: null }));
  await deliverAll(seededWorld, dice);
}

/** Actions of buyers, banks and the platform: purchases, payments, deliveries, queues and crons. */
export const TRAFFIC_ACTIONS: ChaosActions = {
  subscribe: {
    weight: 4,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        planPriceId: dice.pick(seededWorld.sellers)?.priceId ?? "",
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "subscribe",
          runConcurrently(times, (ctx) => startSubscription(ctx, wish)),
          dies,
        ),
      );
    },
  },
  buy: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        kind: "post" as const,
        targetId: dice.pick(seededWorld.posts) ?? "",
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "buy",
          runConcurrently(times, (ctx) => startPurchase(ctx, wish)),
          dies,
        ),
      );
    },
  },
  pay: {
    weight: 7,
    act({ provider }, dice) {
      const open = [...provider.charges.values()].filter(
        ({ status }) => status === "awaiting_payment" || status === "requires_action",
      );
      const charge = dice.chance(90) ? dice.pick(open) : dice.pick([...provider.charges.values()]);
      return charge !== undefined && provider.payCharge(charge);
    },
  },
  decline: {
    weight: 1,
    act({ provider }, dice) {
      const open = [...provider.charges.values()].filter(
        ({ status }) => status === "awaiting_payment" || status === "requires_action",
      );
      const charge = dice.chance(80) ? dice.pick(open) : dice.pick([...provider.charges.values()]);
      return charge !== undefined && provider.declineCharge(charge);
    },
  },
  deliver: {
    weight: 9,
    async act(seededWorld, dice, { times, dies }) {
      let took = false;
      for (let group = 0; group < GROUPS; group += 1)
        took =
          (await delivered(seededWorld, dice, { times, dies: group === 0 ? dies : null })) || took;
      return took;
    },
  },
  replay: {
    weight: 1,
    act({ provider, ctx }, dice) {
      const event = dice.pick(provider.happenings);
      if (event) provider.deliveries.push({ event, dueAt: ctx.now(), tries: 0 });
      return event !== undefined;
    },
  },
  consume: {
    weight: 9,
    async act(seededWorld, dice, { times, dies }) {
      let took = false;
      for (let group = 0; group < GROUPS; group += 1)
        took =
          (await consumed(seededWorld, dice, { times, dies: group === 0 ? dies : null })) || took;
      return took;
    },
  },
  returnPage: {
    weight: 3,
    async act(seededWorld, dice, { times, dies }) {
      const charge = dice.pick([...seededWorld.provider.charges.values()]);
      const chargeId = charge?.reference ?? "";
      const deliveredEvents = seededWorld
        .due()
        .filter(({ event }) => event.objectId === charge?.id)
        .slice(0, times);
      return await seededWorld.together(
        "return page",
        [
          ...runConcurrently(times, (ctx) => settleCharge(ctx, { chargeId })),
          ...deliveredEvents.map((delivery) => posted(seededWorld, delivery)),
        ],
        dies,
      );
    },
  },
  cron: {
    weight: 4,
    async act(seededWorld, dice, { times, dies }) {
      const cron = dice.pick(crons);
      return (
        cron !== undefined &&
        (await seededWorld.together("cron", runConcurrently(times, cron), dies))
      );
    },
  },
  advance: {
    weight: 4,
    act(seededWorld, dice) {
      seededWorld.advance(dice.pick(JUMPS_MS) ?? 0);
      return true;
    },
  },
  /**
   * Runs one day with faults: the renewals' cron, some queued messages and some deliveries. Then
   * advances the clock by a day.
   */
  day: {
    weight: 4,
    async act(seededWorld, dice, { dies }) {
      await seededWorld.together("cron", [runRenewals], dies);
      for (let some = 0; some < 2 * GROUPS; some += 1) {
        await consumed(seededWorld, dice, { times: 1, dies: null });
        await delivered(seededWorld, dice, { times: 1, dies: null });
      }
      seededWorld.advance(DAY_MS);
      return true;
    },
  },
  /** Runs one hour without crashes: all deliveries and messages, and the renewals' cron. */
  hour: {
    weight: 4,
    async act(seededWorld, dice) {
      await deliverAll(seededWorld, dice);
      await seededWorld.together("cron", [runRenewals], null);
      for (let left = seededWorld.queue.length; left > 0; left -= 1)
        await consumed(seededWorld, dice, { times: 1, dies: null });
      seededWorld.advance(HOUR_MS);
      return true;
    },
  },
  /**
   * Runs the days around the next renewal, one by one. Codes are sent, banks debit or refuse, cards
   * are retried, and some people pay.
   */
  renewalWeek: {
    weight: 2,
    async act(seededWorld, dice) {
      const now = seededWorld.ctx.now();
      const ends = (
        await seededWorld.ctx.db
          .select({ endsAt: subscriptions.currentPeriodEndsAt })
          .from(subscriptions)
          .where(inArray(subscriptions.status, ["active", "past_due", "trialing"]))
      ).flatMap(({ endsAt }) => (endsAt !== null && endsAt > now ? [endsAt] : []));
      if (ends.length === 0) return false;
      seededWorld.advance(
        Math.max(0, Math.min(...ends) - DEBIT_ORDER_LEAD_DAYS * DAY_MS + HOUR_MS - now),
      );
      for (let day = 0; day < 2 + DEBIT_ORDER_LEAD_DAYS; day += 1) {
        await seededWorld.together("cron", [runRenewals], null);
        for (let left = seededWorld.queue.length; left > 0; left -= 1)
          await consumed(seededWorld, dice, { times: 1, dies: null });
        for (const charge of seededWorld.provider.charges.values())
          if (charge.status === "awaiting_payment" && dice.chance(15))
            seededWorld.provider.payCharge(charge);
        for (const _ of seededWorld.due())
          await delivered(seededWorld, dice, { times: 1, dies: null });
        seededWorld.advance(DAY_MS);
      }
      await seededWorld.together("cron", [runPayouts], null);
      return true;
    },
  },
  payout: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const creatorId = dice.pick(seededWorld.sellers)?.id ?? "";
      return await seededWorld.together(
        "payout",
        runConcurrently(times, (ctx) => requestPayout(ctx, { creatorId })),
        dies,
      );
    },
  },
};
