import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { linkUrl, MEDIA_LINK_LIFETIME_MS } from "#app/domain/media/rules/links.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { attachMediaStatements } from "#app/domain/posts/commands/attach-media.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import type { PostAudience } from "#app/domain/posts/schema.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { mp4, pdf } from "#tests/support/media-files.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  requestAs,
  startedUpload,
  completedUpload,
  sendPart,
  sendUploadOk,
} from "#tests/support/uploads.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { organizationMembers } from "#drizzle/schema/teams.ts";
import { eq } from "drizzle-orm";

const counted = countedDatabase(testEnv.DB);
let world: World;
let ctx: Context;
let ana: Seller;
let fan: TestPerson;
let stranger: TestPerson;
const SIZE = 64_000;
const video = mp4({ payload: Uint8Array.from({ length: SIZE }, (_, index) => index % 251) });

beforeAll(async () => {
  world = await testContext({ database: () => counted.database });
  ctx = world.ctx;
  ana = await createSeller(ctx);
  fan = await createPerson(ctx, "Bruno");
  stranger = await createPerson(ctx, "Curioso");
  await paidSubscription(world, fan, ana);
});

async function postWith(items: MediaItem[], audience: PostAudience): Promise<string> {
  const { postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Ensaio",
    content: "Inteiro.",
    teaser: "",
    audience,
    planIds: [ana.planId],
    image: null,
  });
  await commit(
    ctx.db,
    await attachMediaStatements(ctx, {
      postId,
      ownerId: ana.id,
      media: items.map(({ id }) => ({ mediaId: id, alt: "A rabeca" })),
    }),
  );
  return postId;
}

async function lockedVideo(): Promise<MediaItem> {
  const item = await sendUploadOk(ctx, ana, video, { filename: "ensaio.mp4" });
  await postWith([item], "subscribers");
  return item;
}

const ask = (
  viewer: TestPerson | null,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) => requestAs(ctx, viewer, path, { method, headers, isCreator: false });
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
const headersOf = (answer: Response) => Object.fromEntries(answer.headers);

