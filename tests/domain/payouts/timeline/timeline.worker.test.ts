import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import {
  holdPayoutsOf,
  releasePayoutsOf,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { HeldByStaff, PayoutReleaseConflict } from "#app/domain/payouts/errors.ts";
import { balancesByDay } from "#app/domain/payouts/timeline/queries/release-days.server.ts";
import { loadMoneyTimeline } from "#app/domain/payouts/timeline/queries/timeline.server.ts";
import { unpaidBalanceCents } from "#app/domain/payouts/timeline/rules/timeline.ts";
import type { TimelineRow } from "#app/domain/payouts/timeline/rules/timeline.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as ofPerson from "#app/routes/admin/payouts/payout-person.tsx";
import * as timeline from "#app/routes/settings/payouts/money-timeline.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import type { MiddlewareFunction } from "react-router";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { paidTip } from "#tests/support/tips.ts";

const routes = callRoutesAs([
  { path: "settings/transfers/timeline", module: timeline },
  {
    path: "admin/payouts/people/:personId",
    module: ofPerson,
    middleware: [requireModerator as MiddlewareFunction],
  },
]);

let world: World;
beforeAll(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

const json = async (asked: Promise<Response>) =>
  (await asked).json() as Promise<Record<string, unknown>>;

/** Loads all pages, with the balances of the ledger. */
async function lines(creatorId: string, limit = 2) {
  const rows: TimelineRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof loadMoneyTimeline>> = await loadMoneyTimeline(world.ctx, {
      creatorId,
      cursor,
      limit,
    });
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  const { coming, ...balances } = await balancesByDay(world.ctx, { creatorId });
  const waiting = rows.flatMap((row) => (row.of === "pending" ? [row] : []));
  expect(coming.undatedCents).toBe(
    waiting.filter((row) => row.why === "gift").reduce((sum, { cents }) => sum + cents, 0),
  );
  expect(
    coming.days.reduce((sum, { netCents }) => sum + netCents, 0) +
      (coming.later?.netCents ?? 0) +
      coming.undatedCents,
  ).toBe(balances.pendingCents);
  expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(unpaidBalanceCents(balances));
  expect(new Set(rows.map(({ of, id }) => `${of} ${id}`)).size).toBe(rows.length);
  return rows;
}

const why = (row: TimelineRow) =>
  row.of === "pending" ? row.why : row.of === "available" ? row.wait.why : row.of;

test("every centavo of a seller is listed with its reason, over all pages, at each stage of its life", async () => {
  const ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  expect(await lines(ana.id)).toEqual([]);

  for (const name of ["Bruno", "Clara"])
    await paidSubscription(world, await createPerson(world.ctx, name), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  expect((await lines(ana.id)).map(why)).toEqual(["asked_by_hand"]);

  const disputed = await paidSubscription(world, await createPerson(world.ctx, "Davi"), ana);
  await paidSubscription(world, await createPerson(world.ctx, "Elis"), ana);
  await paidTip(world, await createPerson(world.ctx, "Fábio"), ana);
  await paidGift(world, await createPerson(world.ctx, "Gil"), ana);
  await openDisputeOn(world, disputed);
  // Disputed funds come first, funds without a date last.
  expect((await lines(ana.id)).map(why)).toEqual([
    "asked_by_hand",
    "reserved",
    "first_pix",
    "first_pix",
    "gift",
  ]);

  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  expect((await lines(ana.id)).map(why)[0]).toBe("requested");
  const { id: moderatorId } = await createModerator(world.ctx);
  await holdPayoutsOf(world.ctx, { payoutId, moderatorId, reason: "Conferindo." });
  await claimPayout(world.ctx, { payoutId });
  expect((await lines(ana.id))[0]).toMatchObject({
    of: "available",
    wait: { why: "held", reason: "moderation" },
  });
});

test("a sent payout is shown as on its way, and later money waits for the next payout", async () => {
  const ana = await createSeller(world.ctx);
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(4 * DAY_MS);
  await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana);
  await world.advance(5 * DAY_MS);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await claimPayout(world.ctx, { payoutId });
  expect((await lines(ana.id)).map(why)).toEqual(["in_transit", "first_pix"]);
});

test("staff hold the payouts of a seller who never requested one; a team member who sees the money cannot release them", async () => {
  const ana = await createSeller(world.ctx);
  const carla = { person: await createModerator(world.ctx), isModerator: true };
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  const at = `/admin/payouts/people/${ana.id}`;
  expect(await responseOutcome(routes.post(carla, at, { act: "hold", reason: " " }))).toBe("400");
  expect(
    await responseOutcome(
      routes.post(carla, at, { act: "hold", reason: "Recebemos uma denúncia." }),
    ),
  ).toBe("302");
  expect(await responseOutcome(routes.post(carla, at, { act: "hold", reason: "De novo." }))).toBe(
    "409",
  );
  expect(
    await responseOutcome(
      routes.post(carla, "/admin/payouts/people/none", { act: "hold", reason: "Quem?" }),
    ),
  ).toBe("404");
  // Two Mondays later no payout was requested, and none can be.
  await world.advance(14 * DAY_MS);
  await world.tick();
  expect(await lines(ana.id)).toMatchObject([{ of: "available", wait: { why: "held_by_staff" } }]);
  await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(HeldByStaff);

  const dora = await createTeammate(world.ctx, await createTeamFor(world.ctx, ana), "admin", {
    mayManageBilling: true,
  });
  await world.ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, dora.id));
  await expect(
    releasePayoutsOf(world.ctx, { creatorId: ana.id, moderatorId: dora.id }),
  ).rejects.toThrow(PayoutReleaseConflict);
  expect(await json(routes.get({ person: dora, isModerator: true }, at))).toMatchObject({
    mayRelease: false,
    person: { hold: { reason: "Recebemos uma denúncia." } },
  });
  expect(await responseOutcome(routes.post(carla, at, { act: "release" }))).toBe("302");
  expect(await json(routes.get(carla, at))).toMatchObject({
    person: {
      hold: null,
      endedHolds: [{ reason: "Recebemos uma denúncia.", endedByName: carla.person.name }],
    },
  });
  await requestPayout(world.ctx, { creatorId: ana.id });
});

test("is visible to the seller and to staff, who see more, and to nobody else", async () => {
  const ana = await createSeller(world.ctx, { approved: false });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  expect(
    await json(routes.get({ person: ana, isCreator: true }, "/settings/transfers/timeline")),
  ).toMatchObject({
    totalCents: 1_890,
    rows: [{ of: "pending", cents: 1_890, why: "first_pix" }],
    of: null,
  });
  expect(
    await json(
      routes.get(
        { person: await createSeller(world.ctx), isCreator: true },
        "/settings/transfers/timeline?cursor='",
      ),
    ),
  ).toMatchObject({ totalCents: 0, rows: [] });
  const at = `/admin/payouts/people/${ana.id}`;
  expect(await responseOutcome(routes.get({ person: ana, isCreator: true }, at))).toBe("404");
  const staff = { person: await createModerator(world.ctx), isModerator: true };
  expect(await json(routes.get(staff, at))).toMatchObject({
    totalCents: 1_890,
    person: { username: ana.username, documents: { status: "submitted" }, hold: null, failed: [] },
  });
  expect(await responseOutcome(routes.get(staff, "/admin/payouts/people/none"))).toBe("404");
});
