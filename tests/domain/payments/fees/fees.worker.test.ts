import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { balancesBefore } from "#app/domain/ledger/months/queries/journal.server.ts";
import { platformFeeLines } from "#app/domain/ledger/statements/queries/fees.server.ts";
import { changeCreatorFee } from "#app/domain/payments/fees/commands/fees.server.ts";
import {
  FeeInThePast,
  FeeRaiseTooSoon,
  FeeUnchanged,
  FeeConflictOfInterest,
} from "#app/domain/payments/errors.ts";
import {
  chargeFeeSql,
  recentFeeChanges,
  creatorFee,
} from "#app/domain/payments/fees/queries.server.ts";
import { splitFee } from "#app/domain/payments/rules.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as fees from "#app/routes/admin/ledger/fees.tsx";
import { addDays, civilDate, DAY_MS, instantOf, isoDay } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { feeOverrides } from "#drizzle/schema/payments.ts";
import { organizationMembers } from "#drizzle/schema/teams.ts";
import type { MiddlewareFunction } from "react-router";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let carla: TestPerson;
let today: number;

beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  carla = await createModerator(world.ctx);
  today = instantOf(civilDate(world.ctx.now()));
});
afterEach(() => expectInvariantsToHold(world.ctx));

const change = (basisPoints: number | null, startsAt: number) =>
  changeCreatorFee(world.ctx, {
    creatorId: ana.id,
    basisPoints,
    startsAt,
    note: "Parceria.",
    moderatorId: carla.id,
  });
const sold = async () => {
  const { feeBasisPoints, feeCents, netCents } = await paidSubscription(
    world,
    await createPerson(world.ctx, "Bruno"),
    ana,
  );
  return [feeBasisPoints, feeCents, netCents];
};

test("a creator's own fee applies to sales from its start day; earlier sales and other creators keep their fee", async () => {
  expect(await sold()).toEqual([500, 100, 1_890]);
  await change(250, today);
  await change(null, addDays(today, 40));
  expect([await sold(), await creatorFee(world.ctx, { creatorId: ana.id })]).toEqual([
    [250, 50, 1_940],
    250,
  ]);
  const other = await createSeller(world.ctx);
  expect(await creatorFee(world.ctx, { creatorId: other.id })).toBe(500);
  await world.advance(41 * DAY_MS);
  expect(await sold()).toEqual([500, 100, 1_890]);
});

test("a fee increase needs thirty days' notice, never changes the past and notifies the creator once per change", async () => {
  await expect(change(600, addDays(today, 29))).rejects.toThrow(FeeRaiseTooSoon);
  await expect(change(400, addDays(today, -1))).rejects.toThrow(FeeInThePast);
  await expect(change(500, today)).rejects.toThrow(FeeUnchanged);
  await expect(change(null, today)).rejects.toThrow(FeeUnchanged);
  await change(600, addDays(today, 30));
  // Cancels the change before it starts: of two changes for one day, the later one counts.
  await change(null, addDays(today, 30));
  await world.drain();
  const notifications = await world.ctx.db
    .select()
    .from(localMails)
    .where(eq(localMails.recipient, ana.email));
  expect(
    notifications
      .filter(({ subject }) => subject === "A taxa das suas vendas")
      .map(({ body }) => /de ([\d,]+%)/.exec(body)?.[1]),
  ).toEqual(["6%", "5%"]);
  await expect(
    world.ctx.db.delete(feeOverrides).where(eq(feeOverrides.creatorId, ana.id)),
  ).rejects.toThrow("Failed query");
  await expect(
    world.ctx.db
      .update(feeOverrides)
      .set({ basisPoints: 0 })
      .where(eq(feeOverrides.creatorId, ana.id)),
  ).rejects.toThrow("Failed query");
});

test("a moderator cannot set the fee of their own page or of a team they work in, but can after leaving the team", async () => {
  const asked = (creatorId: string, moderatorId: string) =>
    changeCreatorFee(world.ctx, {
      creatorId,
      basisPoints: 0,
      startsAt: today,
      note: "Parceria.",
      moderatorId,
    });
  await expect(asked(carla.id, carla.id)).rejects.toThrow(FeeConflictOfInterest);
  const made = await createTeamFor(world.ctx, ana);
  const dora = await createTeammate(world.ctx, made, "guest_member");
  await expect(asked(ana.id, dora.id)).rejects.toThrow(FeeConflictOfInterest);
  await world.ctx.db
    .update(organizationMembers)
    .set({ removedAt: world.ctx.now() })
    .where(eq(organizationMembers.personId, dora.id));
  await asked(ana.id, dora.id);
  expect([
    await creatorFee(world.ctx, { creatorId: carla.id }),
    await creatorFee(world.ctx, { creatorId: ana.id }),
  ]).toEqual([500, 0]);
});

