import { eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { reconcileCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { addDays, formatDay, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import {
  ASKS_3DS_CARD,
  renewalHelpers,
  DECLINED_OFF_SESSION_CARD,
  STOLEN_CARD,
  subscribedByCard,
} from "#tests/support/dunning.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let startsAt: number;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const subscribe = async (number: string) =>
  void ({ subscriptionId, startsAt } = await subscribedByCard(world, bruno, ana, number));
const { row, attempts, emails, notified, goTo } = renewalHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
  startsAt,
}));

describe("a declined renewal card", () => {
  test("is charged again on D+1, D+3, D+5 and D+7 with one email each, and then the subscription expires", async () => {
    await subscribe(DECLINED_OFF_SESSION_CARD);
    const made: number[] = [];
    for (let day = -1; day <= 10; day += 1) {
      await goTo(day);
      if (day === 1) await goTo(day, 12 * HOUR_MS);
      made.push((await attempts()).length);
      if (day >= 0 && day < 7)
        expect(await row()).toMatchObject({
          status: "past_due",
          accessUntil: addDays(startsAt, 7),
        });
    }
    // One entry a day, from D-1 to D+10.
    expect(made).toEqual([0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5]);
    expect((await row()).status).toBe("expired");
    const sent = await emails("não pagou");
    expect(sent).toHaveLength(4);
    expect(await notified("subscription.renewal_failed")).toBe(4);
    expect(sent[0]?.body).toContain(`Tentamos de novo em ${formatDay(addDays(startsAt, 1))}`);
    expect(sent[1]?.body).toContain(`Tentamos de novo em ${formatDay(addDays(startsAt, 3))}`);
    for (const { body } of sent) {
      expect(body).toContain(`até ${formatDay(addDays(startsAt, 7))}`);
      expect(body).toContain(`/settings/subscriptions/${subscriptionId}/payment-method`);
    }
    expect(await emails("terminou")).toHaveLength(1);
    expect(
      await world.ctx.db.$count(chargePeriods, eq(chargePeriods.subscriptionId, subscriptionId)),
    ).toBe(1);
  });

  test("with a hard decline is not charged again: the email asks for another payment method", async () => {
    await subscribe(STOLEN_CARD);
    for (const day of [0, 1, 3, 5, 6]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    const [email, ...more] = await emails("Escolha outra forma");
    expect(more).toEqual([]);
    expect(email?.body).toContain("não vamos tentar nele de novo");
    expect((await row()).status).toBe("past_due");
    await goTo(7);
    expect((await row()).status).toBe("expired");
    expect(await attempts()).toHaveLength(1);
  });

  test("is not charged again after a cancellation", async () => {
    await subscribe(DECLINED_OFF_SESSION_CARD);
    await goTo(0);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    for (const day of [1, 3, 5, 7, 8]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    expect((await row()).status).toBe("expired");
  });

  test("is charged once a day with concurrent renewals", async () => {
    await subscribe(DECLINED_OFF_SESSION_CARD);
    for (const [day, count] of [
      [0, 1],
      [1, 2],
      [3, 3],
    ] as const) {
      await world.advance(addDays(startsAt, day) + MINUTE_MS - world.ctx.now());
      await Promise.all(
        Array.from({ length: 12 }, () => advanceSubscription(world.ctx, { subscriptionId })),
      );
      await world.drain();
      expect(await attempts()).toHaveLength(count);
    }
    await world.tick();
    expect(await emails("não pagou")).toHaveLength(3);
  });
});

describe("a renewal card that needs 3DS", () => {
  test("keeps the access, sends an email that leads to the confirmation, and renews once confirmed", async () => {
    await subscribe(ASKS_3DS_CARD);
    await goTo(0);
    expect(await row()).toMatchObject({
      status: "requires_action",
      accessUntil: addDays(startsAt, 7),
    });
    const [waiting] = await attempts();
    expect(waiting?.status).toBe("requires_action");
    const [email, ...more] = await emails("Confirme o pagamento");
    expect(more).toEqual([]);
    expect(email?.body).toContain(`/checkout/${waiting?.id}`);
    expect(await notified("subscription.renewal_to_confirm")).toBe(1);
    for (const day of [1, 3, 5]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    await payAtBank(world, { providerChargeId: waiting?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
    expect(await emails("Confirme o pagamento")).toHaveLength(1);
  });

  test("expires after the grace days without a confirmation, and the charge is canceled", async () => {
    await subscribe(ASKS_3DS_CARD);
    for (const day of [0, 3, 6.9]) await goTo(day);
    expect((await row()).status).toBe("requires_action");
    await goTo(7);
    await goTo(7, HOUR_MS);
    expect((await row()).status).toBe("expired");
    await goTo(9);
    expect((await attempts()).map(({ status }) => status)).toEqual(["canceled"]);
  });

  test("makes the subscription past due when the bank declines, and is charged again on the next retry day", async () => {
    await subscribe(ASKS_3DS_CARD);
    await goTo(0);
    const [waiting] = await attempts();
    await world.console(`/sandbox/charges/${waiting?.providerChargeId}/decline`);
    await world.drain();
    await world.tick();
    expect((await row()).status).toBe("past_due");
    expect(await emails("não pagou")).toHaveLength(1);
    await goTo(1);
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "requires_action"]);
    expect((await row()).status).toBe("requires_action");
  });

  test("is not charged again when the subscription is canceled before the confirmation", async () => {
    await subscribe(ASKS_3DS_CARD);
    await goTo(0);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    expect((await attempts()).map(({ status }) => status)).toEqual(["canceled"]);
    await goTo(3);
    expect((await row()).status).toBe("canceled");
    await goTo(7);
    expect((await row()).status).toBe("expired");
    expect(await attempts()).toHaveLength(1);
  });
});

test(
  "a crash at any point on the day of a retry leaves one charge and one notification",
  { timeout: 120_000 },
  async () => {
    for (let at = 1; ; at += 1) {
      bruno = await createPerson(world.ctx, "Bruno");
      await subscribe(DECLINED_OFF_SESSION_CARD);
      await world.advance(startsAt + MINUTE_MS - world.ctx.now());
      await advanceSubscription(world.ctx, { subscriptionId });
      await world.advance(addDays(startsAt, 1) + MINUTE_MS - world.ctx.now());
      const points = crashPoints();
      const dying = {
        ...world.ctx,
        db: openDatabase(points.database(testEnv.DB)),
        payments: points.port(world.ctx.payments),
        queues: { ...world.ctx.queues, notifications: points.port(world.ctx.queues.notifications) },
      };
      points.arm(at);
      const outcome = await survives(points, () => advanceSubscription(dying, { subscriptionId }));
      points.disarm();
      await world.advance(5 * MINUTE_MS);
      for (const { id, status } of await attempts())
        if (isAwaitingPayment(status as ChargeStatus))
          await reconcileCharge(world.ctx, { chargeId: id });
      await advanceSubscription(world.ctx, { subscriptionId });
      await world.drain();
      // Delivers the outbox messages that no queue message announced, as the sweeper does.
      for (const { id } of await world.ctx.db
        .select({ id: outbox.id })
        .from(outbox)
        .where(isNull(outbox.handledAt)))
        await deliverOutboxMessage(world.ctx, { outboxId: id });
      expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "failed"]);
      expect(await emails("não pagou")).toHaveLength(2);
      expect((await row()).status).toBe("past_due");
      if (outcome === "finished") break;
    }
  },
);
