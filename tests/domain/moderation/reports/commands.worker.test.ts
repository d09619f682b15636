import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { AlreadyBanned, CannotBanStaff } from "#app/domain/moderation/errors.ts";
import { claimCase, releaseCase } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { decideCase } from "#app/domain/moderation/reports/commands/decide.server.ts";
import {
  CannotReportOwn,
  CaseChanged,
  CaseNotFound,
  CaseNotYours,
  DecisionImpossible,
  NothingToHide,
  PartyToCase,
  SubjectNotFound,
  TooManyReports,
} from "#app/domain/moderation/reports/errors.ts";
import { reportsOfPerson } from "#app/domain/moderation/reports/queries.server.ts";
import {
  caseDetail,
  reportCasesPage,
} from "#app/domain/moderation/reports/queries/cases.server.ts";
import { CLAIM_MS, REPORT_LIMITS } from "#app/domain/moderation/reports/rules.ts";
import type { ReportSubject } from "#app/domain/moderation/reports/schema.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { CommentActionRefused } from "#app/domain/comments/errors.ts";
import { hideComment } from "#app/domain/comments/commands/host.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { reports } from "#drizzle/schema/moderation.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { commentHelpers } from "#tests/support/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { caseNow, claimedAndDecided, publicPost, reported } from "#tests/support/reports.ts";

let world: World;
let ana: Seller;
let carla: TestPerson;
let davi: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  carla = await createModerator(world.ctx);
  davi = await createModerator(world.ctx);
});

const { say, seen } = commentHelpers(() => ({ world, author: ana }));
const post = async (): Promise<ReportSubject> => ({
  kind: "post",
  id: await publicPost(world.ctx, ana.id),
});
const newcomer = () => createPerson(world.ctx, "Bia");
const isBanned = async (personId: string) => {
  const [row] = await world.ctx.db.select().from(people).where(eq(people.id, personId));
  return row?.bannedAt !== null;
};
/** Delivers everything and returns what the person was notified of, by kind. */
async function notified(personId: string): Promise<string[]> {
  for (const { id } of await world.ctx.db.select({ id: outbox.id }).from(outbox))
    await deliverOutboxMessage(world.ctx, { outboxId: id });
  const rows = await world.ctx.db
    .select()
    .from(notifications)
    .where(eq(notifications.personId, personId));
  return rows.map(({ kind, body }) => `${kind}: ${body}`);
}

test("reports of one subject are one case, hide nothing, and a second of the same person adds nothing", async () => {
  const { ctx } = world;
  const subject = await post();
  const [bia, caio] = [await newcomer(), await newcomer()];
  const first = await reported(ctx, bia, { subject });
  const second = await reported(ctx, caio, { subject, reason: "hate" });
  const again = await reported(ctx, bia, { subject, reason: "violence" });
  expect([first.isNew, second.isNew, again.isNew]).toEqual([true, true, false]);
  expect(again.reportId).toBe(first.reportId);
  expect(second.caseId).toBe(first.caseId);
  expect(await caseNow(ctx, first.caseId)).toMatchObject({ reportsCount: 2, isUrgent: false });
  expect(await postFor(ctx, { postId: subject.id, viewerId: null })).not.toBeNull();
});

test("two reports of one person at once are one", async () => {
  const { ctx } = world;
  const subject = await post();
  const bia = await newcomer();
  const both = await Promise.all([1, 2].map(() => reported(ctx, bia, { subject })));
  expect(new Set(both.map(({ reportId }) => reportId)).size).toBe(1);
  expect(await caseNow(ctx, both[0]?.caseId ?? "")).toMatchObject({ reportsCount: 1 });
});

test("nobody reports their own, what they cannot see, or more than the limit of a day", async () => {
  const { ctx } = world;
  const subject = await post();
  const bia = await newcomer();
  await expect(reported(ctx, ana, { subject: { kind: "profile", id: ana.id } })).rejects.toThrow(
    CannotReportOwn,
  );
  await expect(reported(ctx, ana, { subject })).rejects.toThrow(CannotReportOwn);
  await expect(reported(ctx, bia, { subject: { kind: "post", id: "nenhuma" } })).rejects.toThrow(
    SubjectNotFound,
  );
  const locked = await publishPost(ctx, {
    authorId: ana.id,
    title: "Só para quem assina",
    content: "Segredo.",
    teaser: "",
    audience: "subscribers",
    planIds: [],
    image: null,
  });
  const comment = await say(locked.postId, { ...ana });
  await expect(reported(ctx, bia, { subject: { kind: "comment", id: comment } })).rejects.toThrow(
    SubjectNotFound,
  );
  const limit = REPORT_LIMITS[0]?.limit ?? 0;
  for (let count = 0; count < limit; count += 1)
    await reported(ctx, bia, { subject: { kind: "profile", id: (await newcomer()).id } });
  await expect(reported(ctx, bia, { subject })).rejects.toThrow(TooManyReports);
});

