import { and, eq, inArray, ne } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { hideComment } from "#app/domain/comments/commands/host.server.ts";
import { appealDecision, decideAppeal } from "#app/domain/moderation/appeals/commands.server.ts";
import {
  AppealDecided,
  AppealNeedsAnother,
  AppealNotFound,
  CannotAppeal,
} from "#app/domain/moderation/appeals/errors.ts";
import { waitingAppeals } from "#app/domain/moderation/appeals/queries.server.ts";
import { APPEAL_DAYS } from "#app/domain/moderation/appeals/rules.ts";
import type { CaseDecision, ReportSubject } from "#app/domain/moderation/reports/schema.ts";
import { endSuspension } from "#app/domain/moderation/reports/commands/retention.server.ts";
import { reportsOfPerson, suspensionState } from "#app/domain/moderation/reports/queries.server.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { commentHelpers } from "#tests/support/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  appealAddress,
  caseNow,
  claimedAndDecided,
  publicPost,
  reported,
} from "#tests/support/reports.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let carla: TestPerson;
let davi: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  carla = await createModerator(world.ctx);
  davi = await createModerator(world.ctx);
});

const { say, seen } = commentHelpers(() => ({ world, author: ana }));
const WORDS = "Era uma apresentação, não propaganda.";

async function decided(decision: CaseDecision, subject: ReportSubject): Promise<string> {
  const { caseId } = await reported(world.ctx, bia, { subject });
  await claimedAndDecided(world.ctx, { caseId, moderator: carla, decision, days: 30 });
  return caseId;
}

async function appealed(caseId: string): Promise<void> {
  await appealDecision(world.ctx, { ...(await appealAddress(world.ctx, caseId)), text: WORDS });
}

const decide = (caseId: string, moderator: TestPerson, outcome: "upheld" | "reversed") =>
  decideAppeal(world.ctx, { caseId, moderatorId: moderator.id, outcome, reason: "Conferido." });

const bannedAt = async ({ id }: TestPerson) =>
  (await world.ctx.db.select().from(people).where(eq(people.id, id)))[0]?.bannedAt ?? null;

async function kindsTold({ id }: TestPerson): Promise<string[]> {
  for (const row of await world.ctx.db.select({ id: outbox.id }).from(outbox))
    await deliverOutboxMessage(world.ctx, { outboxId: row.id });
  const rows = await world.ctx.db
    .select()
    .from(notifications)
    .where(eq(notifications.personId, id));
  return rows.map(({ kind }) => kind);
}

test("a reversed appeal shows the post again, and author and reporter hear of it", async () => {
  const { ctx } = world;
  const author = await createSeller(ctx);
  const postId = await publicPost(ctx, author.id);
  const caseId = await decided("hide", { kind: "post", id: postId });
  await appealed(caseId);
  expect(
    (await waitingAppeals(ctx, { moderatorId: davi.id, limit: 50 })).map((one) => one.caseId),
  ).toContain(caseId);
  await decide(caseId, davi, "reversed");
  expect(await postFor(ctx, { postId, viewerId: bia.id })).not.toBeNull();
  expect(await kindsTold(author)).toEqual(
    expect.arrayContaining(["content.moderated", "appeal.decided"]),
  );
  expect(await kindsTold(bia)).toContain("report.appealed");
  const { items } = await reportsOfPerson(ctx, { personId: bia.id, cursor: null, limit: 1 });
  expect(items[0]).toMatchObject({ decision: "hide", isReversed: true });
  await expect(decide(caseId, davi, "upheld")).rejects.toThrow(AppealDecided);
});

test("an upheld appeal changes nothing", async () => {
  const { ctx } = world;
  const postId = await publicPost(ctx, ana.id);
  const caseId = await decided("hide", { kind: "post", id: postId });
  await appealed(caseId);
  await decide(caseId, davi, "upheld");
  expect(await postFor(ctx, { postId, viewerId: bia.id })).toBeNull();
});

test.each(["suspend", "ban"] as const)("a reversed %s lets the person in again", async (act) => {
  const author = await createPerson(world.ctx);
  const caseId = await decided(act, { kind: "profile", id: author.id });
  expect(await bannedAt(author)).not.toBeNull();
  await appealed(caseId);
  await decide(caseId, davi, "reversed");
  expect(await bannedAt(author)).toBeNull();
});

