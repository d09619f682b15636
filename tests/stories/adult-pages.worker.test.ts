import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { markPageAdult, unmarkPageAdult } from "#app/domain/age/commands.server.ts";
import { AdultSpacesOff, PageNotMarked } from "#app/domain/age/errors.ts";
import { collectionFor, collectionsStatement } from "#app/domain/collections/queries.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { commentsOf } from "#app/domain/comments/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { upcomingEventsOfStatement } from "#app/domain/events/queries.server.ts";
import { upcomingEvents } from "#app/domain/events/queries/lists.server.ts";
import { storeImage } from "#app/domain/media/commands.server.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { audiencePage, memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { homeFeed, newFeedPostsCount } from "#app/domain/posts/queries/feed.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { postFor, postsPage, spacePosts } from "#app/domain/posts/queries.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { pictureWrites } from "#app/domain/profiles/commands/appearance.server.ts";
import {
  creatorsByUsername,
  creatorsToFollow,
  profileByUsername,
  profileFor,
} from "#app/domain/profiles/queries.server.ts";
import { creators } from "#app/domain/profiles/queries/creators.server.ts";
import {
  purchasablePlan,
  purchasableSingle,
} from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import { tipTarget } from "#app/domain/purchases/tips/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { PlanNotForSale } from "#app/domain/subscriptions/errors.ts";
import { privateFeed, publicFeed } from "#app/domain/syndication/queries/feeds.server.ts";
import { sitemapEntries, allSitemapFiles } from "#app/domain/syndication/queries/sitemap.server.ts";
import { activeSeat } from "#app/domain/teams/queries.server.ts";
import { commit } from "#app/db/client.server.ts";
import { events } from "#drizzle/schema/events.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { adultSeller, passAgeCheck } from "#tests/support/age.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { explore, newestExplored } from "#tests/support/discovery.ts";
import { pngImage } from "#tests/support/images.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

let world: World;
let off: Context;
let ana: Seller;
let made: { collectionId: string; postIds: string[]; soldId: string; avatarId: string };
let unchecked: TestPerson;
let adult: TestPerson;

const WORD = "Xilindró";

beforeAll(async () => {
  world = await testContext({ adultSpaces: true });
  off = { ...world.ctx, settings: { ...world.ctx.settings, adultSpaces: false }, ageCheck: null };
  const { ctx } = world;
  ana = await createSeller(ctx);
  const { collectionId, postIds } = await collectionOf(ctx, ana, [`${WORD} um`, `${WORD} dois`]);
  const { postId: soldId } = await soldPost(ctx, ana);
  const { mediaId: avatarId } = await storeImage(ctx, {
    ownerId: ana.id,
    purpose: "avatar",
    bytes: await pngImage(400, 400),
    alt: "",
    field: "avatar",
  });
  await commit(ctx.db, pictureWrites(ctx, { personId: ana.id, mediaId: avatarId }));
  await ctx.db.insert(events).values({
    id: ctx.newId(),
    creatorId: ana.id,
    title: "Sarau",
    place: "Recife",
    startsAt: ctx.now() + 1_000_000_000,
    endsAt: ctx.now() + 1_010_000_000,
    status: "published",
    createdAt: ctx.now(),
  });
  made = { collectionId, postIds, soldId, avatarId };
  unchecked = await fanOf("Bruno");
  adult = await fanOf("Carla");
  await addComment(ctx, {
    postId: postIds[0] ?? "",
    authorId: adult.id,
    authorName: adult.name,
    body: "Que beleza",
    parentId: undefined,
  });
  await world.drain();
  await markPageAdult(ctx, { personId: ana.id });
  await passAgeCheck(ctx, adult);
});

async function fanOf(name: string): Promise<TestPerson> {
  const fan = await createPerson(world.ctx, name);
  await paidSubscription(world, fan, ana);
  await follow(world.ctx, { followerId: fan.id, creatorId: ana.id });
  return fan;
}