test("who was blocked by an author cannot see and so not report their profile", async () => {
  const { ctx } = world;
  const [bia, caio] = [await newcomer(), await newcomer()];
  await block(ctx, { personId: caio.id, otherId: bia.id });
  await expect(reported(ctx, bia, { subject: { kind: "profile", id: caio.id } })).rejects.toThrow(
    SubjectNotFound,
  );
});

test("the exploitation of a child goes to the top of the queue, also when it is said later", async () => {
  const { ctx } = world;
  const [older, urgent] = [await post(), await post()];
  const bia = await newcomer();
  const first = await reported(ctx, bia, { subject: older });
  await world.advance(1_000);
  const later = await reported(ctx, bia, { subject: urgent });
  await reported(ctx, await newcomer(), { subject: urgent, reason: "child_exploitation" });
  const order: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof reportCasesPage>> = await reportCasesPage(ctx, {
      moderatorId: carla.id,
      state: "open",
      cursor,
      limit: 3,
    });
    order.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  expect(order[0]).toBe(later.caseId);
  expect(order.filter((id) => id === first.caseId)).toHaveLength(1);
  expect(new Set(order).size).toBe(order.length);
});

test("a claim keeps others from deciding, for a day", async () => {
  const { ctx } = world;
  const { caseId } = await reported(ctx, await newcomer(), { subject: await post() });
  const act = { caseId, reason: "Vou olhar." };
  await expect(
    decideCase(ctx, {
      ...act,
      moderatorId: carla.id,
      version: 1,
      reportsSeen: 1,
      decision: "dismiss",
    }),
  ).rejects.toThrow(CaseNotYours);
  await claimCase(ctx, { ...act, moderatorId: carla.id, version: 1 });
  for (const command of [
    () => claimCase(ctx, { ...act, moderatorId: davi.id, version: 2 }),
    () => releaseCase(ctx, { ...act, moderatorId: davi.id, version: 2 }),
    () =>
      decideCase(ctx, {
        ...act,
        moderatorId: davi.id,
        version: 2,
        reportsSeen: 1,
        decision: "dismiss",
      }),
  ])
    await expect(command()).rejects.toThrow(CaseNotYours);
  await world.advance(CLAIM_MS);
  await claimCase(ctx, { ...act, moderatorId: davi.id, version: 2 });
  expect(await caseNow(ctx, caseId)).toMatchObject({ claimedBy: davi.id });
});

test("a decision on an older view is refused, and a decided case takes no other", async () => {
  const { ctx } = world;
  const { caseId } = await reported(ctx, await newcomer(), { subject: await post() });
  const act = { caseId, moderatorId: carla.id, reason: "Não quebra regra." };
  await claimCase(ctx, { ...act, version: 1 });
  await expect(
    decideCase(ctx, { ...act, version: 1, reportsSeen: 1, decision: "dismiss" }),
  ).rejects.toThrow(CaseChanged);
  await decideCase(ctx, { ...act, version: 2, reportsSeen: 1, decision: "dismiss" });
  await expect(
    decideCase(ctx, { ...act, version: 3, reportsSeen: 1, decision: "ban", rule: "spam" }),
  ).rejects.toThrow(CaseNotYours);
  expect(
    (await caseDetail(ctx, { caseId, moderatorId: carla.id }))?.log.map(({ act: done }) => done),
  ).toEqual(["claim", "dismiss"]);
});

