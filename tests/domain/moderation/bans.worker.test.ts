import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import {
  AlreadyBanned,
  CannotBanStaff,
  NotAModerator,
  NotBanned,
} from "#app/domain/moderation/errors.ts";
import { actionsOn } from "#app/domain/moderation/queries.server.ts";
import { profileByUsername } from "#app/domain/profiles/queries.server.ts";
import { subscriptionsOfBanned } from "#app/domain/subscriptions/queries/ending/closing.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { mailsOf, refundsOf, settle, statusOfSubscription } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import { subscribed } from "#tests/support/money.ts";
import { moderator, person, seller } from "#tests/support/people.ts";

const REASON = "Vendia o que não era seu.";

test("a ban hides the person, is written down with who and why, and told; its end undoes it", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [carla, bruno] = [await moderator(ctx), await person(ctx, "Bruno")];
  const ban = { moderatorId: carla.id, personId: bruno.id };
  await banPerson(ctx, { ...ban, reason: REASON });
  expect(await profileByUsername(ctx, { username: bruno.username })).toBeNull();
  await expect(banPerson(ctx, { ...ban, reason: REASON })).rejects.toThrow(AlreadyBanned);
  await unbanPerson(ctx, ban);
  expect(await profileByUsername(ctx, { username: bruno.username })).not.toBeNull();
  await expect(unbanPerson(ctx, ban)).rejects.toThrow(NotBanned);
  expect(
    (await actionsOn(ctx, { personId: bruno.id })).map(({ act, reason, moderatorId }) => [
      act,
      reason,
      moderatorId,
    ]),
  ).toEqual([
    ["unban", "", carla.id],
    ["ban", REASON, carla.id],
  ]);
  await settle(world, 1);
  expect((await mailsOf(ctx, bruno.email)).toSorted()).toEqual([
    "Sua conta do Coreto foi suspensa",
    "Sua conta do Coreto voltou",
  ]);
});

test("two moderators at once make one ban, and the log is never rewritten", async () => {
  const { ctx, env } = await testContext();
  const [carla, davi, bruno] = [
    await moderator(ctx),
    await moderator(ctx),
    await person(ctx, "Bruno"),
  ];
  const bans = await Promise.allSettled(
    [carla, davi].map(({ id }) =>
      banPerson(ctx, { moderatorId: id, personId: bruno.id, reason: REASON }),
    ),
  );
  expect(bans.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [action] = await actionsOn(ctx, { personId: bruno.id });
  await expect(
    env.DB.prepare("UPDATE moderation_actions SET reason = '' WHERE id = ?").bind(action?.id).run(),
  ).rejects.toThrow("immutable_log");
  await expect(
    env.DB.prepare("DELETE FROM moderation_actions WHERE id = ?").bind(action?.id).run(),
  ).rejects.toThrow("immutable_log");
});

test("only the moderation bans, and never its own", async () => {
  const { ctx } = await testContext();
  const [carla, davi, bruno, clara] = [
    await moderator(ctx),
    await moderator(ctx),
    await person(ctx, "Bruno"),
    await person(ctx, "Clara"),
  ];
  await expect(
    banPerson(ctx, { moderatorId: bruno.id, personId: clara.id, reason: REASON }),
  ).rejects.toThrow(NotAModerator);
  await expect(unbanPerson(ctx, { moderatorId: bruno.id, personId: clara.id })).rejects.toThrow(
    NotAModerator,
  );
  for (const { id } of [carla, davi])
    await expect(
      banPerson(ctx, { moderatorId: carla.id, personId: id, reason: REASON }),
    ).rejects.toThrow(CannotBanStaff);
  const [row] = await ctx.db.select().from(people).where(eq(people.id, clara.id));
  expect(row?.bannedAt).toBeNull();
});

test("a day after the ban of who sells, unused days go back to who subscribed, once; undone before, everything goes on", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [carla, ana, bruno, clara] = [
    await moderator(ctx),
    await seller(ctx, { amountCents: 3_000 }),
    await person(ctx, "Bruno"),
    await person(ctx, "Clara"),
  ];
  const old = await subscribed(world, bruno, ana);
  await world.advance(10 * DAY_MS);
  const young = await subscribed(world, clara, ana);
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
  await settle(world, 2);
  expect(await stands()).toEqual(["expired", "expired"]);
  // Within the days of regret everything goes back, later the days that did not begin.
  expect(await refundsOf(ctx, young.id)).toEqual([{ status: "succeeded", amountCents: 3_000 }]);
  const [unused] = await refundsOf(ctx, old.id);
  expect(unused).toMatchObject({ status: "succeeded" });
  expect(unused?.amountCents).toBeGreaterThan(1_500);
  expect(unused?.amountCents).toBeLessThan(2_000);
  expect(await mailsOf(ctx, bruno.email)).toContainEqual(expect.stringMatching(/^Devolvemos R\$/));
  await settle(world, 1);
  expect(await refundsOf(ctx, old.id)).toHaveLength(1);
  await expectBooksToHold(ctx);
});

test("a subscription whose payment the bank has waits for it, and holds up nobody else's money", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [carla, ana] = [await moderator(ctx), await seller(ctx)];
  const [disputed, other] = [
    await subscribed(world, await person(ctx, "Bruno"), ana),
    await subscribed(world, await person(ctx, "Clara"), ana),
  ];
  await world.console(`/sandbox/charges/${disputed.providerChargeId}/dispute`);
  await world.drain();
  await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: REASON });
  const due = await subscriptionsOfBanned(ctx, { bannedBefore: ctx.now() + DAY_MS, limit: 100 });
  expect(due).toContain(other.purchaseId);
  expect(due).not.toContain(disputed.purchaseId);
});
