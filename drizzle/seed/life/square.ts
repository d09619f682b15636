import { and, eq, gt } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { likePost } from "#app/domain/posts/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { postLikes } from "#drizzle/schema/posts.ts";
import { follows } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { anyComments, commentsByCreator, replies } from "#drizzle/seed/town/comments.ts";
import { creators } from "#drizzle/seed/town/creators.ts";
import { announceNextEvent } from "./gathering.ts";
import type { Townsperson } from "./people.ts";
import type { Studio } from "./studio.ts";
import { personOf, soonBetween, studioOf, unlessRefused } from "./town.ts";
import type { PublishedPost, SeededWorld } from "./town.ts";
import type { Joined } from "./wishes.ts";

/** D1 takes at most 100 values a statement. */
const LIKES_AT_ONCE = 30;
const BRUNO_FOLLOWS = ["tiao", "cida", "jaci", "rua8", "lia"];

/** Everyone finds a few people to follow; Ana is the best known. Bruno has not found her yet. */
export function planFollows(world: SeededWorld, fans: readonly Joined[], openAt: number): void {
  const random = randomFrom("follows");
  const usernames = creators.map(({ username }) => username);
  const plan = (follower: string, followed: string, from: number): void =>
    world.calendar.at(
      soonBetween(random, Math.max(from, openAt) + HOUR_MS, world.endAt),
      async () => {
        await follow(world.rehearsal.ctx, {
          followerId: personOf(world, follower).id,
          creatorId: studioOf(world, followed).person.id,
        });
      },
    );
  for (const fan of fans) {
    const others = random.shuffled(usernames.filter((username) => username !== "ana"));
    const chosen =
      fan.username === "bruno"
        ? BRUNO_FOLLOWS
        : [...others.slice(0, random.int(3, 8)), ...(random.chance(0.85) ? ["ana"] : [])];
    for (const username of chosen) plan(fan.username, username, fan.at);
  }
  for (const follower of usernames) {
    for (const followed of random
      .shuffled(usernames.filter((username) => username !== follower))
      .slice(0, 4))
      plan(follower, followed, openAt);
  }
}

/**
 * Who is likely to see a post: everyone, those who follow, or those who subscribe. The commands
 * have the last word.
 */
async function readersOf(world: SeededWorld, post: PublishedPost): Promise<Townsperson[]> {
  const { ctx } = world.rehearsal;
  const creatorId = post.studio.person.id;
  const everyone = [...world.people.values()].filter(({ id }) => id !== creatorId);
  if (post.opening === "public") return everyone;
  const rows =
    post.opening === "followers"
      ? await ctx.db
          .select({ id: follows.followerId })
          .from(follows)
          .where(eq(follows.creatorId, creatorId))
      : await ctx.db
          .select({ id: subscriptions.fanId })
          .from(subscriptions)
          .where(
            and(eq(subscriptions.creatorId, creatorId), gt(subscriptions.accessUntil, ctx.now())),
          );
  const ids = new Set(rows.map(({ id }) => id));
  return everyone.filter(({ id }) => ids.has(id));
}

/** Likes come in the days after a post; those whom it is locked for do not get to. */
export function planLikes(world: SeededWorld, post: PublishedPost): void {
  const random = randomFrom(`likes ${post.title}`);
  const wanted = Math.round(
    (post.studio.creator.username === "ana" ? 27 : 14) * random.between(0.5, 1.4),
  );
  const lookAt = Math.min(post.at + random.between(0.5, 3) * DAY_MS, world.endAt - MINUTE_MS);
  world.calendar.at(lookAt, async () => {
    const { ctx } = world.rehearsal;
    const fans = random.shuffled(await readersOf(world, post)).slice(0, wanted);
    if (post.opening !== "public") {
      for (const { id } of fans)
        await unlessRefused(likePost(ctx, { postId: post.postId, personId: id }));
      return;
    }
    // What is open to all needs no asking; the counter is the trigger's business.
    const values = fans.map(({ id }) => ({
      postId: post.postId,
      personId: id,
      createdAt: Math.floor(soonBetween(random, post.at + MINUTE_MS, ctx.now())),
    }));
    for (let from = 0; from < values.length; from += LIKES_AT_ONCE)
      await commit(ctx.db, [
        ctx.db
          .insert(postLikes)
          .values(values.slice(from, from + LIKES_AT_ONCE))
          .onConflictDoNothing(),
      ]);
  });
}

/**
 * Says at most one line of each creator's list per post, and something common now and then; the
 * author answers some.
 */
export function planComments(world: SeededWorld, post: PublishedPost): void {
  const random = randomFrom(`comments ${post.title}`);
  const own = commentsByCreator[post.studio.creator.username] ?? [];
  const index = post.studio.creator.posts.findIndex(({ title }) => title === post.title);
  const lines = [
    index < own.length ? own[index] : undefined,
    random.chance(0.7) ? random.pick(anyComments) : undefined,
  ];
  for (const body of lines) {
    if (body)
      world.calendar.at(
        soonBetween(random, post.at + 20 * MINUTE_MS, Math.min(post.at + 4 * DAY_MS, world.endAt)),
        () => comment(world, post, body),
      );
  }
}

async function comment(world: SeededWorld, post: PublishedPost, body: string): Promise<void> {
  const { ctx } = world.rehearsal;
  const random = randomFrom(`says ${body} ${post.title}`);
  const { person: author } = post.studio;
  for (const speaker of random.shuffled(await readersOf(world, post)).slice(0, 3)) {
    if (
      !(await unlessRefused(
        addComment(ctx, {
          postId: post.postId,
          authorId: speaker.id,
          authorName: speaker.name,
          body,
        }),
      ))
    )
      continue;
    const [firstName = speaker.name] = speaker.name.split(" ");
    if (random.chance(0.35)) {
      world.calendar.at(ctx.now() + random.between(0.3, 9) * HOUR_MS, async () => {
        await unlessRefused(
          addComment(ctx, {
            postId: post.postId,
            authorId: author.id,
            authorName: author.name,
            body: random.pick(replies).replace("{nome}", firstName),
          }),
        );
      });
    }
    return;
  }
}

/** Each creator's shelves, with what is published, and what comes next. */
export async function arrange(
  ctx: Context,
  studio: Studio,
  published: readonly PublishedPost[],
): Promise<void> {
  const own = published.filter((post) => post.studio === studio);
  const { person, creator } = studio;
  for (const {
    title,
    description,
    size,
    match,
    priceCents = null,
  } of creator.collections.toReversed()) {
    const matching = match ? own.filter((post) => match.test(post.title)) : own;
    const chosen = matching.length > 0 ? matching.slice(0, size) : own.slice(0, size);
    const collectionId = ctx.newId();
    await commit(ctx.db, [
      ctx.db.insert(collections).values({
        id: collectionId,
        creatorId: person.id,
        title,
        description,
        priceCents,
        createdAt: ctx.now(),
      }),
      ...chosen.map((post, position) =>
        ctx.db.insert(collectionPosts).values({ collectionId, postId: post.postId, position }),
      ),
    ]);
  }
  await announceNextEvent(ctx, { creatorId: person.id, event: creator.event });
}