test("a dismissal covers no report that its moderator did not see, nor any decision an urgent one", async () => {
  const { ctx } = world;
  const subject = await post();
  const { caseId } = await reported(ctx, await newcomer(), { subject });
  const act = { caseId, moderatorId: carla.id, rule: "spam" as const, reason: "Conferido." };
  await claimCase(ctx, { ...act, version: 1 });
  await reported(ctx, await newcomer(), { subject });
  const decide = (decision: "dismiss" | "warn", version: number, reportsSeen: number) =>
    decideCase(ctx, { ...act, decision, version, reportsSeen });
  await expect(decide("dismiss", 2, 1)).rejects.toThrow(CaseChanged);
  await reported(ctx, await newcomer(), { subject, reason: "child_exploitation" });
  await expect(decide("warn", 2, 3)).rejects.toThrow(CaseChanged);
  expect(await caseNow(ctx, caseId)).toMatchObject({ decidedAt: null, version: 3 });
  await reported(ctx, await newcomer(), { subject, reason: "child_exploitation" });
  expect(await caseNow(ctx, caseId)).toMatchObject({ version: 3 });
  await decide("dismiss", 3, 4);
});

test("a dismissal tells the reporters and not the author", async () => {
  const { ctx } = world;
  const bia = await newcomer();
  const author = await createSeller(ctx);
  const subject: ReportSubject = { kind: "post", id: await publicPost(ctx, author.id) };
  const { caseId } = await reported(ctx, bia, { subject });
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "dismiss" });
  expect(await notified(bia.id)).toEqual([
    "report.decided: Conferimos a sua denúncia sobre a publicação “Uma rabeca” e não encontramos quebra das regras.",
  ]);
  expect((await notified(author.id)).filter((text) => text.startsWith("content."))).toEqual([]);
  const { items } = await reportsOfPerson(ctx, { personId: bia.id, cursor: null, limit: 5 });
  expect(items[0]).toMatchObject({ decision: "dismiss", isReversed: false });
});

test("hiding a post holds it, and tells author and every reporter once", async () => {
  const { ctx } = world;
  const [bia, caio] = [await newcomer(), await newcomer()];
  const subject = await post();
  const { caseId } = await reported(ctx, bia, { subject });
  await reported(ctx, caio, { subject });
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "hide" });
  expect(await postFor(ctx, { postId: subject.id, viewerId: bia.id })).toBeNull();
  for (const { id } of [bia, caio])
    expect(await notified(id)).toEqual([
      "report.decided: Conferimos a sua denúncia sobre a publicação “Uma rabeca” e agimos: havia quebra das regras. Obrigado por avisar.",
    ]);
  const told = (await notified(ana.id)).filter((text) => text.startsWith("content.moderated"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("Regra: Spam. Motivo: Propaganda repetida.");
});

test("a comment that a decision hid is not shown again by the post's owner", async () => {
  const { ctx } = world;
  const [bia, caio] = [await newcomer(), await newcomer()];
  const postId = await publicPost(ctx, ana.id);
  const commentId = await say(postId, bia, "Compre já!");
  const { caseId } = await reported(ctx, caio, { subject: { kind: "comment", id: commentId } });
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "hide" });
  expect(await seen(postId, caio)).toEqual([]);
  await expect(
    hideComment(ctx, { commentId, personId: ana.id, hostId: ana.id, hidden: false }),
  ).rejects.toThrow(CommentActionRefused);
  expect((await seen(postId, ana))[0]).toMatchObject({ isHeld: true, may: { show: false } });
});

test("a suspension ends by itself after its days, and the person hears of it", async () => {
  const { ctx } = world;
  const author = await newcomer();
  const { caseId } = await reported(ctx, await newcomer(), {
    subject: { kind: "profile", id: author.id },
  });
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "suspend", days: 3 });
  await world.advance(2 * DAY_MS);
  await world.tick();
  expect(await isBanned(author.id)).toBe(true);
  await world.advance(DAY_MS);
  await world.tick();
  expect(await isBanned(author.id)).toBe(false);
  expect(
    (await caseDetail(ctx, { caseId, moderatorId: carla.id }))?.log.map(({ act }) => act),
  ).toEqual(["claim", "suspend", "unban"]);
  expect((await notified(author.id)).at(-1)).toContain("person.unbanned");
});