test("the fee computed by the database equals the fee computed by the rule, to the centavo", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500_000_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      async (amountCents, feeBasisPoints) => {
        const ctx = { ...world.ctx, settings: { ...world.ctx.settings, feeBasisPoints } };
        const fee = chargeFeeSql(ctx, { creatorId: "nobody", amountCents });
        const [row] = await ctx.db.select(fee).from(sql`(SELECT 1)`);
        expect(row).toEqual({ feeBasisPoints, ...splitFee(amountCents, feeBasisPoints) });
      },
    ),
    {
      numRuns: 60,
      examples: [
        [1, 5_000],
        [1, 4_999],
        [10, 500],
        [500_000_000, 10_000],
        [33, 0],
      ],
    },
  );
});

test("the monthly fee report equals the ledger, including refunds", async () => {
  const from = world.ctx.now();
  const before = await balancesBefore(world.ctx, { until: from });
  const bia = await createPerson(world.ctx, "Bia");
  const { purchaseId } = await paidSubscription(world, bia, ana);
  await requestSubscriptionCoolingOffRefund(world.ctx, {
    fanId: bia.id,
    subscriptionId: purchaseId,
  });
  await world.drain();
  await sold();
  const until = world.ctx.now() + 1;
  const after = await balancesBefore(world.ctx, { until });
  const lines = await platformFeeLines(world.ctx, { from, until });
  expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ["charge.refunded", -100],
    ["charge.succeeded", 200],
  ]);
  expect(lines.reduce((total, { cents }) => total + cents, 0)).toBe(
    (before["platform_fees"] ?? 0) - (after["platform_fees"] ?? 0),
  );
});

test("the staff page shows errors beside their fields, retains the typed values and refuses everyone else", async () => {
  const routes = callRoutesAs([
    { path: "admin/fees", module: fees, middleware: [requireModerator as MiddlewareFunction] },
  ]);
  const staff = { person: carla, isModerator: true };
  const typed = { username: "ninguem-assim", percent: "cinco", startsOn: "", note: "" };
  const bad = await routes.post(staff, "/admin/fees", typed);
  expect([bad.status, await bad.json()]).toMatchObject([
    400,
    {
      errors: {
        percent: "Escreva um número de 0 a 100, com até duas casas",
        startsOn: "Escolha o dia",
        note: "Escreva o motivo",
      },
      values: typed,
    },
  ]);
  const unknown = await routes.post(staff, "/admin/fees", {
    ...typed,
    percent: "4",
    startsOn: isoDay(today),
    note: "Teste.",
  });
  expect([unknown.status, await unknown.json()]).toMatchObject([
    400,
    { errors: { username: "Ninguém tem este nome de usuário." } },
  ]);
  expect(
    (
      await routes.post(staff, "/admin/fees", {
        username: `@${ana.username}`,
        percent: "4,5",
        startsOn: isoDay(today),
        note: "Parceria.",
      })
    ).status,
  ).toBe(302);
  expect(await routes.read(staff, "/admin/fees?month=2026-99")).toMatchObject({
    platform: "5%",
    changes: {
      items: expect.arrayContaining([
        expect.objectContaining({
          username: ana.username,
          basisPoints: 450,
          setByName: carla.name,
        }),
      ]),
    },
  });
  expect((await routes.get({ person: ana, isCreator: true }, "/admin/fees")).status).toBe(404);
});

test("a list of fee changes longer than the page says that it is truncated", async () => {
  expect((await recentFeeChanges(world.ctx)).isCut).toBe(false);
  await testEnv.DB.prepare(
    "INSERT INTO fee_overrides (id, creator_id, basis_points, starts_at, note, set_by, created_at) SELECT 'many-' || value, 'nobody', 100, 1, 'x', 'other', 1 FROM json_each(?)",
  )
    .bind(JSON.stringify(Array.from({ length: 201 }, (_, n) => n)))
    .run();
  expect(await recentFeeChanges(world.ctx)).toMatchObject({ isCut: true, items: { length: 200 } });
});
