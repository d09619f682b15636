import { XMLValidator } from "fast-xml-parser";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { attachMediaStatements } from "#app/domain/posts/commands/attach-media.server.ts";
import type { PostAudience } from "#app/domain/posts/schema.ts";
import {
  erasePrivateFeedsStatement,
  issuePrivateFeed,
  revokePrivateFeed,
} from "#app/domain/syndication/commands/private-feeds.server.ts";
import { NotASubscriber, TooManyFeeds } from "#app/domain/syndication/errors.ts";
import { privateFeedSubscriptions } from "#app/domain/syndication/queries/feeds.server.ts";
import { mintFeedToken } from "#app/http/public-pages/feeds.server.ts";
import * as privateFeed from "#app/routes/resources/syndication/private-feed.ts";
import * as privateFile from "#app/routes/resources/syndication/private-file.ts";
import { postAccessRules } from "#drizzle/schema/posts.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { privateFeeds } from "#drizzle/schema/syndication.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { mp3 } from "#tests/support/media-files.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { sendUploadOk } from "#tests/support/uploads.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ask = createRouteCaller([
  { path: "feed/:token/:file", module: privateFeed },
  { path: "feed/files/:feedId/:mediaId/:variant/:signature/:name", module: privateFile },
]);
const get = (path: string, headers: Record<string, string> = {}) =>
  ask(new Request(new URL(path, TEST_ORIGIN), { headers }));

let world: World;
let ana: Seller;
let fan: TestPerson;
let mediaId: string;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await published("Aberta", "public");
  const inside = await published("De quem assina", "subscribers");
  const { id } = await sendUploadOk(world.ctx, ana, mp3(), { filename: "ensaio.mp3" });
  mediaId = id;
  await commit(
    world.ctx.db,
    await attachMediaStatements(world.ctx, {
      postId: inside,
      ownerId: ana.id,
      media: [{ mediaId, alt: "O ensaio" }],
    }),
  );
});

beforeEach(async () => {
  fan = await createPerson(world.ctx, "Bruno");
  await paidSubscription(world, fan, ana);
});

async function published(title: string, audience: PostAudience): Promise<string> {
  return (
    await publishPost(world.ctx, {
      authorId: ana.id,
      title,
      content: `Texto de ${title}`,
      teaser: `Chamada de ${title}`,
      audience,
      planIds: [],
      image: null,
    })
  ).postId;
}

async function issued(personId = fan.id): Promise<string> {
  const { token, tokenHash } = await mintFeedToken();
  await issuePrivateFeed(world.ctx, { personId, username: ana.username, tokenHash });
  return token;
}

const statusOf = async (token: string) => (await get(`/feed/${token}/rss.xml`)).status;

function enclosureIn(rss: string): string {
  return new URL(/<enclosure url="([^"]+)"/.exec(rss)?.[1] ?? "", TEST_ORIGIN).pathname;
}

