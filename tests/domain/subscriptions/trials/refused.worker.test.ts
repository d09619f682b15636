import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import {
  AlreadySubscribed,
  SubscriptionMethodNotOffered,
  NoSeatLeft,
  PlanNotForSale,
  PlanPriceChanged,
  SavedCardRemoved,
} from "#app/domain/subscriptions/errors.ts";
import {
  TooManyTrials,
  TrialChanged,
  TrialTaxIdMissing,
  TrialUsed,
} from "#app/domain/subscriptions/trials/errors.ts";
import { offeredTrial } from "#app/domain/subscriptions/trials/queries.server.ts";
import { TRIALS_A_DAY } from "#app/domain/subscriptions/trials/rules/trial.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { subscriptions, trialSetups } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { trialHelpers, TEST_TRIAL_DAYS } from "#tests/support/trials.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { trialDays: TEST_TRIAL_DAYS });
  bruno = await createTrialPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { wish, row, withCard, rows, began, goTo } = trialHelpers(() => ({
  world,
  seller: ana,
  fan: bruno,
}));

/** Another account of Bruno with the same CPF. */
async function sameCpf(): Promise<TestPerson> {
  const again = await createPerson(world.ctx, "Bruno de novo");
  const [details] = await world.ctx.db
    .select()
    .from(billingDetails)
    .where(eq(billingDetails.personId, bruno.id));
  if (!details) throw new Error("no CPF");
  await world.ctx.db.insert(billingDetails).values({ ...details, personId: again.id });
  return again;
}

