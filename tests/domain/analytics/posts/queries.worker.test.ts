import { beforeEach, expect, test } from "vitest";
import { postNumbers } from "#app/domain/analytics/posts/queries.server.ts";
import { dayNumberOf } from "#app/domain/time.ts";
import { newsletterDays, newsletterTotals } from "#drizzle/schema/newsletters.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
});

test("who opened is shown from ten emails of the range on, however many went before", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const { postId } = await soldPost(ctx, ana);
  const today = dayNumberOf(ctx.now());
  const counts = { sentCount: 202, openedCount: 61, clickedCount: 6 };
  await ctx.db.insert(newsletterTotals).values({ postId, firstSentAt: ctx.now(), ...counts });
  await ctx.db.insert(newsletterDays).values([
    { postId, day: today - 9, sentCount: 191, openedCount: 50, clickedCount: 5 },
    { postId, day: today - 8, sentCount: 1, openedCount: 1, clickedCount: 1 },
    { postId, day: today, sentCount: 10, openedCount: 10, clickedCount: 0 },
  ]);
  const mails = async (from: number, until: number) => {
    const [post] = await postNumbers(ctx, {
      creatorId: ana.id,
      range: { from, until },
      postId,
      limit: 1,
    });
    return [post?.mailsSent, post?.mailsOpened, post?.mailsClicked];
  };
  expect(await mails(today - 27, today)).toEqual([202, 61, 6]);
  expect(await mails(today, today)).toEqual([10, 10, 0]);
  // One email went out on that day: its opening would tell who it was.
  expect(await mails(today - 8, today - 8)).toEqual([1, null, null]);
  expect(await mails(today - 7, today - 1)).toEqual([0, null, null]);
});
