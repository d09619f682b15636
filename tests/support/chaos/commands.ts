import fc from "fast-check";
import { refundCharge } from "#app/domain/billing/commands/refund.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { isDecided } from "#app/domain/payments/rules.ts";
import { startPurchase } from "#app/domain/purchases/commands/checkout.server.ts";
import { regretPurchase } from "#app/domain/purchases/commands/end.server.ts";
import { settleCharge } from "#app/domain/purchases/commands/settle.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { regretSubscription } from "#app/domain/subscriptions/commands/end.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { sweepInbox } from "#workers/fees/apply-event.ts";
import { sweepOutbox } from "#workers/notifications/sweep.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { asked, repeated } from "./acts.ts";
import type { Act, Acts } from "./acts.ts";
import { LIFE } from "./life.ts";
import type { Delivery } from "./provider.ts";
import { STORM } from "./provider.ts";
import type { Town, Work } from "./town.ts";

/** `times`: how many do it at the same moment. `dies`: at which of its points the first of them dies. */
type How = { seed: number; times: number; dies: number | null };

/** A webhook as it comes; what is not answered 200 is sent again later. */
const posted =
  (town: Town, delivery: Delivery): Work =>
  async (ctx) => {
    const isHeard = async () => (await receiveWebhook(ctx, new Request("https://coreto.test/webhooks/chaos", { method: "POST", body: JSON.stringify(delivery.event) }))).status === 200;
    const again = { ...delivery, dueAt: ctx.now() + HOUR_MS, tries: delivery.tries + 1 };
    town.provider.deliveries.splice(town.provider.deliveries.indexOf(delivery), 1, again);
    if (await isHeard()) town.provider.deliveries.splice(town.provider.deliveries.indexOf(again), 1);
  };

/** How many deliveries or messages, one after the other, one step of the test takes. */
const GROUPS = 5;
const crons: Work[] = [sweepInbox, sweepOutbox, runRenewals, runPayouts];
const JUMPS_MS = [MINUTE_MS, 3 * MINUTE_MS, 20 * MINUTE_MS, 45 * MINUTE_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 9 * DAY_MS, 28 * DAY_MS];