test("a suspension that a ban took over runs on when the ban is reversed, and then ends", async () => {
  const { ctx } = world;
  const author = await createPerson(ctx);
  const postId = await publicPost(ctx, ana.id);
  const comment = { kind: "comment" as const, id: await say(postId, author) };
  const { caseId: ban } = await reported(ctx, bia, {
    subject: { kind: "profile", id: author.id },
  });
  const suspension = await decided("suspend", comment);
  const state = async () => suspensionState(ctx, await caseNow(ctx, suspension));
  expect(await state()).toBe("running");
  await claimedAndDecided(ctx, { caseId: ban, moderator: carla, decision: "ban" });
  expect(await state()).toBe("taken_over_by_ban");
  await world.advance(3 * DAY_MS);
  await appealed(ban);
  await decide(ban, davi, "reversed");
  expect(await bannedAt(author)).not.toBeNull();
  expect(await state()).toBe("running");
  await world.advance(27 * DAY_MS);
  await endSuspension(ctx, { caseId: suspension });
  expect(await bannedAt(author)).toBeNull();
  expect(await state()).toBe("ended");
});

test("a reversed suspension leaves a later ban, whose reversal lets the person in", async () => {
  const { ctx } = world;
  const author = await createPerson(ctx);
  const postId = await publicPost(ctx, ana.id);
  const comment = { kind: "comment" as const, id: await say(postId, author) };
  const { caseId: ban } = await reported(ctx, bia, {
    subject: { kind: "profile", id: author.id },
  });
  const suspension = await decided("suspend", comment);
  await claimedAndDecided(ctx, { caseId: ban, moderator: carla, decision: "ban" });
  await appealed(suspension);
  await decide(suspension, davi, "reversed");
  expect(await bannedAt(author)).not.toBeNull();
  await appealed(ban);
  await decide(ban, davi, "reversed");
  expect(await bannedAt(author)).toBeNull();
});

test("a reversed hiding shows a comment again, but not one that the post's owner hid too", async () => {
  const { ctx } = world;
  const [author, postId] = [await createPerson(ctx), await publicPost(ctx, ana.id)];
  const [free, hidden] = [await say(postId, author, "Um"), await say(postId, author, "Dois")];
  const cases: string[] = [];
  for (const id of [free, hidden])
    cases.push((await reported(ctx, bia, { subject: { kind: "comment", id } })).caseId);
  const owner = { personId: ana.id, hostId: ana.id, hidden: true };
  await hideComment(ctx, { commentId: hidden, ...owner });
  await world.advance(1_000);
  for (const caseId of cases) {
    await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "hide" });
    await appealed(caseId);
    await decide(caseId, davi, "reversed");
  }
  expect(await seen(postId, bia)).toMatchObject([{ id: free, isHeld: false }]);
  expect((await seen(postId, ana)).find(({ id }) => id === hidden)).toMatchObject({
    state: "hidden",
    isHeld: false,
    may: { show: true },
  });
});

test("there is one appeal per decision, within 20 days, under an address that is ours", async () => {
  const { ctx } = world;
  const first = await decided("warn", { kind: "post", id: await publicPost(ctx, ana.id) });
  await appealed(first);
  await expect(appealed(first)).rejects.toThrow(CannotAppeal);
  const late = await decided("warn", { kind: "post", id: await publicPost(ctx, ana.id) });
  await world.advance(APPEAL_DAYS * DAY_MS + 1);
  await expect(appealed(late)).rejects.toThrow(CannotAppeal);
  const dismissed = await decided("dismiss", { kind: "post", id: await publicPost(ctx, ana.id) });
  await expect(appealed(dismissed)).rejects.toThrow(CannotAppeal);
  const { signature } = await appealAddress(ctx, first);
  await expect(appealDecision(ctx, { caseId: late, signature, text: WORDS })).rejects.toThrow(
    AppealNotFound,
  );
});

test("the first moderator does not decide the appeal where another could", async () => {
  const { ctx } = world;
  const caseId = await decided("warn", { kind: "post", id: await publicPost(ctx, ana.id) });
  await appealed(caseId);
  await expect(decide(caseId, carla, "upheld")).rejects.toThrow(AppealNeedsAnother);
  const others = await ctx.db
    .update(people)
    .set({ isModerator: false })
    .where(and(eq(people.isModerator, true), ne(people.id, carla.id)))
    .returning({ id: people.id });
  await decide(caseId, carla, "upheld");
  const ids = others.map(({ id }) => id);
  await ctx.db.update(people).set({ isModerator: true }).where(inArray(people.id, ids));
});
