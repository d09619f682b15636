import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { tipCheckoutInput } from "#tests/support/tips.ts";

const ASKS = "4000000000003220";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createTrialPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const emailsSentTo = async (to: TestPerson) =>
  (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, to.email))).filter(
    ({ subject }) => subject.startsWith("Falta terminar o seu pagamento"),
  );
const notificationsFor = async (to: TestPerson) =>
  await world.ctx.db
    .select({ path: notifications.path })
    .from(notifications)
    .where(and(eq(notifications.personId, to.id), eq(notifications.kind, "charge.to_confirm")));
const badge = async () =>
  (await memberSubscriptions(world.ctx, { fanId: bruno.id, cursor: null, limit: 5 })).items[0]
    ?.badge;
const byCard = async () => ({ method: "card" as const, cardToken: await cardToken(world, ASKS) });
const subscribe = async (fan: TestPerson) =>
  await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: ana.priceId,
    ...(await byCard()),
  });

test("a first payment left at 3DS has a badge and one email, which leads back to the checkout", async () => {
  const { chargeId } = await subscribe(bruno);
  expect(await badge()).toBe("Falta terminar o pagamento");
  // Whoever is at the bank's page is left alone.
  await world.tick();
  expect(await emailsSentTo(bruno)).toEqual([]);
  await world.advance(6 * MINUTE_MS);
  await world.tick();
  await world.tick();
  const [email, ...more] = await emailsSentTo(bruno);
  expect(more).toEqual([]);
  expect(email?.body).toContain(`/checkout/${chargeId}`);
  expect(await notificationsFor(bruno)).toEqual([{ path: `/checkout/${chargeId}` }]);
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  expect(await badge()).toContain("Ativa");
});

test("a tip left at 3DS is notified too; a confirmed payment without an event, and an expired one, are not", async () => {
  const [carla, davi, elisa] = [
    await createTrialPerson(world.ctx, "Carla"),
    await createTrialPerson(world.ctx, "Davi"),
    await createTrialPerson(world.ctx, "Elisa"),
  ];
  await subscribe(elisa);
  await world.advance(HOUR_MS);
  const { chargeId } = await startTip(world.ctx, tipCheckoutInput(carla, ana, await byCard()));
  const confirmed = await subscribe(davi);
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, confirmed))?.providerChargeId ?? "",
  });
  await world.advance(6 * MINUTE_MS);
  await world.tick();
  expect(await notificationsFor(carla)).toEqual([{ path: `/checkout/${chargeId}` }]);
  expect(await notificationsFor(davi)).toEqual([]);
  expect(await notificationsFor(elisa)).toEqual([]);
});

test("a trial left at 3DS is notified once with a link back; a confirmed, refused or expired one is not", async () => {
  const page = await createSeller(world.ctx, { trialDays: 7 });
  const begin = async (fan: TestPerson) => {
    const started = await startTrial(world.ctx, {
      memberId: fan.id,
      memberName: fan.name,
      planPriceId: page.priceId,
      trialDays: 7,
      amountCents: 1_990,
      ...(await byCard()),
    });
    if (started.kind !== "confirm") throw new Error("no confirmation was asked for");
    return started;
  };
  const [carla, davi, elisa] = [
    await createTrialPerson(world.ctx, "Carla"),
    await createTrialPerson(world.ctx, "Davi"),
    await createTrialPerson(world.ctx, "Elisa"),
  ];
  await begin(elisa);
  await world.advance(HOUR_MS);
  const { setupId } = await begin(bruno);
  for (const [fan, answer] of [
    [carla, "approve"],
    [davi, "refuse"],
  ] as const) {
    const { nextActionUrl } = await begin(fan);
    await world.browse(new URL(nextActionUrl ?? "").pathname, {
      method: "POST",
      body: new URLSearchParams({ decision: answer }),
    });
  }
  // No email while the member may still be at the bank's page.
  await world.tick();
  const about = async (fan: TestPerson) =>
    (
      await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, fan.email))
    ).filter(({ subject }) => subject.startsWith("Falta confirmar o seu cartão"));
  expect(await about(bruno)).toEqual([]);
  await world.advance(6 * MINUTE_MS);
  await world.tick();
  await world.tick();
  const [email, ...more] = await about(bruno);
  expect(more).toEqual([]);
  expect(email?.body).toContain(`/checkout/trial/${setupId}`);
  const notified = await world.ctx.db
    .select({ personId: notifications.personId, path: notifications.path })
    .from(notifications)
    .where(eq(notifications.kind, "trial.to_confirm"));
  expect(
    notified.filter(({ personId }) =>
      [bruno, carla, davi, elisa].some(({ id }) => id === personId),
    ),
  ).toEqual([{ personId: bruno.id, path: `/checkout/trial/${setupId}` }]);
});