describe("a trial is refused", () => {
  test("to another account with the same CPF, although it is offered there", async () => {
    const again = await sameCpf();
    const plan = { creatorId: ana.id, trialDays: TEST_TRIAL_DAYS };
    expect(await offeredTrial(world.ctx, { memberId: again.id, plan })).toMatchObject({
      days: TEST_TRIAL_DAYS,
    });
    await began(wish());
    // The offer does not reveal whether a CPF had a trial. Only an attempt does, and attempts are
    // limited.
    expect(await offeredTrial(world.ctx, { memberId: again.id, plan })).toMatchObject({
      days: TEST_TRIAL_DAYS,
    });
    for (let tries = 0; tries < TRIALS_A_DAY.limit; tries += 1)
      await expect(startTrial(world.ctx, { ...wish(), memberId: again.id })).rejects.toThrow(
        TrialUsed,
      );
    await expect(startTrial(world.ctx, { ...wish(), memberId: again.id })).rejects.toThrow(
      TooManyTrials,
    );
    expect(
      await offeredTrial(world.ctx, {
        memberId: again.id,
        plan: { ...plan, creatorId: (await createSeller(world.ctx)).id },
      }),
    ).not.toBeNull();
  });

  test("to one of two accounts with the same CPF that start at the same instant", async () => {
    const again = await sameCpf();
    const tries = await Promise.allSettled(
      [wish(), wish({ memberId: again.id })].map((one) => startTrial(world.ctx, one)),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    for (const one of tries)
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(TrialUsed);
    expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.creatorId, ana.id))).toBe(1);
  });

  test("to the same CPF after the first account changed its CPF", async () => {
    const again = await sameCpf();
    await began(wish());
    await world.ctx.db
      .update(billingDetails)
      .set({ taxId: generateCpf() })
      .where(eq(billingDetails.personId, bruno.id));
    await expect(startTrial(world.ctx, wish({ memberId: again.id }))).rejects.toThrow(TrialUsed);
  });

  test("without a CPF, before any card setup, and when the CPF is deleted right before the write", async () => {
    const nobody = await createPerson(world.ctx, "Sem número");
    await expect(
      startTrial(world.ctx, { ...(await withCard()), memberId: nobody.id }),
    ).rejects.toThrow(TrialTaxIdMissing);
    expect(await world.ctx.db.$count(trialSetups, eq(trialSetups.personId, nobody.id))).toBe(0);
    const late = interleaveBeforeWrite(
      world.ctx,
      async () =>
        void (await world.ctx.db
          .delete(billingDetails)
          .where(eq(billingDetails.personId, bruno.id))),
      /insert into "subscriptions"/i,
    );
    await expect(startTrial(late, wish())).rejects.toThrow(TrialTaxIdMissing);
    expect(await rows()).toEqual([]);
  });

  test("after a first one, with any plan of the creator, and to all but one of ten concurrent clicks", async () => {
    const clicks = await Promise.allSettled(
      Array.from({ length: 10 }, () => startTrial(world.ctx, wish())),
    );
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const click of clicks)
      if (click.status === "rejected") expect(click.reason).toBeInstanceOf(AlreadySubscribed);
    const [trial] = await rows();
    await goTo(trial?.id ?? "", 1);
    expect((await row(trial?.id ?? "")).status).toBe("expired");
    expect(
      await offeredTrial(world.ctx, {
        memberId: bruno.id,
        plan: { creatorId: ana.id, trialDays: 30 },
      }),
    ).toBeNull();
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(TrialUsed);
    // The database refuses a second trial even if the command does not.
    const now = world.ctx.now();
    const again = {
      ...(await row(trial?.id ?? "")),
      id: world.ctx.newId(),
      status: "trialing",
      startedAt: now,
      trialEndsAt: now + DAY_MS,
      accessUntil: now + DAY_MS,
      currentPeriodEndsAt: now + DAY_MS,
    };
    await expect(world.ctx.db.insert(subscriptions).values(again)).rejects.toThrow(/subscriptions/);
    await expect(
      world.ctx.db
        .update(subscriptions)
        .set({ trialEndsAt: null })
        .where(eq(subscriptions.id, trial?.id ?? "")),
    ).rejects.toThrow(/subscriptions/);
  });

  test("to a former subscriber, but not to a former complimentary subscriber", async () => {
    await paidSubscription(world, bruno, ana);
    await cancelSubscription(world.ctx, {
      fanId: bruno.id,
      subscriptionId: (await rows())[0]?.id ?? "",
    });
    await world.advance(40 * DAY_MS);
    await world.tick();
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(TrialUsed);
    const carla = await createTrialPerson(world.ctx, "Carla");
    await grantComp(world.ctx, {
      creatorId: ana.id,
      creatorName: ana.name,
      givenBy: ana.id,
      username: carla.username,
      planId: ana.planId,
      months: 1,
    });
    await world.advance(40 * DAY_MS);
    await world.tick();
    expect((await startTrial(world.ctx, wish({ memberId: carla.id }))).kind).toBe("began");
  });

  test("to a member who paid in another tab between the read and the write", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    const late = interleaveBeforeWrite(
      world.ctx,
      async () => {
        await payAtBank(world, waiting);
        await world.drain();
      },
      /insert into "subscriptions"/i,
    );
    // The checkout of the trial abandons the open Pix code first, so that the payment arrives late.
    await expect(startTrial(late, wish())).rejects.toThrow(AlreadySubscribed);
    expect((await rows()).filter(({ status }) => status !== "expired")).toMatchObject([
      { status: "active", trialEndsAt: null },
    ]);
  });

  test("when the member is blocked, the plan is full, archived or changed, the saved card is gone, or the price is too low", async () => {
    await expect(startTrial(world.ctx, wish({ trialDays: 30 }))).rejects.toThrow(TrialChanged);
    await expect(startTrial(world.ctx, wish({ amountCents: 1_000 }))).rejects.toThrow(
      PlanPriceChanged,
    );
    await expect(
      startTrial(world.ctx, wish({ method: "card", savedMethodId: "card-of-nobody" })),
    ).rejects.toThrow(SavedCardRemoved);
    const small = await createSeller(world.ctx, {
      trialDays: TEST_TRIAL_DAYS,
      amountCents: 600,
      seatsLimit: 1,
    });
    const cheap = { planPriceId: small.priceId, amountCents: 600 };
    await expect(startTrial(world.ctx, { ...(await withCard()), ...cheap })).rejects.toThrow(
      SubscriptionMethodNotOffered,
    );
    await startTrial(world.ctx, wish(cheap));
    await expect(
      startTrial(world.ctx, wish({ ...cheap, memberId: (await createTrialPerson(world.ctx)).id })),
    ).rejects.toThrow(NoSeatLeft);
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(PlanNotForSale);
    const shut = await createSeller(world.ctx, { trialDays: TEST_TRIAL_DAYS });
    await world.ctx.db
      .insert(blocks)
      .values({ blockerId: shut.id, blockedId: bruno.id, createdAt: world.ctx.now() });
    await expect(startTrial(world.ctx, wish({ planPriceId: shut.priceId }))).rejects.toThrow(
      PlanNotForSale,
    );
  });
});
