import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import {
  AlreadyBanned,
  CannotBanStaff,
  ModeratorRequired,
  NotBanned,
} from "#app/domain/moderation/errors.ts";
import { moderationActionsOn } from "#app/domain/moderation/queries.server.ts";
import { profileByUsername } from "#app/domain/profiles/queries.server.ts";
import { subscriptionsOfBanned } from "#app/domain/subscriptions/coverage/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import {
  mailsOf,
  refundsOfCharge,
  settleDeletion,
  statusOfSubscription,
} from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";

const REASON = "Vendia o que não era seu.";

test("a ban hides the person, is logged with its author and reason, and notified; its end undoes it", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [carla, bruno] = [await createModerator(ctx), await createPerson(ctx, "Bruno")];
  const ban = { moderatorId: carla.id, personId: bruno.id };
  await banPerson(ctx, { ...ban, reason: REASON });
  expect(await profileByUsername(ctx, { username: bruno.username })).toBeNull();
  await expect(banPerson(ctx, { ...ban, reason: REASON })).rejects.toThrow(AlreadyBanned);
  await unbanPerson(ctx, ban);
  expect(await profileByUsername(ctx, { username: bruno.username })).not.toBeNull();
  await expect(unbanPerson(ctx, ban)).rejects.toThrow(NotBanned);
  expect(
    (await moderationActionsOn(ctx, { personId: bruno.id })).map(({ act, reason, moderatorId }) => [
      act,
      reason,
      moderatorId,
    ]),
  ).toEqual([
    ["unban", "", carla.id],
    ["ban", REASON, carla.id],
  ]);
  await settleDeletion(world, 1);
  expect((await mailsOf(ctx, bruno.email)).toSorted()).toEqual([
    "Sua conta do Coreto foi suspensa",
    "Sua conta do Coreto voltou",
  ]);
});

test("two moderators at once make one ban, and the log is never rewritten", async () => {
  const { ctx, env } = await testContext();
  const [carla, davi, bruno] = [
    await createModerator(ctx),
    await createModerator(ctx),
    await createPerson(ctx, "Bruno"),
  ];
  const bans = await Promise.allSettled(
    [carla, davi].map(({ id }) =>
      banPerson(ctx, { moderatorId: id, personId: bruno.id, reason: REASON }),
    ),
  );
  expect(bans.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [action] = await moderationActionsOn(ctx, { personId: bruno.id });
  await expect(
    env.DB.prepare("UPDATE moderation_actions SET reason = '' WHERE id = ?").bind(action?.id).run(),
  ).rejects.toThrow("immutable_log");
  await expect(
    env.DB.prepare("DELETE FROM moderation_actions WHERE id = ?").bind(action?.id).run(),
  ).rejects.toThrow("immutable_log");
});

test("only moderators can ban, and never themselves", async () => {
  const { ctx } = await testContext();
  const [carla, davi, bruno, clara] = [
    await createModerator(ctx),
    await createModerator(ctx),
    await createPerson(ctx, "Bruno"),
    await createPerson(ctx, "Clara"),
  ];
  await expect(
    banPerson(ctx, { moderatorId: bruno.id, personId: clara.id, reason: REASON }),
  ).rejects.toThrow(ModeratorRequired);
  await expect(unbanPerson(ctx, { moderatorId: bruno.id, personId: clara.id })).rejects.toThrow(
    ModeratorRequired,
  );
  for (const { id } of [carla, davi])
    await expect(
      banPerson(ctx, { moderatorId: carla.id, personId: id, reason: REASON }),
    ).rejects.toThrow(CannotBanStaff);
  const [row] = await ctx.db.select().from(people).where(eq(people.id, clara.id));
  expect(row?.bannedAt).toBeNull();
});

test("a day after a seller's ban, unused days are refunded to subscribers once; undone before, nothing changes", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [carla, ana, bruno, clara] = [
    await createModerator(ctx),
    await createSeller(ctx, { amountCents: 3_000 }),
    await createPerson(ctx, "Bruno"),
    await createPerson(ctx, "Clara"),
  ];
  const old = await paidSubscription(world, bruno, ana);
  await world.advance(10 * DAY_MS);
  const young = await paidSubscription(world, clara, ana);
  const ban = { moderatorId: carla.id, personId: ana.id };
  const stands = () =>
    Promise.all([old, young].map(({ purchaseId }) => statusOfSubscription(ctx, purchaseId)));
  await banPerson(ctx, { ...ban, reason: REASON });
  await world.advance(DAY_MS - HOUR_MS);
  await world.tick();
  await unbanPerson(ctx, ban);
  await world.advance(2 * HOUR_MS);
  await world.tick();
  expect(await stands()).toEqual(["active", "active"]);
  await banPerson(ctx, { ...ban, reason: REASON });
  await world.advance(DAY_MS + HOUR_MS);
  await settleDeletion(world, 2);
  expect(await stands()).toEqual(["expired", "expired"]);
  // Refunds everything within the cooling-off period, and the days not yet started later.
  expect(await refundsOfCharge(ctx, young.id)).toEqual([
    { status: "succeeded", amountCents: 3_000 },
  ]);
  const [unused] = await refundsOfCharge(ctx, old.id);
  expect(unused).toMatchObject({ status: "succeeded" });
  expect(unused?.amountCents).toBeGreaterThan(1_500);
  expect(unused?.amountCents).toBeLessThan(2_000);
  expect(await mailsOf(ctx, bruno.email)).toContainEqual(expect.stringMatching(/^Devolvemos R\$/));
  await settleDeletion(world, 1);
  expect(await refundsOfCharge(ctx, old.id)).toHaveLength(1);
  await expectInvariantsToHold(ctx);
});

test("a subscription with a disputed payment waits for the dispute, and delays no other refund", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [carla, ana] = [await createModerator(ctx), await createSeller(ctx)];
  const [disputed, other] = [
    await paidSubscription(world, await createPerson(ctx, "Bruno"), ana),
    await paidSubscription(world, await createPerson(ctx, "Clara"), ana),
  ];
  await world.console(`/sandbox/charges/${disputed.providerChargeId}/dispute`);
  await world.drain();
  await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: REASON });
  const due = await subscriptionsOfBanned(ctx, { bannedBefore: ctx.now() + DAY_MS, limit: 100 });
  expect(due).toContain(other.purchaseId);
  expect(due).not.toContain(disputed.purchaseId);
});
