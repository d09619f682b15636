import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { appealDecision } from "#app/domain/moderation/appeals/commands.server.ts";
import { appealOfCase, waitingAppeals } from "#app/domain/moderation/appeals/queries.server.ts";
import { evidenceOfCase } from "#app/domain/moderation/reports/queries.server.ts";
import { caseDetail } from "#app/domain/moderation/reports/queries/cases.server.ts";
import { sweepMedia } from "#app/domain/media/commands/sweep.server.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { media } from "#drizzle/schema/media.ts";
import { postMedia } from "#drizzle/schema/posts.ts";
import { settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { appealAddress, claimedAndDecided, publicPost, reported } from "#tests/support/reports.ts";

async function deleted(world: World, person: TestPerson): Promise<void> {
  await requestDeletion(world.ctx, { personId: person.id });
  await world.advance(32 * DAY_MS);
  await settleDeletion(world, 6);
}

test("a deleted reporter leaves the report without name and words, and the case stays open", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [author, bia] = [await createSeller(ctx), await createPerson(ctx, "Bia")];
  const postId = await publicPost(ctx, author.id);
  const { caseId } = await reported(ctx, bia, {
    subject: { kind: "post", id: postId },
    details: "Eu, Bia, vi isto.",
  });
  await deleted(world, bia);
  const { id: moderatorId } = await createModerator(ctx);
  expect(await caseDetail(ctx, { caseId, moderatorId })).toMatchObject({
    decidedAt: null,
    reportsCount: 1,
    reports: [{ reporterId: null, details: "", evidence: { title: "Uma rabeca" } }],
  });
});

test("evidence of a deleted author stays six months with its files, and their appeal goes", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [author, bia] = [await createSeller(ctx), await createPerson(ctx, "Bia")];
  const carla = await createModerator(ctx);
  const postId = await publicPost(ctx, author.id);
  const mediaId = ctx.newId();
  const file = { purpose: "post" as const, contentType: "image/webp", sizeBytes: 1, createdAt: 1 };
  await ctx.db
    .insert(media)
    .values({ id: mediaId, ownerId: author.id, width: 1, height: 1, ...file });
  await ctx.db.insert(postMedia).values({ postId, mediaId, position: 0 });
  const { caseId } = await reported(ctx, bia, { subject: { kind: "post", id: postId } });
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "warn" });
  await appealDecision(ctx, { ...(await appealAddress(ctx, caseId)), text: "Sou eu, Ana." });
  await deleted(world, author);
  expect(await evidenceOfCase(ctx, { caseId })).toMatchObject({ files: [{ id: mediaId }] });
  expect(await appealOfCase(ctx, { caseId })).toBeNull();
  expect(await waitingAppeals(ctx, { moderatorId: carla.id, limit: 5 })).toEqual([]);
  const seenBy = (viewerId: string) => mediaFor(ctx, { viewerId, mediaId, variant: "640" });
  expect(await seenBy(carla.id)).not.toBeNull();
  expect(await seenBy(bia.id)).toBeNull();
  await world.advance(160 * DAY_MS);
  await world.tick();
  expect(await evidenceOfCase(ctx, { caseId })).toBeNull();
  // The trigger marks the file by the database's own clock; the sweeper waits a week from then.
  await ctx.db.update(media).set({ unusedSince: 1 }).where(eq(media.id, mediaId));
  await sweepMedia(ctx);
  await world.advance(DAY_MS);
  await sweepMedia(ctx);
  expect(await ctx.db.select().from(media).where(eq(media.id, mediaId))).toEqual([]);
});