/**
 * Lists the places where a viewer finds the page: everywhere a page, its posts, its files or its
 * plans are shown.
 */
async function placesOf(ctx: Context, viewerId: string | null): Promise<string[]> {
  const [postId = ""] = made.postIds;
  const listing = { viewerId, cursor: null, limit: 200 };
  const asked: Record<string, unknown> = {
    profile: ((await profileFor(ctx, { key: ana.username, viewerId }))?.bio ?? "") !== "",
    post: await postFor(ctx, { postId, viewerId }),
    posts: (await spacePosts(ctx, { ...listing, authorKey: ana.username })).items.length > 0,
    everyPost: (await postsPage(ctx, { viewerId, page: 1, limit: 100 })).items.some(
      ({ author }) => author.id === ana.id,
    ),
    comments: (await commentsOf(ctx, { ...listing, postId })).items.length > 0,
    collection: await collectionFor(ctx, { ...listing, collectionId: made.collectionId }),
    collections:
      (await collectionsStatement(ctx, { creatorKey: ana.username, viewerId, limit: 9 })).length >
      0,
    avatar: await mediaFor(ctx, { viewerId, mediaId: made.avatarId, variant: "320" }),
    events:
      (await upcomingEventsOfStatement(ctx, { creatorKey: ana.username, viewerId, limit: 9 }))
        .length > 0,
    creators: (await creators(ctx, listing)).items.some(({ id }) => id === ana.id),
    ...(viewerId === null ? await publicPlaces(ctx) : await memberPlaces(ctx, viewerId)),
  };
  return Object.keys(asked).filter((place) => Boolean(asked[place]));
}

async function publicPlaces(ctx: Context): Promise<Record<string, unknown>> {
  const files = await allSitemapFiles(ctx);
  const paths = (await Promise.all(files.map((file) => sitemapEntries(ctx, file)))).flatMap(
    (entries) => (entries ?? []).map(({ path }) => path),
  );
  return {
    picture: await profileByUsername(ctx, { username: ana.username }),
    feed: await publicFeed(ctx, { username: ana.username }),
    sitemap: paths.some((path) => path.includes(`/${ana.username}/`)),
    likeNamed: (await creatorsByUsername(ctx, { username: ana.username, limit: 500 })).some(
      ({ id }) => id === ana.id,
    ),
  };
}

async function memberPlaces(ctx: Context, viewerId: string): Promise<Record<string, unknown>> {
  const viewer = { id: viewerId };
  const found = await explore(ctx, viewer, { q: WORD });
  const named = await explore(ctx, viewer, { q: ana.username });
  const [told] = (
    await memberNotifications(ctx, { personId: viewerId, cursor: null, limit: 100 })
  ).items.filter(({ path }) => path.startsWith(`/post/${made.postIds[0]}`));
  return {
    homeFeed: (await homeFeed(ctx, { viewerId, cursor: null, limit: 50 })).items.some(
      ({ author }) => author.id === ana.id,
    ),
    news: (await newFeedPostsCount(ctx, { viewerId, since: "1_0" })) > 0,
    privateFeed: await privateFeed(ctx, { feedId: "x", personId: viewerId, creatorId: ana.id }),
    search: found.posts.items.length > 0,
    searchByName: named.people.items.some(({ id }) => id === ana.id),
    square: (await newestExplored({ ctx }, viewer)).items.some(
      ({ author }) => author.id === ana.id,
    ),
    toFollow: (await creatorsToFollow(ctx, { viewerId, limit: 500 })).some(
      ({ id }) => id === ana.id,
    ),
    eventsNear:
      (await upcomingEvents(ctx, { personId: viewerId, scope: "mine", cursor: null, limit: 9 }))
        .items.length > 0,
    plan: await purchasablePlan(ctx, { memberId: viewerId, planId: ana.planId, interval: null }),
    sold: await purchasableSingle(ctx, { memberId: viewerId, kind: "post", targetId: made.soldId }),
    tip: await tipTarget(ctx, { key: ana.username, memberId: viewerId }),
    told: told?.body.includes(WORD),
  };
}

