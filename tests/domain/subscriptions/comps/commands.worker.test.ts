import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { endComp, expireComp, grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import {
  AlreadySubscribed,
  NotCancelable,
  SubscriptionCoolingOffExpired,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import {
  CompPlanFull,
  CompPlanNotSold,
  CannotCompYourself,
  FanNotFound,
  FanNotReachable,
  FanAlreadySubscribed,
  TooManyComps,
  TooManyCompsToday,
} from "#app/domain/subscriptions/comps/errors.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { COMP_WITHOUT_END } from "#app/domain/subscriptions/comps/rules.ts";
import { addMonths, DAY_MS } from "#app/domain/time.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { follows } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ctx: Context;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
});
afterEach(() => expectInvariantsToHold(ctx));

type Given = { months?: number | null; planId?: string; username?: string; givenBy?: string };
const give = (
  ana: Seller,
  fan: TestPerson,
  { months = 3, planId = ana.planId, username = fan.username, givenBy = ana.id }: Given = {},
) =>
  grantComp(ctx, { creatorId: ana.id, creatorName: ana.name, givenBy, username, planId, months });
const rowOf = async (fan: TestPerson, ana: Seller) => {
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.fanId, fan.id), eq(subscriptions.creatorId, ana.id)));
  if (!row) throw new Error("no subscription");
  return row;
};
const seatsOf = async (ana: Seller) =>
  (await ctx.db.select({ taken: plans.seatsTaken }).from(plans).where(eq(plans.id, ana.planId)))[0]
    ?.taken;
const notificationsFor = async (fan: TestPerson) =>
  (
    await ctx.db
      .select({ body: notifications.body })
      .from(notifications)
      .where(eq(notifications.personId, fan.id))
  ).map(({ body }) => body);