describe("video of a subscribers-only post", () => {
  test("is served whole and in ranges to its subscriber, and 404 to others", async () => {
    const path = mediaUrl((await lockedVideo()).id, "original");
    const whole = await ask(fan, path);
    expect([whole.status, headersOf(whole)]).toEqual([
      200,
      expect.objectContaining({
        "content-type": "video/mp4",
        "content-length": String(video.byteLength),
        "accept-ranges": "bytes",
        "cache-control": "private, no-cache",
        vary: "Cookie",
      }),
    ]);
    expect(await bytesOf(whole)).toEqual(video);
    for (const viewer of [null, stranger]) {
      const ways: Record<string, string>[] = [
        {},
        { Range: "bytes=0-9" },
        { Range: "bytes=-1" },
        { "If-None-Match": "*" },
        { Range: "bytes=999999999-" },
      ];
      for (const headers of ways) expect((await ask(viewer, path, headers)).status).toBe(404);
    }
  });

  test.each([
    ["bytes=0-99", 0, 99],
    ["bytes=100-", 100, null],
    ["bytes=-50", -50, null],
  ])("%s returns that range", async (range, first, last) => {
    const item = await lockedVideo();
    const answer = await ask(fan, mediaUrl(item.id, "original"), { Range: range });
    const start = first < 0 ? video.byteLength + first : first;
    const end = last ?? video.byteLength - 1;
    expect([
      answer.status,
      answer.headers.get("Content-Range"),
      answer.headers.get("Content-Length"),
    ]).toEqual([206, `bytes ${start}-${end}/${video.byteLength}`, String(end - start + 1)]);
    expect(await bytesOf(answer)).toEqual(video.slice(start, end + 1));
  });

  test("an invalid range answers 416 with the file's size", async () => {
    const path = mediaUrl((await lockedVideo()).id, "original");
    for (const range of [`bytes=${video.byteLength}-`, "bytes=9-1", "bytes=x"]) {
      const answer = await ask(fan, path, { Range: range });
      expect([answer.status, answer.headers.get("Content-Range"), await answer.text()]).toEqual([
        416,
        `bytes */${video.byteLength}`,
        "",
      ]);
    }
  });

  test("an outdated If-Range returns the whole file, and a known ETag returns 304", async () => {
    const path = mediaUrl((await lockedVideo()).id, "original");
    const etag = (await ask(fan, path)).headers.get("ETag") ?? "";
    expect((await ask(fan, path, { Range: "bytes=0-9", "If-Range": etag })).status).toBe(206);
    expect((await ask(fan, path, { Range: "bytes=0-9", "If-Range": '"older"' })).status).toBe(200);
    expect((await ask(fan, path, { "If-None-Match": etag })).status).toBe(304);
    const head = await ask(fan, path, {}, "HEAD");
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([
      200,
      String(video.byteLength),
      "",
    ]);
  });

  test("a thousand ranges take one query each, and add up to the file", async () => {
    const path = mediaUrl((await lockedVideo()).id, "original");
    const step = Math.ceil(video.byteLength / 1_000);
    const kept = new Uint8Array(video.byteLength);
    counted.reset();
    let asked = 0;
    for (let at = 0; at < video.byteLength; at += step) {
      kept.set(await bytesOf(await ask(fan, path, { Range: `bytes=${at}-${at + step - 1}` })), at);
      asked += 1;
    }
    expect(asked).toBeGreaterThanOrEqual(980);
    expect(counted.count()).toBe(asked);
    expect(kept).toEqual(video);
  });

  test("a signed link opens it without cookies, for its person, file and lifetime only", async () => {
    const { id } = await lockedVideo();
    const signed = async (
      personId: string,
      livesMs = MEDIA_LINK_LIFETIME_MS,
      variant: "original" | "poster" = "original",
    ) => {
      const link = { mediaId: id, variant, personId, expiresAt: ctx.now() + livesMs };
      return linkUrl(link, await ctx.mediaLinks.sign(link));
    };
    const url = await signed(fan.id);
    const open = await ask(null, url, { Range: "bytes=0-9" });
    expect([open.status, open.headers.get("Cache-Control")]).toEqual([206, "private, no-cache"]);
    const other = await lockedVideo();
    const attempts = [
      await signed(stranger.id),
      await signed(fan.id, -1),
      await signed(fan.id, MEDIA_LINK_LIFETIME_MS * 2),
      (await signed(fan.id, MEDIA_LINK_LIFETIME_MS, "poster")).replace("/poster", "/original"),
      url.replace(`for=${fan.id}`, `for=${ana.id}`),
      url.replace(/until=(\d+)/, (_, until: string) => `until=${Number(until) - 1}`),
      url.replace(id, other.id),
      url.replace(/signature=.*/, "signature=%00"),
      url.replace(/signature=.*/, "signature="),
      url.replace(/signature=./, "signature=_"),
    ];
    for (const attempt of attempts.slice(0, -1))
      expect([attempt, (await ask(null, attempt)).status]).toEqual([attempt, 404]);
    // The link names its person, so another signed-in member is refused.
    expect((await ask(stranger, url)).status).toBe(404);
    await world.advance(MEDIA_LINK_LIFETIME_MS + 1);
    expect((await ask(null, url)).status).toBe(404);
  });
});

describe("media of a locked post", () => {
  test("a video shows only the thumbnail of its poster, and nothing without a poster", async () => {
    const upload = await startedUpload(ctx, ana, video, { filename: "segredo.mp4" });
    await requestAs(ctx, ana, `/resources/uploads/${upload.id}/poster`, {
      method: "PUT",
      body: await pngImage(1_600, 900),
    });
    await sendPart(ctx, ana, upload, 1, video);
    const item: MediaItem = await (await completedUpload(ctx, ana, upload)).json();
    const bare = await lockedVideo();
    const postId = await postWith([item], "subscribers");
    const statuses = async (id: string) =>
      await Promise.all(
        (["face", "poster", "original", "640", "captions"] as const).map(
          async (variant) => (await ask(null, mediaUrl(id, variant))).status,
        ),
      );
    expect(await statuses(item.id)).toEqual([200, 404, 404, 404, 404]);
    expect(await statuses(bare.id)).toEqual([404, 404, 404, 404, 404]);
    const post = await postFor(ctx, { postId, viewerId: stranger.id });
    expect(JSON.stringify(post)).not.toMatch(/segredo|rabeca/);
    expect(post?.media[0]).toMatchObject({ id: item.id, kind: "video", hasPoster: true });
  });
});