const SEEN_BY_ADULT = [
  "profile",
  "post",
  "posts",
  "everyPost",
  "comments",
  "collection",
  "collections",
  "avatar",
  "events",
  "creators",
  "homeFeed",
  "news",
  "privateFeed",
  "search",
  "searchByName",
  "square",
  "eventsNear",
  "plan",
  "sold",
  "tip",
  "told",
];

describe("a page for adults", () => {
  test("shows a visitor nothing, anywhere", async () => {
    expect(await placesOf(world.ctx, null)).toEqual([]);
  });

  test("shows nothing to a subscriber without an age check, and everything to one with it", async () => {
    const { ctx } = world;
    for (const { id } of [unchecked, adult])
      await ctx.db.insert(notifications).values(notification(ctx, id));
    expect(await placesOf(ctx, unchecked.id)).toEqual([]);
    expect(await placesOf(ctx, adult.id)).toEqual(SEEN_BY_ADULT);
  });

  test("shows only its name and the notice", async () => {
    const seen = await profileFor(world.ctx, { key: ana.username, viewerId: unchecked.id });
    expect(seen).toMatchObject({
      name: ana.name,
      username: ana.username,
      isAgeClosed: true,
      bio: "",
      city: "",
      craft: "",
      avatarMediaId: null,
      bannerMediaId: null,
      links: [],
      postsCount: 0,
    });
  });

  test("sells nothing to a member without an age check, by any command", async () => {
    const asking = await createPerson(world.ctx, "Dora");
    const checkout = {
      memberId: asking.id,
      memberName: asking.name,
      planPriceId: ana.priceId,
      method: "pix" as const,
      cardToken: null,
    };
    await expect(startSubscription(world.ctx, checkout)).rejects.toBeInstanceOf(PlanNotForSale);
    await passAgeCheck(world.ctx, asking);
    expect((await startSubscription(world.ctx, checkout)).status).toBe("awaiting_payment");
  });

  test("notifies only members with an age check of new posts", async () => {
    const { personIds } = await audiencePage(world.ctx, {
      postId: made.postIds[0] ?? "",
      after: "",
      limit: 100,
    });
    expect(personIds).toContain(adult.id);
    expect(personIds).not.toContain(unchecked.id);
  });

  test("notifies no member without an age check of a reply", async () => {
    const { ctx } = world;
    const { postId } = await publishPost(ctx, {
      authorId: ana.id,
      title: "Antes",
      content: "Texto",
      teaser: "",
      audience: "public",
      planIds: [],
      image: null,
    });
    const before = { postId, authorId: ana.id, authorName: ana.name, body: "Oi" };
    await unmarkPageAdult(ctx, { personId: ana.id });
    const asked = await Promise.all(
      [unchecked, adult].map((fan) =>
        addComment(ctx, { ...before, authorId: fan.id, authorName: fan.name, parentId: undefined }),
      ),
    );
    await markPageAdult(ctx, { personId: ana.id });
    for (const { commentId } of asked) await addComment(ctx, { ...before, parentId: commentId });
    const told = (await ctx.db.select({ payload: outbox.payload }).from(outbox)).map(
      ({ payload }) => payload as OutboxMessage,
    );
    expect(
      told.flatMap((message) =>
        message.type === "comment.replied" && message.postId === postId ? [message.personId] : [],
      ),
    ).toEqual([adult.id]);
    await deletePost(ctx, { authorId: ana.id, postId });
  });

  test("is visible to its owner and to moderators, and its files are never public", async () => {
    const { ctx } = world;
    for (const viewerId of [ana.id, (await createModerator(ctx)).id])
      expect(
        (await postFor(ctx, { postId: made.postIds[0] ?? "", viewerId }))?.access.visible,
      ).toBe(true);
    expect(
      await mediaFor(ctx, { viewerId: adult.id, mediaId: made.avatarId, variant: "320" }),
    ).toMatchObject({ isPublic: false });
  });

  test("can be managed by team members after their age check", async () => {
    const theirs = await createTeamFor(world.ctx, await adultSeller(world.ctx));
    const mate = await createTeammate(world.ctx, theirs);
    const seat = () => activeSeat(world.ctx, { teamId: theirs.teamId, personId: mate.id });
    expect(await seat()).toBeNull();
    await passAgeCheck(world.ctx, mate);
    expect(await seat()).not.toBeNull();
    expect(await activeSeat(off, { teamId: theirs.teamId, personId: mate.id })).toBeNull();
  });

  test("is visible only to its owner while adult spaces are disabled, and is complete when they are enabled again", async () => {
    expect(await placesOf(off, null)).toEqual([]);
    expect(await placesOf(off, adult.id)).toEqual([]);
    expect(await profileFor(off, { key: ana.username, viewerId: adult.id })).toBeNull();
    expect(await profileFor(off, { key: ana.username, viewerId: ana.id })).toMatchObject({
      bio: "Rabeca.",
      isForAdults: true,
      isAgeClosed: false,
    });
    expect(
      (await spacePosts(off, { authorKey: ana.username, viewerId: ana.id, cursor: null, limit: 9 }))
        .items,
    ).toHaveLength(3);
    expect(await placesOf(world.ctx, adult.id)).toEqual(SEEN_BY_ADULT);
  });
});