test("a ban of a suspended person takes the place of the suspension, which then ends nothing", async () => {
  const { ctx } = world;
  const [bia, author] = [await newcomer(), await newcomer()];
  const commentId = await say(await publicPost(ctx, ana.id), author);
  const comment = await reported(ctx, bia, { subject: { kind: "comment", id: commentId } });
  const profile = await reported(ctx, bia, { subject: { kind: "profile", id: author.id } });
  await claimedAndDecided(ctx, {
    caseId: comment.caseId,
    moderator: carla,
    decision: "suspend",
    days: 1,
  });
  await claimedAndDecided(ctx, { caseId: profile.caseId, moderator: carla, decision: "ban" });
  await world.advance(2 * DAY_MS);
  await world.tick();
  expect(await isBanned(author.id)).toBe(true);
});

test("a moderator who lets a suspended person in by hand ends the suspension", async () => {
  const { ctx } = world;
  const author = await newcomer();
  const { caseId } = await reported(ctx, await newcomer(), {
    subject: { kind: "profile", id: author.id },
  });
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "suspend", days: 3 });
  await unbanPerson(ctx, { moderatorId: carla.id, personId: author.id });
  expect(await caseNow(ctx, caseId)).toMatchObject({ suspendedUntil: null });
});

test("impossible decisions are refused with the case left open", async () => {
  const { ctx } = world;
  const [bia, caio] = [await newcomer(), await newcomer()];
  const act = {
    moderatorId: carla.id,
    version: 2,
    reportsSeen: 1,
    rule: "spam" as const,
    reason: "Golpe.",
  };
  const claimed = async (subject: ReportSubject) => {
    const { caseId } = await reported(ctx, bia, { subject });
    await claimCase(ctx, { ...act, caseId, version: 1 });
    return caseId;
  };
  const profile = await claimed({ kind: "profile", id: caio.id });
  await expect(decideCase(ctx, { ...act, caseId: profile, decision: "hide" })).rejects.toThrow(
    DecisionImpossible,
  );
  await banPerson(ctx, { moderatorId: carla.id, personId: caio.id, reason: "Golpe." });
  await expect(decideCase(ctx, { ...act, caseId: profile, decision: "ban" })).rejects.toThrow(
    AlreadyBanned,
  );
  const staff = await claimed({ kind: "profile", id: davi.id });
  await expect(decideCase(ctx, { ...act, caseId: staff, decision: "ban" })).rejects.toThrow(
    CannotBanStaff,
  );
  const subject = await post();
  const gone = await claimed(subject);
  await ctx.db.update(posts).set({ deletedAt: ctx.now() }).where(eq(posts.id, subject.id));
  await expect(decideCase(ctx, { ...act, caseId: gone, decision: "hide" })).rejects.toThrow(
    NothingToHide,
  );
  for (const caseId of [profile, staff, gone])
    expect(await caseNow(ctx, caseId)).toMatchObject({ decidedAt: null, version: 2 });
});

test("a moderator who reported a case does not claim it, and its author does not find it", async () => {
  const { ctx } = world;
  const reporter = await createModerator(ctx);
  const asked = { moderatorId: reporter.id, version: 1, reason: "Eu mesma." };
  const own = await reported(ctx, await newcomer(), {
    subject: { kind: "profile", id: reporter.id },
  });
  const theirs = await reported(ctx, reporter, { subject: await post() });
  const claim = ({ caseId }: { caseId: string }) => claimCase(ctx, { ...asked, caseId });
  await expect(claim(own)).rejects.toThrow(CaseNotFound);
  await expect(claim(theirs)).rejects.toThrow(PartyToCase);
});

test("evidence and words are erased six months after the decision, never before", async () => {
  const { ctx } = world;
  const [bia, open] = [await newcomer(), await newcomer()];
  const decided = await reported(ctx, bia, { subject: await post(), details: "Olhem isto." });
  const waiting = await reported(ctx, open, { subject: await post(), details: "E isto." });
  await claimedAndDecided(ctx, { caseId: decided.caseId, moderator: carla, decision: "dismiss" });
  const stored = async ({ reportId }: { reportId: string }) =>
    (await ctx.db.select().from(reports).where(eq(reports.id, reportId)))[0];
  await world.advance(178 * DAY_MS);
  await world.tick();
  expect((await stored(decided))?.details).toBe("Olhem isto.");
  await world.advance(8 * DAY_MS);
  await world.tick();
  expect(await stored(decided)).toMatchObject({ details: "", evidence: "" });
  expect((await stored(waiting))?.details).toBe("E isto.");
});
