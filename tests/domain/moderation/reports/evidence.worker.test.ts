import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { reportsOfPerson } from "#app/domain/moderation/reports/queries.server.ts";
import { caseDetail } from "#app/domain/moderation/reports/queries/cases.server.ts";
import type { ReportSubject } from "#app/domain/moderation/reports/schema.ts";
import { reports } from "#drizzle/schema/moderation.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { publicPost, reported } from "#tests/support/reports.ts";

let world: World;
let ana: Seller;
let carla: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  carla = await createModerator(world.ctx);
});

const post = async (): Promise<ReportSubject> => ({
  kind: "post",
  id: await publicPost(world.ctx, ana.id),
});
const newcomer = () => createPerson(world.ctx, "Bia");

test("a report keeps the content as it was, whatever its author does to it later", async () => {
  const { ctx } = world;
  const subject = await post();
  const { caseId } = await reported(ctx, await newcomer(), {
    subject,
    reason: "scam",
    details: "Pede Pix e some.",
  });
  await ctx.db
    .update(posts)
    .set({ title: "Nada a ver", content: "", deletedAt: ctx.now() })
    .where(eq(posts.id, subject.id));
  const detail = await caseDetail(ctx, { caseId, moderatorId: carla.id });
  expect(detail?.reports[0]).toMatchObject({
    reason: "scam",
    details: "Pede Pix e some.",
    evidence: { kind: "post", title: "Uma rabeca", content: "Texto." },
  });
  await expect(
    world.env.DB.prepare("UPDATE reports SET evidence = '{}' WHERE case_id = ?").bind(caseId).run(),
  ).rejects.toThrow("immutable_evidence");
});

test("unchanged content is copied once for all reports of a case, changed content again", async () => {
  const { ctx } = world;
  const subject = await post();
  const [bia, caio, dora] = [await newcomer(), await newcomer(), await newcomer()];
  const { caseId } = await reported(ctx, bia, { subject });
  await world.advance(1_000);
  await reported(ctx, caio, { subject });
  await ctx.db.update(posts).set({ title: "Outro título" }).where(eq(posts.id, subject.id));
  await world.advance(1_000);
  await reported(ctx, dora, { subject });
  const stored = await ctx.db
    .select({ evidence: reports.evidence })
    .from(reports)
    .where(eq(reports.caseId, caseId))
    .orderBy(reports.createdAt);
  expect(stored.map(({ evidence }) => evidence !== "")).toEqual([true, false, true]);
  const titles = await Promise.all(
    [bia, caio, dora].map(async ({ id }) => {
      const own = await reportsOfPerson(ctx, { personId: id, cursor: null, limit: 1 });
      return own.items[0]?.evidence;
    }),
  );
  expect(titles).toMatchObject([
    { title: "Uma rabeca" },
    { title: "Uma rabeca" },
    { title: "Outro título" },
  ]);
});

test("of many reports the urgent ones and those with another copy are shown", async () => {
  const { ctx } = world;
  const subject = await post();
  const { caseId, reportId } = await reported(ctx, await newcomer(), { subject });
  await world.advance(1_000);
  const plain = { caseId, reason: "spam", evidence: "", createdAt: ctx.now() };
  for (let count = 0; count < 60; count += 1)
    await ctx.db.insert(reports).values({ ...plain, id: ctx.newId(), reporterId: ctx.newId() });
  await world.advance(1_000);
  await ctx.db.update(posts).set({ content: "Abuso." }).where(eq(posts.id, subject.id));
  const copied = await reported(ctx, await newcomer(), { subject });
  await ctx.db.update(posts).set({ content: "Texto." }).where(eq(posts.id, subject.id));
  await world.advance(1_000);
  const reason = "child_exploitation";
  const urgent = await reported(ctx, await newcomer(), { subject, reason });
  const detail = await caseDetail(ctx, { caseId, moderatorId: carla.id });
  expect(detail?.first?.id).toBe(reportId);
  expect(detail?.reports).toHaveLength(50);
  expect(detail?.reports.slice(0, 3).map(({ id }) => id)).toEqual([
    urgent.reportId,
    reportId,
    copied.reportId,
  ]);
  expect(detail?.reports[2]?.evidence).toMatchObject({ content: "Abuso." });
});