const ACTS: Acts = {
  subscribe: {
    weight: 4,
    async act(town, dice, { times, dies }) {
      const wish = { ...asked(dice, town), planPriceId: dice.pick(town.sellers)?.priceId ?? "" };
      await town.together("subscribe", repeated(times, (ctx) => startSubscription(ctx, wish)), dies);
    },
  },
  buy: {
    weight: 3,
    async act(town, dice, { times, dies }) {
      const wish = { ...asked(dice, town), kind: "post" as const, targetId: dice.pick(town.posts) ?? "" };
      await town.together("buy", repeated(times, (ctx) => startPurchase(ctx, wish)), dies);
    },
  },
  pay: {
    weight: 6,
    act({ provider }, dice) {
      const open = [...provider.charges.values()].filter(({ status }) => status === "awaiting_payment" || status === "requires_action");
      const charge = dice.chance(90) ? dice.pick(open) : dice.pick([...provider.charges.values()]);
      if (charge) provider.payCharge(charge);
    },
  },
  decline: {
    weight: 1,
    act({ provider }, dice) {
      const charge = dice.pick([...provider.charges.values()]);
      if (charge) provider.declineCharge(charge);
    },
  },
  deliver: {
    weight: 9,
    async act(town, dice, { times, dies }) {
      for (let group = 0; group < GROUPS; group += 1) {
        const due = town.due();
        const picked = new Set(Array.from({ length: times }, () => (dice.chance(STORM.late) ? dice.pick(due) : due[0])));
        const works = [...picked].flatMap((delivery) => (delivery ? [posted(town, delivery)] : []));
        await town.together("deliver", works, group === 0 ? dies : null);
      }
    },
  },
  replay: {
    weight: 1,
    act({ provider, ctx }, dice) {
      const event = dice.pick(provider.happenings);
      if (event) provider.deliveries.push({ event, dueAt: ctx.now(), tries: 0 });
    },
  },
  consume: {
    weight: 9,
    async act(town, dice, { times, dies }) {
      for (let group = 0; group < GROUPS; group += 1) {
        const taken = Array.from({ length: times }, () => town.queue.splice(dice.chance(STORM.late) ? dice.below(town.queue.length) : 0, 1)).flat();
        const messages = taken.flatMap((message) => (dice.chance(STORM.duplicate) ? [message, message] : [message]));
        await town.consumed(messages, group === 0 ? dies : null);
      }
    },
  },
  returnPage: {
    weight: 3,
    async act(town, dice, { times, dies }) {
      const charge = dice.pick([...town.provider.charges.values()]);
      const chargeId = charge?.reference ?? "";
      const told = town.due().filter(({ event }) => event.objectId === charge?.id).slice(0, times);
      await town.together("return page", [...repeated(times, (ctx) => settleCharge(ctx, { chargeId })), ...told.map((one) => posted(town, one))], dies);
    },
  },
  cron: {
    weight: 4,
    async act(town, dice, { times, dies }) {
      const cron = dice.pick(crons);
      if (cron) await town.together("cron", repeated(times, cron), dies);
    },
  },
  advance: {
    weight: 4,
    act(town, dice) {
      town.advance(dice.pick(JUMPS_MS) ?? 0);
    },
  },
  regret: {
    weight: 1,
    async act(town, dice, { times, dies }) {
      const one = dice.pick(await town.ctx.db.select().from(subscriptions).orderBy(subscriptions.id));
      if (one) await town.together("regret", repeated(times, (ctx) => regretSubscription(ctx, { fanId: one.fanId, subscriptionId: one.id })), dies);
    },
  },
  regretPurchase: {
    weight: 1,
    async act(town, dice, { times, dies }) {
      const one = dice.pick(await town.ctx.db.select().from(purchases).orderBy(purchases.id));
      if (one) await town.together("regret purchase", repeated(times, (ctx) => regretPurchase(ctx, { personId: one.personId, purchaseId: one.id })), dies);
    },
  },
  refund: {
    weight: 1,
    async act(town, dice, { times, dies }) {
      const one = dice.pick(await town.ctx.db.select().from(charges).orderBy(charges.id));
      if (!one) return;
      const amountCents = dice.chance(50) ? one.amountCents : 1 + dice.below(one.amountCents);
      // Half of the time the same form twice, and else two forms at once.
      const same = dice.chance(50) ? town.ctx.newId() : null;
      const wish = { sellerId: one.creatorId, decidedBy: one.creatorId, chargeId: one.id, amountCents, reason: "" };
      await town.together("refund", repeated(times, (ctx) => refundCharge(ctx, { ...wish, refundId: same ?? ctx.newId() })), dies);
    },
  },
  dispute: {
    weight: 1,
    act({ provider }, dice) {
      const charge = dice.pick([...provider.charges.values()].filter(({ status }) => status === "succeeded"));
      if (charge) provider.openDispute(charge);
    },
  },
  decide: {
    weight: 1,
    act({ provider }, dice) {
      const open = dice.pick([...provider.disputes.values()].filter(({ status }) => !isDecided(status)));
      if (open) provider.decideDispute(open, dice.chance(50) ? "won" : "lost");
    },
  },
  payout: {
    weight: 1,
    async act(town, dice, { times, dies }) {
      const creatorId = dice.pick(town.sellers)?.id ?? "";
      await town.together("payout", repeated(times, (ctx) => requestPayout(ctx, { creatorId })), dies);
    },
  },
};

type Model = Record<string, never>;

class Command implements fc.AsyncCommand<Model, Town> {
  readonly name: string;
  readonly act: Act;
  readonly how: How;

  constructor(name: string, act: Act, how: How) {
    this.name = name;
    this.act = act;
    this.how = how;
  }

  check(): boolean {
    return true;
  }

  async run(_: Model, town: Town): Promise<void> {
    const { seed, times, dies } = this.how;
    town.provider.luck.weather = STORM;
    await this.act(town, town.deal(seed), { times, dies: dies === null ? null : { who: 0, at: dies } });
  }

  toString(): string {
    return `${this.name}(${JSON.stringify(this.how)})`;
  }
}

const how = fc.record({
  seed: fc.noShrink(fc.integer({ min: 0, max: 0x7fffffff })),
  times: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 3 }) }),
  dies: fc.option(fc.integer({ min: 1, max: 24 }), { nil: null, freq: 5 }),
});

/** Everything that may happen in the town, as often as its weight says. */
export const commands: fc.Arbitrary<fc.AsyncCommand<Model, Town>>[] = Object.entries({ ...ACTS, ...LIFE }).flatMap(([name, { weight, act }]) =>
  Array.from({ length: weight }, () => how.map((given) => new Command(name, act, given))),
);