describe("private feed", () => {
  test("holds what its subscriber can read in each format, and is private", async () => {
    const token = await issued();
    const answer = await get(`/feed/${token}/rss.xml`);
    const text = await answer.text();
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).toContain("Texto de De quem assina");
    expect(text).toContain("<itunes:block>Yes</itunes:block>");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "private, no-cache",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow, noarchive",
    });
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect(await (await get(`/feed/${token}/atom.xml`)).text()).toContain(
      "Texto de De quem assina",
    );
    expect(await (await get(`/feed/${token}/feed.json`)).json()).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
    });
    expect((await get(`/feed/${token}/outro.xml`)).status).toBe(404);
  });

  test("shows only the teaser of a post of another plan", async () => {
    const { postId } = await publishPost(world.ctx, {
      authorId: ana.id,
      title: "De outro plano",
      content: "Texto fechado",
      teaser: "Chamada",
      audience: "plans",
      planIds: [ana.planId],
      image: null,
    });
    await world.ctx.db
      .update(postAccessRules)
      .set({ planId: "outro-plano" })
      .where(eq(postAccessRules.postId, postId));
    const text = await (await get(`/feed/${await issued()}/rss.xml`)).text();
    expect(text).toContain(postId);
    expect(text).not.toContain("Texto fechado");
  });

  test("answers 304 when its reader has the current version", async () => {
    const token = await issued();
    const first = await get(`/feed/${token}/rss.xml`);
    const again = await get(`/feed/${token}/rss.xml`, {
      "If-None-Match": first.headers.get("ETag") ?? "",
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("serves its audio without a session, whole and in ranges, and not to shared caches", async () => {
    const path = enclosureIn(await (await get(`/feed/${await issued()}/rss.xml`)).text());
    expect(path).toMatch(/\.mp3$/);
    const part = await get(path, { Range: "bytes=0-9" });
    expect([
      part.status,
      part.headers.get("Content-Range"),
      (await part.arrayBuffer()).byteLength,
    ]).toEqual([206, `bytes 0-9/${mp3().byteLength}`, 10]);
    expect(part.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(part.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(part.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    const forged = path.replace(/\/original\/[^/]+\//, `/original/${"A".repeat(43)}/`);
    expect((await get(forged)).status).toBe(404);
    expect((await get(path.replace("/original/", "/face/"))).status).toBe(404);
  });

  test("stores and logs only the hash of its token", async () => {
    const token = await issued();
    const rows = await world.ctx.db
      .select()
      .from(privateFeeds)
      .where(eq(privateFeeds.personId, fan.id));
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(world.logged)).not.toContain(token);
  });

  test("a new token replaces the former one, and a revoked feed serves neither posts nor files", async () => {
    const first = await issued();
    const second = await issued();
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    const file = enclosureIn(await (await get(`/feed/${second}/rss.xml`)).text());
    await revokePrivateFeed(world.ctx, { personId: fan.id, username: ana.username });
    expect([await statusOf(second), (await get(file)).status]).toEqual([404, 404]);
    expect(
      (await privateFeedSubscriptions(world.ctx, { personId: fan.id, cursor: null, limit: 5 }))
        .items,
    ).toMatchObject([{ username: ana.username, feedSince: null }]);
  });

  test("issued in parallel leaves one active token", async () => {
    await Promise.all(Array.from({ length: 5 }, () => issued()));
    const living = (
      await world.ctx.db.select().from(privateFeeds).where(eq(privateFeeds.personId, fan.id))
    ).filter(({ revokedAt }) => revokedAt === null);
    expect(living).toHaveLength(1);
  });

  test("is for subscribers only, and is issued at most twenty times a day", async () => {
    const stranger = await createPerson(world.ctx, "Curioso");
    await expect(issued(stranger.id)).rejects.toThrow(NotASubscriber);
    for (let count = 0; count < 20; count += 1) await issued();
    await expect(issued()).rejects.toThrow(TooManyFeeds);
  });

  test("answers 429 with Retry-After above the rate limit", async () => {
    const token = await issued();
    const limited = createRouteCaller([{ path: "feed/:token/:file", module: privateFeed }], {
      ...testEnv,
      FEED_LIMITER: { limit: async () => ({ success: false }) },
    });
    const answer = await limited(new Request(`${TEST_ORIGIN}/feed/${token}/rss.xml`));
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
  });

  test("limits guesses of addresses by network, before the database is read", async () => {
    const asked: string[] = [];
    const tap = recordDatabase(testEnv.DB);
    const limited = createRouteCaller([{ path: "feed/:token/:file", module: privateFeed }], {
      ...testEnv,
      DB: tap.database,
      FEED_FILE_LIMITER: {
        limit: async ({ key }: { key: string }) => ({ success: asked.push(key) < 1 }),
      },
    });
    const answer = await limited(
      new Request(`${TEST_ORIGIN}/feed/${"a".repeat(64)}/rss.xml`, {
        headers: { "CF-Connecting-IP": "203.0.113.7" },
      }),
    );
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(asked).toEqual(["feeds:203.0.113.7"]);
    expect(tap.trips).toEqual([]);
  });

  test("limits requests for its files by feed, before the database is read", async () => {
    const token = await issued();
    const file = enclosureIn(await (await get(`/feed/${token}/rss.xml`)).text());
    const keys: string[] = [];
    const limiter = (success: boolean) => ({
      limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 && success }),
    });
    const files = (success: boolean, DB = testEnv.DB) =>
      createRouteCaller(
        [{ path: "feed/files/:feedId/:mediaId/:variant/:signature/:name", module: privateFile }],
        { ...testEnv, DB, FEED_FILE_LIMITER: limiter(success) },
      );
    const tap = recordDatabase(testEnv.DB);
    const paused = await files(false, tap.database)(new Request(TEST_ORIGIN + file));
    expect([
      paused.status,
      paused.headers.get("Retry-After"),
      paused.headers.get("Cache-Control"),
      tap.trips,
    ]).toEqual([429, "60", "private, no-store", []]);
    expect((await files(true)(new Request(TEST_ORIGIN + file))).status).toBe(200);
    expect(keys).toEqual([file.split("/")[3], file.split("/")[3]]);
    expect(
      (await files(true)(new Request(TEST_ORIGIN + file.replace(/[0-9a-f]{8}\//, "00000000/"))))
        .status,
    ).toBe(404);
    expect(keys).toHaveLength(2);
  });
});

describe("a private feed ends", () => {
  /** Returns the status of the feed and of one of its files after `end`. */
  async function after(end: () => Promise<unknown>): Promise<number[]> {
    const token = await issued();
    const file = enclosureIn(await (await get(`/feed/${token}/rss.xml`)).text());
    expect((await get(file)).status).toBe(200);
    await end();
    return [await statusOf(token), (await get(file)).status];
  }
  const gone = [404, 404];

  test("with its subscription, and a new subscription does not bring it back", async () => {
    const token = await issued();
    await world.ctx.db
      .update(subscriptions)
      .set({ status: "expired" })
      .where(eq(subscriptions.fanId, fan.id));
    expect(await statusOf(token)).toBe(404);
    await paidSubscription(world, fan, ana);
    expect(await statusOf(token)).toBe(404);
    expect(await statusOf(await issued())).toBe(200);
  });

  test("when the paid access is over, whatever the subscription status", async () => {
    const overdue = () =>
      world.ctx.db
        .update(subscriptions)
        .set({ accessUntil: testClock.now() - 1 })
        .where(eq(subscriptions.fanId, fan.id));
    expect(await after(overdue)).toEqual(gone);
  });

  test("when its subscriber is banned", async () => {
    expect(
      await after(async () =>
        banPerson(world.ctx, {
          moderatorId: (await createModerator(world.ctx)).id,
          personId: fan.id,
          reason: "Golpe",
        }),
      ),
    ).toEqual(gone);
  });

  test("when its subscriber requests account deletion", async () => {
    expect(await after(() => requestDeletion(world.ctx, { personId: fan.id }))).toEqual(gone);
  });

  test("when the creator blocks the subscriber", async () => {
    expect(
      await after(() =>
        world.ctx.db
          .insert(blocks)
          .values({ blockerId: ana.id, blockedId: fan.id, createdAt: testClock.now() }),
      ),
    ).toEqual(gone);
  });

  test("with its subscriber's account, and its row is deleted", async () => {
    expect(
      await after(() =>
        commit(world.ctx.db, [erasePrivateFeedsStatement(world.ctx, { personId: fan.id })]),
      ),
    ).toEqual(gone);
    expect(
      await world.ctx.db.select().from(privateFeeds).where(eq(privateFeeds.personId, fan.id)),
    ).toEqual([]);
  });

  test("when its creator is banned", async () => {
    const other = await createSeller(world.ctx);
    await paidSubscription(world, fan, other);
    const { token, tokenHash } = await mintFeedToken();
    await issuePrivateFeed(world.ctx, { personId: fan.id, username: other.username, tokenHash });
    expect(await statusOf(token)).toBe(200);
    await banPerson(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: other.id,
      reason: "Golpe",
    });
    expect(await statusOf(token)).toBe(404);
  });
});

test.each(["", "x", "0".repeat(63), "G".repeat(64), "0".repeat(64)])(
  "a private feed with the invalid token %j answers 404",
  async (token) => {
    expect((await get(`/feed/${token || "-"}/rss.xml`)).status).toBe(404);
  },
);