describe("marking a page as for adults", () => {
  test("needs documents that prove 18 years, is logged, and can be undone", async () => {
    const { ctx } = world;
    const eva = await createSeller(ctx, { approved: false });
    await markPageAdult(ctx, { personId: eva.id });
    await markPageAdult(ctx, { personId: eva.id });
    expect(await isAdult(eva.id)).toBe(true);
    await unmarkPageAdult(ctx, { personId: eva.id });
    await unmarkPageAdult(ctx, { personId: eva.id });
    expect(await isAdult(eva.id)).toBe(false);
    expect(
      world.logged.filter(({ fields }) => fields.personId === eva.id).map(({ event }) => event),
    ).toEqual(expect.arrayContaining(["age.page_marked", "age.page_unmarked"]));
    await rejectDocuments(ctx, {
      moderatorId: (await createModerator(ctx)).id,
      personId: eva.id,
      code: "unreadable",
    });
    await expect(markPageAdult(ctx, { personId: eva.id })).rejects.toBeInstanceOf(PageNotMarked);
  });

  test("is refused while adult spaces are disabled and without a page; unmarking is not", async () => {
    const eva = await adultSeller(world.ctx);
    await unmarkPageAdult(off, { personId: eva.id });
    expect(await isAdult(eva.id)).toBe(false);
    await expect(markPageAdult(off, { personId: eva.id })).rejects.toBeInstanceOf(AdultSpacesOff);
    await expect(markPageAdult(world.ctx, { personId: unchecked.id })).rejects.toBeInstanceOf(
      AdultSpacesOff,
    );
  });
});

async function isAdult(personId: string): Promise<boolean> {
  const [row] = await world.ctx.db
    .select({ isAdult: profiles.isAdult })
    .from(profiles)
    .where(eq(profiles.personId, personId));
  return row?.isAdult ?? false;
}

/** A notification as it was sent while the page was public. */
function notification(ctx: Context, personId: string) {
  const id = ctx.newId();
  return {
    id,
    personId,
    kind: "post.published",
    body: `Ana Lira publicou ${WORD} um.`,
    path: `/post/${made.postIds[0]}`,
    sourceKey: id,
    createdAt: ctx.now(),
  };
}