describe("a complimentary subscription", () => {
  test("gives access for its months without charge, fee or ledger entry, notifies the member and ends by itself", async () => {
    const ana = await createSeller(ctx, { seatsLimit: 2 });
    const bruno = await createPerson(ctx, "Bruno");
    const now = ctx.now();
    const { endsAt } = await give(ana, bruno);
    expect(endsAt).toBeGreaterThanOrEqual(addMonths(now, 3));
    const row = await rowOf(bruno, ana);
    expect(row).toMatchObject({
      status: "active",
      amountCents: 0,
      accessUntil: endsAt,
      currentPeriodEndsAt: null,
      holdsSeat: true,
      compedBy: ana.id,
    });
    expect(await seatsOf(ana)).toBe(1);
    expect(
      (await fanSubscription(ctx, { fanId: bruno.id, subscriptionId: row.id }))?.badge,
    ).toMatch(/^Cortesia · até \d\d\/\d\d$/);
    await world.tick();
    expect(await notificationsFor(bruno)).toEqual([
      expect.stringMatching(
        /^Ana Lira deu a você o plano Camarim de cortesia até .*Não custa nada, e você pode recusar\.$/,
      ),
    ]);
    await world.advance(endsAt - ctx.now() - DAY_MS);
    await world.tick();
    expect((await rowOf(bruno, ana)).status).toBe("active");
    await world.advance(DAY_MS + 1);
    await world.tick();
    await world.tick();
    expect(await rowOf(bruno, ana)).toMatchObject({ status: "expired", holdsSeat: false });
    expect(await seatsOf(ana)).toBe(0);
    expect(
      (await notificationsFor(bruno)).filter((body) => body.includes("terminou")),
    ).toHaveLength(1);
    expect(
      await ctx.db.$count(
        follows,
        and(eq(follows.followerId, bruno.id), eq(follows.creatorId, ana.id)),
      ),
    ).toBe(1);
    expect(await ctx.db.$count(charges, eq(charges.creatorId, ana.id))).toBe(0);
    expect(await ctx.db.$count(ledgerAccounts, eq(ledgerAccounts.ownerId, ana.id))).toBe(0);
    await expect(expireComp(ctx, { subscriptionId: row.id })).resolves.toBeUndefined();
  });

  test("without an end date stays active for years and is never charged, canceled or refunded", async () => {
    const ana = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    await give(ana, bruno, { months: null });
    const row = await rowOf(bruno, ana);
    expect(row.accessUntil).toBe(COMP_WITHOUT_END);
    await world.advance(800 * DAY_MS);
    await advanceSubscription(ctx, { subscriptionId: row.id });
    await expireComp(ctx, { subscriptionId: row.id });
    const memberIds = { fanId: bruno.id, subscriptionId: row.id };
    await expect(cancelSubscription(ctx, memberIds)).rejects.toThrow(NotCancelable);
    await expect(requestSubscriptionCoolingOffRefund(ctx, memberIds)).rejects.toThrow(
      SubscriptionCoolingOffExpired,
    );
    expect((await rowOf(bruno, ana)).status).toBe("active");
    expect(await ctx.db.$count(charges, eq(charges.purchaseId, row.id))).toBe(0);
  });

  test("the database refuses a charge, a price, a longer term or another status", async () => {
    const ana = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const paid = await paidSubscription(world, await createPerson(ctx), ana);
    await give(ana, bruno);
    const { id, compEndsAt } = await rowOf(bruno, ana);
    const here = eq(subscriptions.id, id);
    const { id: _, ...copied } = (
      await ctx.db.select().from(charges).where(eq(charges.id, paid.id))
    )[0] ?? { id: "" };
    const charge = {
      ...copied,
      id: ctx.newId(),
      purchaseId: id,
      providerChargeId: null,
      status: "created",
      succeededAt: null,
    } as typeof charges.$inferInsert;
    await expect(commit(ctx.db, [ctx.db.insert(charges).values(charge)])).rejects.toThrow(
      RuleViolation,
    );
    for (const change of [
      { amountCents: 500 },
      { accessUntil: (compEndsAt ?? 0) + 1 },
      { status: "canceled" },
      { compEndsAt: null },
      { compEndsAt: COMP_WITHOUT_END },
      { currentPeriodEndsAt: 1 },
      { savedMethodId: "card" },
    ]) {
      await expect(
        commit(ctx.db, [ctx.db.update(subscriptions).set(change).where(here)]),
        JSON.stringify(change),
      ).rejects.toThrow(RuleViolation);
    }
    await expect(
      commit(ctx.db, [
        ctx.db
          .update(subscriptions)
          .set({ compEndsAt: ctx.now(), compedBy: ana.id })
          .where(eq(subscriptions.id, paid.purchaseId)),
      ]),
    ).rejects.toThrow(RuleViolation);
  });

  test("ends at once by the creator or the member, and by nobody else", async () => {
    const ana = await createSeller(ctx, { seatsLimit: 5 });
    const other = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const lia = await createPerson(ctx, "Lia");
    await give(ana, bruno);
    await give(ana, lia, { months: null });
    const [his, hers] = [await rowOf(bruno, ana), await rowOf(lia, ana)];
    for (const by of [{ creatorId: other.id }, { fanId: lia.id }, { fanId: ana.id }])
      await expect(endComp(ctx, { subscriptionId: his.id, by })).rejects.toThrow(
        SubscriptionNotFound,
      );
    await endComp(ctx, { subscriptionId: his.id, by: { creatorId: ana.id } });
    await endComp(ctx, { subscriptionId: hers.id, by: { fanId: lia.id } });
    await expect(
      endComp(ctx, { subscriptionId: his.id, by: { creatorId: ana.id } }),
    ).rejects.toThrow(SubscriptionNotFound);
    await world.drain();
    await world.tick();
    expect([
      (await rowOf(bruno, ana)).status,
      (await rowOf(lia, ana)).status,
      await seatsOf(ana),
    ]).toEqual(["expired", "expired", 0]);
    expect((await notificationsFor(bruno)).join()).toContain("terminou");
    expect((await notificationsFor(lia)).join()).not.toContain("terminou");
    const paid = await paidSubscription(world, bruno, ana);
    for (const by of [{ creatorId: ana.id }, { fanId: bruno.id }])
      await expect(endComp(ctx, { subscriptionId: paid.purchaseId, by })).rejects.toThrow(
        SubscriptionNotFound,
      );
  });
});

