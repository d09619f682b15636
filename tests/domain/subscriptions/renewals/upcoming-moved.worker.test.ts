import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { requestGiftCoolingOffRefund } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { DAY_MS, formatDay, MINUTE_MS } from "#app/domain/time.ts";
import { chargePeriods, chargeReleases } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { upcomingHelpers } from "#tests/support/upcoming.ts";

let world: World;
let ana: Seller;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  clara = await createPerson(world.ctx, "Clara Nunes");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { row, given, comped, followed, goTo, email } = upcomingHelpers(() => ({
  world,
  seller: ana,
  fan: clara,
}));

test("an upcoming subscription that the scheduler starts late keeps all of its days", async () => {
  const gift = await given();
  const { id } = await followed(gift.endsAt);
  await goTo(gift.endsAt + 3 * DAY_MS);
  const started = await row(id);
  expect(started).toMatchObject({ status: "active", accessUntil: started.currentPeriodEndsAt });
  expect(started.startedAt).toBeGreaterThanOrEqual(gift.endsAt + 3 * DAY_MS);
  expect((started.accessUntil ?? 0) - (started.startedAt ?? 0)).toBeGreaterThanOrEqual(28 * DAY_MS);
});

test("a vacation postpones a start after a complimentary subscription, which does not move; an early return starts it at once", async () => {
  const { endsAt } = await comped();
  await world.advance(endsAt - world.ctx.now() - 5 * DAY_MS);
  const { id } = await followed(endsAt);
  const vacation = await startVacation(world.ctx, { creatorId: ana.id, days: 60 });
  await world.drain();
  await world.tick();
  expect((await row(id)).startedAt).toBe(vacation.endsAt);
  await goTo(endsAt + 5 * DAY_MS);
  expect((await row(id)).status).toBe("upcoming");
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  await world.drain();
  await world.tick();
  expect(await row(id)).toMatchObject({ status: "active" });
  expect((await row(id)).startedAt).toBeLessThan(endsAt + 6 * DAY_MS);
});

test("a gift refunded during a vacation leaves the start date, without the vacation days that were not taken", async () => {
  const gift = await given();
  const { id } = await followed(gift.endsAt);
  await startVacation(world.ctx, { creatorId: ana.id, days: 60 });
  await world.drain();
  await world.tick();
  expect((await row(id)).startedAt).toBe(gift.endsAt + 60 * DAY_MS);
  await requestGiftCoolingOffRefund(world.ctx, { personId: gift.giverId, giftId: gift.id });
  await world.drain();
  expect(await email(/^O seu presente terminou$/)).toContain(
    "A sua assinatura, já paga, começa no dia dela",
  );
  await world.advance(2 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  await world.drain();
  await world.tick();
  const { status, startedAt } = await row(id);
  expect(status).toBe("upcoming");
  expect(startedAt).toBeGreaterThanOrEqual(gift.endsAt + 2 * DAY_MS);
  expect(startedAt).toBeLessThan(gift.endsAt + 3 * DAY_MS);
});

test("a vacation that extends the gift moves the upcoming start and its release date, and an early return moves them back", async () => {
  const gift = await given();
  const { id, chargeId } = await followed(gift.endsAt);
  const before = await row(id);
  const moment = async () => {
    await world.drain();
    await world.tick();
    const [{ startedAt, currentPeriodEndsAt, status }, { accessUntil }] = [
      await row(id),
      await row(gift.id),
    ];
    const [period] = await world.ctx.db
      .select()
      .from(chargePeriods)
      .where(eq(chargePeriods.chargeId, chargeId));
    const [part] = await world.ctx.db
      .select()
      .from(chargeReleases)
      .where(eq(chargeReleases.chargeId, chargeId));
    expect({
      status,
      startedAt: accessUntil,
      lasts: (before.currentPeriodEndsAt ?? 0) - gift.endsAt,
    }).toEqual({
      status: "upcoming",
      startedAt,
      lasts: (currentPeriodEndsAt ?? 0) - (startedAt ?? 0),
    });
    expect([period?.startsAt, part?.beginsAt]).toEqual([startedAt, startedAt]);
    return startedAt;
  };
  await startVacation(world.ctx, { creatorId: ana.id, days: 14 });
  expect(await moment()).toBe(gift.endsAt + 14 * DAY_MS);
  expect(await email(/agora começa em/)).toContain(
    `mudou para ${formatDay(gift.endsAt + 14 * DAY_MS)}`,
  );
  await expectInvariantsToHold(world.ctx);
  await world.advance(2 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  const back = await moment();
  expect(back).toBeLessThan(gift.endsAt + 4 * DAY_MS);
  await goTo((back ?? 0) + MINUTE_MS);
  const started = await row(id);
  expect(started).toMatchObject({
    status: "active",
    accessUntil: started.currentPeriodEndsAt,
    anchorAt: started.currentPeriodEndsAt,
  });
});
