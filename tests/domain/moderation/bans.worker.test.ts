import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { AlreadyBanned, CannotBanStaff, NotAModerator, NotBanned } from "#app/domain/moderation/errors.ts";
import { actionsOn } from "#app/domain/moderation/queries.server.ts";
import { profileByUsername } from "#app/domain/profiles/queries.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { mailsOf, settle } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import { moderator, person } from "#tests/support/people.ts";

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
  expect((await actionsOn(ctx, { personId: bruno.id })).map(({ act, reason, moderatorId }) => [act, reason, moderatorId])).toEqual([["unban", "", carla.id], ["ban", REASON, carla.id]]);
  await settle(world, 1);
  expect((await mailsOf(ctx, bruno.email)).toSorted()).toEqual(["Sua conta do Coreto foi suspensa", "Sua conta do Coreto voltou"]);
});

test("two moderators at once make one ban, and the log is never rewritten", async () => {
  const { ctx, env } = await testContext();
  const [carla, davi, bruno] = [await moderator(ctx), await moderator(ctx), await person(ctx, "Bruno")];
  const bans = await Promise.allSettled([carla, davi].map(({ id }) => banPerson(ctx, { moderatorId: id, personId: bruno.id, reason: REASON })));
  expect(bans.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [action] = await actionsOn(ctx, { personId: bruno.id });
  await expect(env.DB.prepare("UPDATE moderation_actions SET reason = '' WHERE id = ?").bind(action?.id).run()).rejects.toThrow("immutable_log");
  await expect(env.DB.prepare("DELETE FROM moderation_actions WHERE id = ?").bind(action?.id).run()).rejects.toThrow("immutable_log");
});

test("only the moderation bans, and never its own", async () => {
  const { ctx } = await testContext();
  const [carla, davi, bruno, clara] = [await moderator(ctx), await moderator(ctx), await person(ctx, "Bruno"), await person(ctx, "Clara")];
  await expect(banPerson(ctx, { moderatorId: bruno.id, personId: clara.id, reason: REASON })).rejects.toThrow(NotAModerator);
  await expect(unbanPerson(ctx, { moderatorId: bruno.id, personId: clara.id })).rejects.toThrow(NotAModerator);
  for (const { id } of [carla, davi]) await expect(banPerson(ctx, { moderatorId: carla.id, personId: id, reason: REASON })).rejects.toThrow(CannotBanStaff);
  const [row] = await ctx.db.select().from(people).where(eq(people.id, clara.id));
  expect(row?.bannedAt).toBeNull();
});