describe("who can receive a complimentary subscription", () => {
  test("refuses an unknown, blocked or subscribed member, the giver themselves, and a plan that is not on sale", async () => {
    const ana = await createSeller(ctx, { seatsLimit: 2 });
    const other = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    await expect(give(ana, bruno, { username: "ninguem.tem.este" })).rejects.toThrow(FanNotFound);
    await expect(give(ana, ana)).rejects.toThrow(CannotCompYourself);
    // A team member cannot give one to themselves: it would outlive their membership.
    await expect(give(ana, bruno, { givenBy: bruno.id })).rejects.toThrow(CannotCompYourself);
    await expect(give(ana, bruno, { planId: other.planId })).rejects.toThrow(CompPlanNotSold);
    const shy = await createPerson(ctx);
    await block(ctx, { personId: shy.id, otherId: ana.id });
    await expect(give(ana, shy)).rejects.toThrow(FanNotReachable);
    await paidSubscription(world, bruno, ana);
    await expect(give(ana, bruno)).rejects.toThrow(FanAlreadySubscribed);
    const lia = await createPerson(ctx, "Lia");
    await give(ana, lia);
    await expect(give(ana, lia)).rejects.toThrow(FanAlreadySubscribed);
    await expect(
      startSubscription(ctx, {
        memberId: lia.id,
        memberName: lia.name,
        planPriceId: ana.priceId,
        method: "pix",
        cardToken: null,
      }),
    ).rejects.toThrow(/Os lugares|já assina/);
    await expect(give(ana, await createPerson(ctx))).rejects.toThrow(CompPlanFull);
    expect(await seatsOf(ana)).toBe(2);
  });

  test("creates one for two concurrent requests, and its member cannot start a paid subscription", async () => {
    const ana = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const both = await Promise.allSettled([give(ana, bruno), give(ana, bruno)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await seatsOf(ana)).toBe(1);
    await expect(
      startSubscription(ctx, {
        memberId: bruno.id,
        memberName: bruno.name,
        planPriceId: ana.priceId,
        method: "pix",
        cardToken: null,
      }),
    ).rejects.toThrow(AlreadySubscribed);
  });

  test("refunds an open checkout that is paid after the complimentary subscription was given", async () => {
    const ana = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const waiting = await pixCheckout(world, bruno, ana);
    await give(ana, bruno);
    await payAtBank(world, waiting);
    await world.drain();
    await world.tick();
    const [charge] = await ctx.db.select().from(charges).where(eq(charges.id, waiting.chargeId));
    expect(charge?.status).toBe("refunded");
    expect(await seatsOf(ana)).toBe(1);
  });

  test("allows a creator at most fifty active ones and twenty new ones a day", async () => {
    const ana = await createSeller(ctx);
    for (let count = 0; count < 20; count += 1) await give(ana, await createPerson(ctx));
    await expect(give(ana, await createPerson(ctx))).rejects.toThrow(TooManyCompsToday);
    const at = ctx.now();
    for (let count = 0; count < 30; count += 1) {
      await ctx.db.insert(subscriptions).values({
        id: ctx.newId(),
        fanId: ctx.newId(),
        creatorId: ana.id,
        planId: ana.planId,
        planPriceId: ana.priceId,
        interval: "monthly",
        amountCents: 0,
        method: "pix",
        status: "active",
        startedAt: at,
        accessUntil: COMP_WITHOUT_END,
        compEndsAt: COMP_WITHOUT_END,
        compedBy: ana.id,
        createdAt: at,
        updatedAt: at,
      });
    }
    await expect(give(ana, await createPerson(ctx))).rejects.toThrow(TooManyComps);
    expect(await seatsOf(ana)).toBe(20);
  });
});
