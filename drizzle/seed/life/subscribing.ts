import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import { personOf, studioOf, unlessRefused } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/** How somebody pays. */
export type Habit =
  | "faithful"
  | "late"
  | "forgetful"
  | "cancels"
  | "regrets"
  | "abandons"
  | "pays_twice"
  | "disputes_and_loses"
  | "disputes_and_wins";

export type Subscribing = {
  fan: string;
  creator: string;
  planIndex: number;
  habit: Habit;
  at: number;
  method?: "pix" | "card";
  interval?: "annual" | "quarterly" | "semiannual";
  cancelAfterDays?: number;
};

const cards: Partial<Record<Habit, string>> = {
  forgetful: "4000000000000341",
  abandons: "4000000000000002",
  regrets: "4000000000003220",
};

/** Puts a subscription and what becomes of it on the calendar. */
export function planSubscription(world: SeededWorld, wish: Subscribing): void {
  world.calendar.at(wish.at, async () => {
    await checkOut(world, wish);
    if (wish.habit === "pays_twice") await checkOut(world, wish);
  });
}

async function checkOut(world: SeededWorld, wish: Subscribing): Promise<void> {
  const { rehearsal } = world;
  const random = randomFrom(`checkout ${wish.fan} ${wish.creator} ${wish.at}`);
  const fan = personOf(world, wish.fan);
  const { prices } = studioOf(world, wish.creator).plans[wish.planIndex] ?? { prices: [] };
  const price =
    prices.find(({ interval }) => interval === (wish.interval ?? "monthly")) ?? prices[0];
  if (!price) throw new Error(`${wish.creator} has no plan ${wish.planIndex}`);
  const offered = methodsForPrice(price.amountCents);
  const method =
    wish.method && offered.includes(wish.method)
      ? wish.method
      : offered.includes("card") && random.chance(0.4)
        ? "card"
        : "pix";
  const cardToken =
    method === "card"
      ? await rehearsal.provider.cardToken(cards[wish.habit] ?? "4242424242424242")
      : null;
  let chargeId = "";
  const isOpen = await unlessRefused(
    startSubscription(rehearsal.ctx, {
      memberId: fan.id,
      memberName: fan.name,
      planPriceId: price.id,
      method,
      cardToken,
      // Some came by the creator's invitation.
      link: /[02468]$/.test(fan.id) ? INVITATION_SLUG : null,
    }).then((started) => {
      chargeId = started.chargeId;
    }),
  );
  if (!isOpen) return;
  const delay = method === "card" ? random.between(1, 2) : random.between(1, 14);
  if (wish.habit !== "abandons")
    world.calendar.at(rehearsal.ctx.now() + delay * MINUTE_MS, () => pay(world, chargeId));
  planWhatComes(world, wish, chargeId);
}

function planWhatComes(world: SeededWorld, wish: Subscribing, chargeId: string): void {
  const { ctx, provider } = world.rehearsal;
  const random = randomFrom(`later ${wish.fan} ${wish.creator}`);
  const fanSubscription = async () => {
    const charge = await chargeRow(ctx, { chargeId });
    return { fanId: personOf(world, wish.fan).id, subscriptionId: charge?.purchaseId ?? "" };
  };
  if (wish.habit === "cancels")
    world.calendar.at(
      wish.at + (wish.cancelAfterDays ?? random.between(9, 60)) * DAY_MS,
      async () => void (await unlessRefused(cancelSubscription(ctx, await fanSubscription()))),
    );
  if (wish.habit === "regrets")
    world.calendar.at(
      wish.at + random.between(1, 6) * DAY_MS,
      async () =>
        void (await unlessRefused(
          requestSubscriptionCoolingOffRefund(ctx, await fanSubscription()),
        )),
    );
  if (wish.habit !== "disputes_and_loses" && wish.habit !== "disputes_and_wins") return;
  const status = wish.habit === "disputes_and_wins" ? "won" : "lost";
  world.calendar.at(wish.at + 5 * DAY_MS, async () => {
    const charge = await chargeRow(ctx, { chargeId });
    if (charge?.status !== "succeeded" || !charge.providerChargeId) return;
    const providerDisputeId = await provider.dispute(charge.providerChargeId);
    await settleDispute(ctx, { provider: charge.provider, providerDisputeId });
    world.calendar.at(ctx.now() + 9 * DAY_MS, async () => {
      await provider.decideDispute(providerDisputeId, status);
      await settleDispute(ctx, { provider: charge.provider, providerDisputeId });
    });
  });
}

/** The payer's bank pays, and the product hears of it. */
export async function pay(world: SeededWorld, chargeId: string): Promise<void> {
  const { ctx, provider } = world.rehearsal;
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge?.providerChargeId || !["awaiting_payment", "requires_action"].includes(charge.status))
    return;
  try {
    await provider.pay(charge.providerChargeId);
  } catch (error) {
    // Ran out at the provider a moment ago.
    if (!(error instanceof PspRefusal)) throw error;
  }
  await settleCharge(ctx, { chargeId });
}

/** Who pays a renewal by Pix, and when. A card needs nobody. */
export async function answerRenewal(
  world: SeededWorld,
  habits: Map<string, Habit>,
  chargeId: string,
): Promise<void> {
  const { ctx } = world.rehearsal;
  const charge = await chargeRow(ctx, { chargeId });
  if (charge?.status !== "awaiting_payment") return;
  const habit = habits.get(habitKey(charge)) ?? "faithful";
  if (habit === "forgetful") return;
  const random = randomFrom(`renewal ${habitKey(charge)} ${charge.periodStartsAt ?? 0}`);
  const delay = habit === "late" ? random.between(4, 7) * DAY_MS : random.between(1, 60) * HOUR_MS;
  world.calendar.at(ctx.now() + delay, () => pay(world, chargeId));
}

export const habitKey = ({ payerId, creatorId }: Pick<Charge, "payerId" | "creatorId">): string =>
  `${payerId} ${creatorId}`;
