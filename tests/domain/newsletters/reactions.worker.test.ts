import { eq, like, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import {
  latestNewsletterTotals,
  TOTALS_FROM,
} from "#app/domain/newsletters/queries/figures.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  countClick,
  countOpening,
  forgetOpenings,
  eraseNewsletterOf,
  forgetReaders,
} from "#app/domain/newsletters/commands/reactions.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import * as click from "#app/routes/resources/newsletters/click.ts";
import * as opening from "#app/routes/resources/newsletters/opening.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import {
  newsletterDays,
  newsletterReaders,
  newsletterTotals,
} from "#drizzle/schema/newsletters.ts";
import { createRouteCaller } from "#tests/support/call-route.ts";
import { composition } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const LINK = "https://exemplo.com.br/ingressos?a=1&b=2";
const ask = createRouteCaller([
  { path: "mail/opening/:postId/:personId/:signature", module: opening },
  { path: "mail/click/:postId/:personId/:signature", module: click },
]);
const get = async (
  url: string,
  { agent = BROWSER, ...init }: RequestInit & { agent?: string } = {},
) => await ask(new Request(url, { ...init, headers: { "User-Agent": agent, ...init.headers } }));

let world: World;
let ctx: Context;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
});

/** Publishes a post by email to so many followers. */
async function sent(count = 1): Promise<{ postId: string; readers: TestPerson[] }> {
  const readers: TestPerson[] = [];
  for (let index = 0; index < count; index += 1) {
    const reader = await createPerson(ctx);
    await follow(ctx, { followerId: reader.id, creatorId: ana.id });
    readers.push(reader);
  }
  const post = composition(ctx, ana.id, { mailTo: "readers", content: `[Ingressos](${LINK})` });
  await publishComposition(ctx, { ...post, at: null });
  await world.drain();
  return { postId: post.postId, readers };
}
/** As stored: the creator sees the last two from ten emails on. */
const figures = async (postId: string) => {
  const [row] = await ctx.db
    .select()
    .from(newsletterTotals)
    .where(eq(newsletterTotals.postId, postId));
  await expectDaysToSumTo(postId, row);
  return row && [row.sentCount, row.openedCount, row.clickedCount];
};
/** The counts of a post's days are those of the whole, and go with it. */
async function expectDaysToSumTo(
  postId: string,
  row: typeof newsletterTotals.$inferSelect | undefined,
): Promise<void> {
  const days = await ctx.db.select().from(newsletterDays).where(eq(newsletterDays.postId, postId));
  for (const name of ["sentCount", "openedCount", "clickedCount"] as const)
    expect(days.reduce((sum, day) => sum + day[name], 0)).toBe(row?.[name] ?? 0);
}
async function mailOf(postId: string) {
  const [mail] = await ctx.db
    .select()
    .from(localMails)
    .where(like(localMails.sourceKey, `newsletter:${postId}:%`));
  const hrefs = [...(mail?.html ?? "").matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = ""]) =>
    url.replaceAll("&amp;", "&"),
  );
  return {
    html: mail?.html ?? "",
    text: mail?.body ?? "",
    pixel: hrefs.find((url) => url.includes("/mail/opening/")),
    link: hrefs.find((url) => url.includes("exemplo.com.br")) ?? "",
    button: hrefs.find((url) => url.includes("/mail/click/") && !url.includes("exemplo")) ?? "",
  };
}