test("media of no post or of a draft is served to its owner and current team members only", async () => {
  const made = await createTeamFor(ctx, ana);
  const mate = await createTeammate(ctx, made);
  const fresh = await sendUploadOk(ctx, ana, pdf(), { filename: "partitura.pdf" });
  const drafted = await sendUploadOk(ctx, ana, video, { filename: "ensaio.mp4" });
  const postId = await postWith([drafted], "public");
  await ctx.db.update(posts).set({ state: "draft" }).where(eq(posts.id, postId));
  const statuses = async (viewer: TestPerson | null) =>
    await Promise.all(
      [fresh, drafted].map(async ({ id }) => (await ask(viewer, mediaUrl(id, "original"))).status),
    );
  for (const [viewer, expected] of [
    [ana, 200],
    [mate, 200],
    [stranger, 404],
    [fan, 404],
    [null, 404],
  ] as const)
    expect([viewer?.name, await statuses(viewer)]).toEqual([viewer?.name, [expected, expected]]);
  expect((await ask(mate, mediaUrl(fresh.id, "original"))).headers.get("Cache-Control")).toBe(
    "private, no-cache",
  );
  await ctx.db
    .update(organizationMembers)
    .set({ removedAt: ctx.now() })
    .where(eq(organizationMembers.personId, mate.id));
  expect(await statuses(mate)).toEqual([404, 404]);
});

describe("response headers of files", () => {
  test("a PDF is downloaded under its own name and never opened inline", async () => {
    const item = await sendUploadOk(ctx, ana, pdf(), { filename: 'Música "nova".pdf' });
    await postWith([item], "public");
    const answer = await ask(null, mediaUrl(item.id, "original"));
    expect(headersOf(answer)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="arquivo.pdf"; filename*=UTF-8''M%C3%BAsica%20%22nova%22.pdf`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, s-maxage=300, immutable",
    });
  });

  test("captions are served beside their video, replaced at once, and removed with it", async () => {
    const item = await sendUploadOk(ctx, ana, video, { filename: "aula.mp4" });
    await postWith([item], "public");
    const put = (text: string, owner: TestPerson = ana) =>
      requestAs(ctx, owner, `/resources/media/${item.id}/captions`, { method: "PUT", body: text });
    const cue = (words: string) => `WEBVTT\n\n00:00.000 --> 00:02.000\n${words}\n`;
    expect((await put(cue("olá"), stranger)).status).toBe(404);
    const refused = await put("1\n00:00:01,000 --> 00:00:02,000\nisto é SRT");
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: "As legendas precisam ser um arquivo VTT, que começa com WEBVTT." },
    ]);
    expect((await put(cue("olá"))).status).toBe(204);
    const first = await ask(null, mediaUrl(item.id, "captions"));
    expect([
      first.headers.get("Content-Type"),
      first.headers.get("Cache-Control"),
      await first.text(),
    ]).toEqual(["text/vtt; charset=utf-8", "public, no-cache", cue("olá")]);
    expect((await put(cue("oi"))).status).toBe(204);
    const second = await ask(null, mediaUrl(item.id, "captions"), {
      "If-None-Match": first.headers.get("ETag") ?? "",
    });
    expect([second.status, await second.text()]).toEqual([200, cue("oi")]);
    expect(
      (await requestAs(ctx, ana, `/resources/media/${item.id}/captions`, { method: "DELETE" }))
        .status,
    ).toBe(204);
    expect((await ask(null, mediaUrl(item.id, "captions"))).status).toBe(404);
    expect((await testEnv.MEDIA.list({ prefix: `media/${item.id}/captions` })).objects).toEqual([]);
  });
});
