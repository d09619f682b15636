import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { savedCards } from "#app/domain/billing/details/queries.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import {
  forgetTrialCard,
  settleTrialSetup,
} from "#app/domain/subscriptions/trials/commands/setup.server.ts";
import {
  AlreadySubscribed,
  PaymentDeclined,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import {
  TrialCardMissing,
  TrialCardUnconfirmed,
  TooManyTrialCards,
} from "#app/domain/subscriptions/trials/errors.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays } from "#app/domain/time.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { audienceTotals, subscriptions, trialSetups } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  TRIAL_3DS_CARD,
  TRIAL_DECLINED_CARD,
  trialHelpers,
  TRIAL_PRICE_CENTS,
  TEST_TRIAL_DAYS,
} from "#tests/support/trials.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { trialDays: TEST_TRIAL_DAYS });
  bruno = await createTrialPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { wish, setups, row, withCard, rows, chargesOf, mails, seatsTaken, began, confirmedBy } =
  trialHelpers(() => ({ world, seller: ana, fan: bruno }));

describe("the start of a trial", () => {
  test("without a card opens the content, charges nothing, counts no revenue, and an email says how it ends", async () => {
    const at = world.ctx.now();
    const id = await began(wish());
    const trial = await row(id);
    const endsAt = addDays(trial.createdAt, TEST_TRIAL_DAYS);
    expect(trial).toMatchObject({
      status: "trialing",
      accessUntil: endsAt,
      trialEndsAt: endsAt,
      currentPeriodEndsAt: endsAt,
      savedMethodId: null,
      amountCents: TRIAL_PRICE_CENTS,
    });
    expect(trial.createdAt).toBeGreaterThanOrEqual(at);
    expect(await chargesOf(id)).toEqual([]);
    expect(await seatsTaken()).toBe(1);
    expect(
      await world.ctx.db.select().from(audienceTotals).where(eq(audienceTotals.creatorId, ana.id)),
    ).toMatchObject([{ status: "trialing", count: 1, monthlyCents: 0 }]);
    const [email] = await mails("período grátis");
    expect(email?.body).toContain("hoje não pagou nada");
    expect(email?.body).toContain("código Pix de R$\u00a019,90");
    expect(email?.body).toContain(`/settings/subscriptions/${id}/cancellation`);
    expect(subscriptionBadge({ ...trial, status: trial.status as SubscriptionStatus })).toMatch(
      /^Período grátis · até \d\d\/\d\d$/,
    );
  });

  test("with a typed card saves the card with consent and charges nothing", async () => {
    const id = await began(await withCard());
    const [card] = await savedCards(world.ctx, { personId: bruno.id });
    expect(await row(id)).toMatchObject({
      status: "trialing",
      method: "card",
      savedMethodId: card?.id,
    });
    expect(await chargesOf(id)).toEqual([]);
    expect((await mails("período grátis"))[0]?.body).toMatch(
      /Em \d\d\/\d\d\/\d{4} cobramos R\$\u00a019,90 no cartão/,
    );
  });

  test("with a card that needs 3DS waits for the confirmation, and starts once for two tabs", async () => {
    const started = await startTrial(world.ctx, await withCard(TRIAL_3DS_CARD));
    if (started.kind !== "confirm") throw new Error("no confirmation was asked for");
    expect(started.nextActionUrl).toContain("/save/");
    expect(await rows()).toEqual([]);
    const { setupId } = started;
    await expect(settleTrialSetup(world.ctx, { setupId })).resolves.toMatchObject({
      kind: "confirm",
    });
    await confirmedBy("approve");
    const both = await Promise.all([
      settleTrialSetup(world.ctx, { setupId }),
      settleTrialSetup(world.ctx, { setupId }),
    ]);
    expect(new Set(both.map((one) => one.kind === "began" && one.subscriptionId)).size).toBe(1);
    expect(await rows()).toMatchObject([{ status: "trialing", method: "card" }]);
    expect(await seatsTaken()).toBe(1);
  });

  test("happens through the cron after a confirmation in a closed tab; an unconfirmed card setup expires without one", async () => {
    await startTrial(world.ctx, await withCard(TRIAL_3DS_CARD));
    await confirmedBy("approve");
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await rows()).toMatchObject([{ status: "trialing" }]);
    const carla = await createTrialPerson(world.ctx, "Carla");
    await startTrial(world.ctx, { ...(await withCard(TRIAL_3DS_CARD)), memberId: carla.id });
    await world.advance(31 * 60_000);
    await world.tick();
    expect(
      await world.ctx.db.select().from(trialSetups).where(eq(trialSetups.personId, carla.id)),
    ).toMatchObject([{ status: "expired" }]);
    expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.fanId, carla.id))).toBe(0);
  });

  test("is refused with a declined card or without any card", async () => {
    await expect(startTrial(world.ctx, await withCard(TRIAL_DECLINED_CARD))).rejects.toThrow(
      PaymentDeclined,
    );
    await expect(startTrial(world.ctx, wish({ method: "card" }))).rejects.toThrow(TrialCardMissing);
    await startTrial(world.ctx, await withCard(TRIAL_3DS_CARD));
    await confirmedBy("refuse");
    const [waiting] = (await setups()).filter(({ status }) => status === "requires_action");
    await expect(settleTrialSetup(world.ctx, { setupId: waiting?.id ?? "" })).rejects.toThrow(
      PaymentDeclined,
    );
    expect(await rows()).toEqual([]);
    expect((await setups()).map(({ status }) => status)).toEqual(["failed", "failed"]);
  });

  test("is refused with a message when the provider does not answer", async () => {
    const checkout = await withCard();
    await world.console("/sandbox/chaos", { api_errors: 1 });
    await expect(startTrial(world.ctx, checkout)).rejects.toThrow(TrialCardUnconfirmed);
    await world.console("/sandbox/chaos", {});
    await world.advance(31 * 60_000);
    await world.tick();
    expect(await setups()).toMatchObject([{ status: "expired" }]);
  });

  test("allows five cards at once that wait for 3DS, on different creators' pages, and no sixth", async () => {
    const pages = await Promise.all(
      Array.from({ length: 6 }, () => createSeller(world.ctx, { trialDays: TEST_TRIAL_DAYS })),
    );
    const tries: Promise<unknown>[] = [];
    for (const page of pages)
      tries.push(
        startTrial(world.ctx, { ...(await withCard(TRIAL_3DS_CARD)), planPriceId: page.priceId }),
      );
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const end of ends)
      if (end.status === "rejected") expect(end.reason).toBeInstanceOf(TooManyOpenPayments);
  });

  test("is limited to ten card attempts an hour; a trial without a card still starts", async () => {
    for (let tries = 0; tries < 10; tries += 1)
      await expect(startTrial(world.ctx, await withCard(TRIAL_DECLINED_CARD))).rejects.toThrow(
        PaymentDeclined,
      );
    await expect(startTrial(world.ctx, await withCard())).rejects.toThrow(TooManyTrialCards);
    expect((await startTrial(world.ctx, wish())).kind).toBe("began");
  });
});