describe("the creator sees of a post's email", () => {
  test("how many were sent, opened and clicked, each person once", async () => {
    const { postId, readers } = await sent(3);
    expect(await figures(postId)).toEqual([3, 0, 0]);
    const [bia, caio] = [readers[0]?.id ?? "", readers[1]?.id ?? ""];
    for (const personId of [bia, bia, caio]) await countOpening(ctx, { postId, personId });
    for (const personId of [bia, bia]) await countClick(ctx, { postId, personId });
    expect(await figures(postId)).toEqual([3, 2, 1]);
  });

  test("a click as an opening too, where no image was loaded", async () => {
    const { postId, readers } = await sent();
    await countClick(ctx, { postId, personId: readers[0]?.id ?? "" });
    expect(await figures(postId)).toEqual([1, 1, 1]);
  });

  test("nothing that happens thirty days later, and by then nobody is remembered", async () => {
    const { postId, readers } = await sent(2);
    const [bia = "", caio = ""] = readers.map(({ id }) => id);
    await countOpening(ctx, { postId, personId: bia });
    const late: Context = { ...ctx, now: () => ctx.now() + 31 * DAY_MS };
    await forgetReaders(late);
    await countClick(late, { postId, personId: bia });
    await countOpening(late, { postId, personId: caio });
    expect(await figures(postId)).toEqual([2, 1, 0]);
    expect(await ctx.db.$count(newsletterReaders, eq(newsletterReaders.postId, postId))).toBe(0);
  });

  test("nobody of a crowd either, after as many runs as it takes", async () => {
    const many = 2_500;
    const ids = JSON.stringify(Array.from({ length: many }, () => ctx.newId()));
    await ctx.db.run(
      sql`INSERT INTO newsletter_readers (post_id, person_id, is_clicked, counted_on) SELECT 'crowd', value, 0, CAST(${ctx.now()} AS INTEGER) FROM json_each(${ids})`,
    );
    const late: Context = { ...ctx, now: () => ctx.now() + 31 * DAY_MS };
    const left: number[] = [];
    do {
      await forgetReaders(late);
      left.push(await ctx.db.$count(newsletterReaders, eq(newsletterReaders.postId, "crowd")));
    } while ((left.at(-1) ?? 0) > 0 && left.length < 5);
    expect(left).toEqual([1_500, 500, 0]);
  });

  test("nothing of another's post, nor of one that is erased", async () => {
    const { postId, readers } = await sent();
    await countOpening(ctx, { postId, personId: readers[0]?.id ?? "" });
    const other = await createSeller(ctx);
    const newsletters = await latestNewsletterTotals(ctx, { creatorId: other.id });
    expect(newsletters).toEqual([]);
    expect(await eraseNewsletterOf(ctx, { postId, limit: 10 })).toBe(2);
    expect(await figures(postId)).toBe(undefined);
  });
});

describe("a total", () => {
  test("is shown from ten emails on: over fewer it would say who opened", async () => {
    const { postId, readers } = await sent();
    await countClick(ctx, { postId, personId: readers[0]?.id ?? "" });
    const shown = async () => (await latestNewsletterTotals(ctx, { creatorId: ana.id }))[0];
    const few = { postId, sentCount: 1, openedCount: null, clickedCount: null };
    expect(await shown()).toMatchObject(few);
    await ctx.db.update(newsletterTotals).set({ sentCount: TOTALS_FROM });
    expect(await shown()).toMatchObject({ sentCount: 10, openedCount: 1, clickedCount: 1 });
  });

  test("counts nobody twice on the last day, whatever the hour of the email", async () => {
    world = await testContext({ startsAt: "2026-11-11T18:00:00Z" });
    ctx = world.ctx;
    ana = await createSeller(ctx);
    const { postId, readers } = await sent();
    const personId = readers[0]?.id ?? "";
    await countOpening(ctx, { postId, personId });
    // 00:01 in São Paulo, thirty days later.
    const last = Date.parse("2026-12-11T03:01:00Z");
    const late: Context = { ...ctx, now: () => last };
    await forgetReaders(late);
    await countOpening(late, { postId, personId });
    expect(await figures(postId)).toEqual([1, 1, 0]);
  });

  test("loses who refuses, and never gets back who refused or is erased", async () => {
    const { postId, readers } = await sent(2);
    const [bia = "", caio = ""] = readers.map(({ id }) => id);
    await countOpening(ctx, { postId, personId: bia });
    const refusal = { on: [], shown: [], digest: "never", areOpeningsCounted: false } as const;
    await chooseNotifications(ctx, { personId: bia, ...refusal });
    await forgetOpenings(ctx, { personId: bia });
    expect(await figures(postId)).toEqual([2, 0, 0]);
    await countOpening(ctx, { postId, personId: bia });
    await ctx.db.update(people).set({ deletedAt: 1 }).where(eq(people.id, caio));
    await countClick(ctx, { postId, personId: caio });
    expect(await figures(postId)).toEqual([2, 0, 0]);
    expect(await ctx.db.$count(newsletterReaders, eq(newsletterReaders.postId, postId))).toBe(0);
  });
});

test("a count that fails breaks neither the link nor the image", async () => {
  const { postId } = await sent();
  const { link, pixel = "" } = await mailOf(postId);
  await ctx.db.run(sql`ALTER TABLE newsletter_totals RENAME TO newsletter_totals_away`);
  try {
    expect((await get(link)).headers.get("Location")).toBe(LINK);
    expect((await get(pixel)).headers.get("Content-Type")).toBe("image/gif");
  } finally {
    await ctx.db.run(sql`ALTER TABLE newsletter_totals_away RENAME TO newsletter_totals`);
  }
});

