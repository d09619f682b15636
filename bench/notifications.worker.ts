import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { AUDIENCE_PAGE_SIZE } from "#app/domain/notifications/commands/fan-out.server.ts";
import { memberNotifications, unreadCount } from "#app/domain/notifications/queries.server.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { composition } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { NotificationsResult } from "./notifications.ts";
import { sized } from "./size.ts";

const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...testEnv });
const FOLLOWERS = sizedHere(200_000, 1_500);
const MANY = sizedHere(1_000_000, 2_000);
const FEW = 100;
const LISTED = 20;
const UNREAD = 5;
const AT_ONCE = 20_000;

// The compared rows are written by hand.
allowBrokenInvariants();

test("notifications", async () => {
  const world = await testContext({ webhooks: false });
  const { fanOut, pages } = await fannedOut(world.ctx);
  const result: NotificationsResult = {
    followers: FOLLOWERS,
    fanOut,
    pages,
    few: await readBy(world.ctx, FEW),
    many: await readBy(world.ctx, MANY),
  };
  expect(result.fanOut.coreto.length).toBeGreaterThan(0);
  console.log(`bench.notifications ${JSON.stringify(result)}`);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The pages of a new post's fan-out, in turns with bare batches of as many rows. */
async function fannedOut(ctx: Context): Promise<Pick<NotificationsResult, "fanOut" | "pages">> {
  const creator = await createSeller(ctx);
  for (let from = 0; from < FOLLOWERS; from += AT_ONCE)
    await ctx.db.run(
      sql`WITH RECURSIVE n(i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.min(from + AT_ONCE, FOLLOWERS)})
        INSERT INTO follows (follower_id, creator_id, created_at) SELECT printf('%032d', i), ${creator.id}, 1 FROM n`,
    );
  const post = composition(ctx, creator.id);
  await publishComposition(ctx, { ...post, at: null });
  const outboxId = `post:${post.postId}:published`;
  const notified = async () =>
    await ctx.db.all<{ notified: number; progress: string | null; handled: number | null }>(
      sql`SELECT (SELECT COUNT(*) FROM notifications WHERE kind = 'post.published') AS notified, progress, handled_at AS handled FROM outbox WHERE id = ${outboxId}`,
    );
  const fanOut: NotificationsResult["fanOut"] = { coreto: [], bare: [] };
  const sizes: number[] = [];
  for (let before = 0; ;) {
    const took = await timed(() => deliverOutboxMessage(ctx, { outboxId }));
    const [state] = await notified();
    const size = (state?.notified ?? 0) - before;
    before = state?.notified ?? 0;
    if (size === AUDIENCE_PAGE_SIZE) {
      sizes.push(size);
      fanOut.coreto.push(took / size);
      fanOut.bare.push((await timed(() => testEnv.DB.batch(barePage(ctx)))) / size);
    }
    if (state?.handled !== null) break;
  }
  expect((await notified())[0]?.notified).toBe(FOLLOWERS);
  return { fanOut, pages: { first: sizes[0] ?? 0, last: sizes.at(-1) ?? 0 } };
}

/** The same rows as a page's, one insert each, in one batch. */
function barePage(ctx: Context): D1PreparedStatement[] {
  const { DB } = testEnv;
  return Array.from({ length: AUDIENCE_PAGE_SIZE }, () => ctx.newId()).map((id, index) =>
    DB.prepare(
      "INSERT INTO notifications (id, person_id, kind, body, path, source_key, created_at, section) VALUES (?1, ?2, 'bare', 'Ana publicou “Ensaio”.', '/post/x', ?1, ?3, 'posts')",
    ).bind(`${id}-${index}`, `bare-${index}`, ctx.now()),
  );
}

/** The rows that the list and the unread count of a person read who has so many notifications. */
async function readBy(ctx: Context, count: number): Promise<NotificationsResult["few"]> {
  const { id: personId } = await createPerson(ctx, "Bia");
  for (let from = 0; from < count; from += AT_ONCE)
    await ctx.db.run(
      sql`WITH RECURSIVE n(i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.min(from + AT_ONCE, count)})
        INSERT INTO notifications (id, person_id, kind, body, path, source_key, read_at, created_at, section)
        SELECT ${personId} || printf('%08d', i), ${personId}, 'k', 'Ana comentou.', '/me', ${personId} || ':' || i, CASE WHEN i > ${count - UNREAD} THEN NULL ELSE 1 END, i, 'people' FROM n`,
    );
  const rowsOf = async (read: (on: Context) => Promise<unknown>): Promise<number> => {
    const tap = recordDatabase(testEnv.DB);
    await read({ ...ctx, db: openDatabase(tap.database) });
    return tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
  };
  return {
    notifications: count,
    listed: await rowsOf((on) =>
      memberNotifications(on, { personId, cursor: null, limit: LISTED }),
    ),
    unread: await rowsOf((on) => unreadCount(on, { personId })),
  };
}