test("a card confirmed after the trial had started without it is removed at the provider too", async () => {
  await startTrial(world.ctx, await withCard(TRIAL_3DS_CARD));
  const [setup] = await setups();
  await confirmedBy("approve");
  await began(wish());
  await expect(settleTrialSetup(world.ctx, { setupId: setup?.id ?? "" })).rejects.toThrow(
    AlreadySubscribed,
  );
  await forgetTrialCard(world.ctx, { setupId: setup?.id ?? "" });
  expect(await setups()).toMatchObject([{ status: "failed", providerMethodId: null }]);
  await expect(
    world.ctx.payments.savedMethodById(setup?.providerMethodId ?? ""),
  ).resolves.toMatchObject({ status: "removed" });
  expect(await world.ctx.db.$count(savedMethods, eq(savedMethods.personId, bruno.id))).toBe(0);
});

test("the subscription page shows the trial and its end", async () => {
  const id = await began(wish());
  expect(await fanSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id })).toMatchObject({
    status: "trialing",
    trialEndsAt: (await row(id)).trialEndsAt,
  });
});

test("a crash at any point of a trial with a card leaves one trial or none, and no charge", async () => {
  let at = 1;
  for (let finished = false; !finished; at += 1) {
    const points = crashPoints();
    const fan = await createTrialPerson(world.ctx, "Davi");
    const dying = {
      ...world.ctx,
      db: (await import("#app/db/client.server.ts")).openDatabase(points.database(world.env.DB)),
      payments: points.port(world.ctx.payments),
    };
    const checkout = { ...(await withCard()), memberId: fan.id };
    points.arm(at);
    finished = (await survives(points, () => startTrial(dying, checkout))) === "finished";
    points.disarm();
    await world.advance(31 * 60_000);
    await world.tick();
    const made = await world.ctx.db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.fanId, fan.id));
    expect(made.length).toBeLessThanOrEqual(1);
    for (const one of made) expect(one).toMatchObject({ status: "trialing", holdsSeat: true });
    expect(await world.ctx.db.$count(charges, eq(charges.payerId, fan.id))).toBe(0);
    expect(
      await world.ctx.db.$count(
        trialSetups,
        and(eq(trialSetups.personId, fan.id), eq(trialSetups.status, "created")),
      ),
    ).toBe(0);
  }
  expect(at).toBeGreaterThan(5);
});