describe("the image in the email", () => {
  test("counts an opening, and is stored nowhere", async () => {
    const { postId } = await sent();
    const { pixel = "" } = await mailOf(postId);
    const answer = await get(pixel);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/gif"]);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await figures(postId)).toEqual([1, 1, 0]);
  });

  test("is not there for who refused it, who counts by a click alone", async () => {
    const bia = await createPerson(ctx);
    await follow(ctx, { followerId: bia.id, creatorId: ana.id });
    await chooseNotifications(ctx, {
      personId: bia.id,
      on: [],
      shown: [],
      digest: "never",
      areOpeningsCounted: false,
    });
    const post = composition(ctx, ana.id, { mailTo: "readers", content: `[Ingressos](${LINK})` });
    await publishComposition(ctx, { ...post, at: null });
    await world.drain();
    const mail = await mailOf(post.postId);
    expect(mail.html).toContain("Ingressos");
    expect(mail.html).not.toMatch(/mail\/opening|imagem invisível/);
    expect((await get(mail.link)).status).toBe(302);
    expect(await figures(post.postId)).toEqual([1, 1, 1]);
  });

  test("is said in words beside a way to refuse it, and only in the HTML part", async () => {
    const { postId } = await sent();
    const { html, text } = await mailOf(postId);
    expect(html).toContain("Uma imagem invisível conta que este e-mail foi aberto.");
    expect(html).toContain("/settings/notifications#openings");
    expect(text).not.toContain("/mail/opening/");
    expect(text).toContain("/mail/click/");
  });

  test.each([
    ["Apple's prefetch", { agent: "Mozilla/5.0" }],
    ["a scanner", { agent: "Barracuda Sentinel (EE)" }],
    ["no program", { agent: "" }],
    ["a prefetch", { headers: { "Sec-Purpose": "prefetch" } }],
    ["HEAD", { method: "HEAD" }],
  ])("does not count %s", async (_, request) => {
    const { postId } = await sent();
    const { pixel = "" } = await mailOf(postId);
    expect((await get(pixel, request)).status).toBe(200);
    expect(await figures(postId)).toEqual([1, 0, 0]);
  });

  test("counts through Gmail's proxy, and not with a forged signature", async () => {
    const { postId } = await sent();
    const { pixel = "" } = await mailOf(postId);
    const forged = pixel.replace(/[^/]+$/, (signature) => `x${signature.slice(1)}`);
    expect((await get(forged === pixel ? `${pixel}x` : forged)).status).toBe(200);
    expect(await figures(postId)).toEqual([1, 0, 0]);
    await get(pixel, { agent: "Mozilla/5.0 (via ggpht.com GoogleImageProxy)" });
    expect(await figures(postId)).toEqual([1, 1, 0]);
  });
});

describe("a link in the email", () => {
  test("counts and leads on, telling the other site nothing", async () => {
    const { postId } = await sent();
    const { link, button } = await mailOf(postId);
    const answer = await get(link);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, LINK]);
    expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(await figures(postId)).toEqual([1, 1, 1]);
    expect((await get(button)).headers.get("Location")).toBe(
      `${ctx.settings.appOrigin}/post/${postId}`,
    );
  });

  test("leads nowhere but where we wrote: with another target it leads to the post", async () => {
    const { postId } = await sent();
    const url = new URL((await mailOf(postId)).link);
    for (const to of ["https://evil.example/", `${LINK}x`, "", "/post/x"]) {
      url.searchParams.set("to", to);
      const answer = await get(url.href);
      expect(answer.headers.get("Location")).toBe(`${ctx.settings.appOrigin}/post/${postId}`);
    }
    expect(await figures(postId)).toEqual([1, 0, 0]);
  });

  test("leads to the post's page once the post is taken down", async () => {
    const { postId } = await sent();
    const { link } = await mailOf(postId);
    await unpublishPost(ctx, { postId, authorId: ana.id });
    expect((await get(link)).headers.get("Location")).toBe(
      `${ctx.settings.appOrigin}/post/${postId}`,
    );
  });

  test("does not count a scanner that follows it", async () => {
    const { postId } = await sent();
    const { link } = await mailOf(postId);
    expect((await get(link, { agent: "curl/8" })).status).toBe(302);
    expect(await figures(postId)).toEqual([1, 0, 0]);
  });
});
