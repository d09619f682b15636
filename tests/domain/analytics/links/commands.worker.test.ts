import { beforeEach, expect, test } from "vitest";
import { zonedDay } from "#app/domain/analytics/days/rules.ts";
import { archiveLink, createLink } from "#app/domain/analytics/links/commands.server.ts";
import { LinkNotFound, LinkSlugTaken, TooManyLinks } from "#app/domain/analytics/links/errors.ts";
import { countedLinks, isLinkActive } from "#app/domain/analytics/links/queries.server.ts";
import { moneyParts } from "#app/domain/analytics/money/queries.server.ts";
import { visitSources } from "#app/domain/analytics/people/queries.server.ts";
import { rollUpDay } from "#app/domain/analytics/rollups/commands.server.ts";
import { recordVisit } from "#app/domain/analytics/views/commands.server.ts";
import { NO_PART, unfilteredStatement } from "#app/domain/billing/schema.ts";
import { billingStatementTotals } from "#app/domain/billing/statements/queries/statement.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS, dayNumberOf, TIME_ZONE } from "#app/domain/time.ts";
import { analyticsLinks, creatorLinks } from "#drizzle/schema/analytics.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
});

const make = (slug: string, creatorId = ana.id) =>
  createLink(world.ctx, { creatorId, name: slug.toUpperCase(), slug });

const range = () => {
  const today = dayNumberOf(world.ctx.now());
  return { from: today - 60, until: today, name: "own" as const, before: null };
};

const linksNow = () => countedLinks(world.ctx, { creatorId: ana.id, range: range() });

async function subscribeBy(link: string | null, name: string) {
  const fan = await createPerson(world.ctx, name);
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
    link,
  });
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  return fan;
}

const visitBy = (link: string, ip = "203.0.113.7") =>
  recordVisit(world.ctx, {
    creatorId: ana.id,
    postId: null,
    kind: "view",
    ip,
    country: "BR",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    referrer: "",
    url: `https://coreto.com.br/space/ana/public?l=${link}`,
    isOptedOut: false,
    hasRefused: false,
    isAhead: false,
  });

test("a link counts who visited, followed and subscribed by it, and its money", async () => {
  const { ctx } = world;
  await make("insta");
  await visitBy("insta");
  await visitBy("insta", "203.0.113.8");
  await rollUpDay(ctx, { timeZone: TIME_ZONE, day: zonedDay(TIME_ZONE, ctx.now()) });
  const bia = await createPerson(ctx, "Bia");
  await follow(ctx, { followerId: bia.id, creatorId: ana.id, link: "insta" });
  await follow(ctx, { followerId: bia.id, creatorId: ana.id, link: "insta" });
  await subscribeBy("insta", "Caio");
  await subscribeBy(null, "Davi");
  const [invitation, insta] = await linksNow();
  expect(invitation).toMatchObject({ slug: "convite", visitors: 0, follows: 0, starts: 0 });
  expect(insta).toMatchObject({ slug: "insta", visitors: 2, views: 2, follows: 1, starts: 1 });
  const { byLink } = await moneyParts(ctx, { creatorId: ana.id, range: range() });
  expect(byLink.map(({ value, count }) => [value, count]).toSorted()).toEqual([
    ["", 1],
    ["insta", 1],
  ]);
  expect(insta?.netCents).toBe(byLink.find(({ value }) => value === "insta")?.netCents);
  for (const { value, netCents } of byLink) {
    const filter = { ...unfilteredStatement, link: value || NO_PART };
    const asked = { personId: ana.id, face: "received" as const, filter };
    expect((await billingStatementTotals(ctx, asked)).netCents).toBe(netCents);
  }
});

test("the mark of no link, of another's and of an archived one is stored with nobody", async () => {
  const { ctx } = world;
  const outra = await createSeller(ctx);
  await make("dela", outra.id);
  await make("velho");
  await archiveLink(ctx, { creatorId: ana.id, slug: "velho", isArchived: true });
  for (const [at, link] of ["inventado", "dela", "velho"].entries()) {
    const fan = await subscribeBy(link, `Fã ${at}`);
    await follow(ctx, { followerId: fan.id, creatorId: ana.id, link });
  }
  expect(await ctx.db.$count(analyticsLinks)).toBe(0);
  const { byLink } = await moneyParts(ctx, { creatorId: ana.id, range: range() });
  expect(byLink).toMatchObject([{ value: "", count: 3 }]);
});

test("the invitation counts without having been made", async () => {
  const { ctx } = world;
  const bia = await createPerson(ctx, "Bia");
  await follow(ctx, { followerId: bia.id, creatorId: ana.id, link: "convite" });
  expect((await linksNow())[0]).toMatchObject({ slug: "convite", follows: 1 });
  expect(await isLinkActive(ctx, { creatorId: ana.id, slug: "convite" })).toBe(true);
});

test("visits by made-up marks are no source of the page", async () => {
  await make("insta");
  await visitBy("insta");
  await visitBy("inventado");
  await visitBy("convite");
  await rollUpDay(world.ctx, { timeZone: TIME_ZONE, day: zonedDay(TIME_ZONE, world.ctx.now()) });
  const sources = await visitSources(world.ctx, { creatorId: ana.id, range: range() });
  const links = sources.filter(({ dimension }) => dimension === "link");
  expect(links.map(({ value }) => value).toSorted()).toEqual(["INSTA", "convite"]);
});

test("a slug is unique among a creator's links, archived ones included", async () => {
  await make("insta");
  await archiveLink(world.ctx, { creatorId: ana.id, slug: "insta", isArchived: true });
  await expect(make("insta")).rejects.toThrow(LinkSlugTaken);
  await make("insta", (await createSeller(world.ctx)).id);
});

test("fifty links are active at most, and an archived one is taken back only below that", async () => {
  for (let at = 0; at < 50; at += 1) await make(`l${at}`);
  await expect(make("mais")).rejects.toThrow(TooManyLinks);
  await archiveLink(world.ctx, { creatorId: ana.id, slug: "l0", isArchived: true });
  await make("mais");
  const back = archiveLink(world.ctx, { creatorId: ana.id, slug: "l0", isArchived: false });
  await expect(back).rejects.toThrow(TooManyLinks);
  expect(await world.ctx.db.$count(creatorLinks)).toBe(51);
});

test("an archived link comes last, keeps what it counted, and counts again when taken back", async () => {
  const { ctx } = world;
  await make("a");
  await subscribeBy("a", "Bia");
  await archiveLink(ctx, { creatorId: ana.id, slug: "a", isArchived: true });
  await world.advance(DAY_MS);
  await make("b");
  expect((await linksNow()).map(({ slug, starts }) => [slug, starts])).toEqual([
    ["convite", 0],
    ["b", 0],
    ["a", 1],
  ]);
  await archiveLink(ctx, { creatorId: ana.id, slug: "a", isArchived: false });
  await subscribeBy("a", "Caio");
  expect((await linksNow()).find(({ slug }) => slug === "a")?.starts).toBe(2);
});

test("nobody archives another's link, nor the invitation", async () => {
  const outra = await createSeller(world.ctx);
  await make("insta");
  const refused = (creatorId: string, slug: string) =>
    expect(archiveLink(world.ctx, { creatorId, slug, isArchived: true })).rejects.toThrow(
      LinkNotFound,
    );
  await refused(outra.id, "insta");
  await refused(ana.id, "convite");
});
