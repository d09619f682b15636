import { and, eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { canList } from "#app/domain/access/rules.ts";
import { listableTo, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { decideAccess } from "#app/domain/access/rules.ts";
import { postStatement } from "#app/domain/posts/queries.server.ts";
import { ageChecks } from "#drizzle/schema/age.ts";
import { people } from "#drizzle/schema/identity.ts";
import { media } from "#drizzle/schema/media.ts";
import { collectionPosts } from "#drizzle/schema/collections.ts";
import { postAccessRules, postMedia, posts } from "#drizzle/schema/posts.ts";
import { blocks, follows, profiles } from "#drizzle/schema/profiles.ts";
import { purchasePosts } from "#drizzle/schema/purchases.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";
import { insertPurchaseRows } from "#tests/support/purchase-rows.ts";
import { testContext } from "#tests/support/context.ts";

const states = [
  "incomplete",
  "upcoming",
  "trialing",
  "active",
  "requires_action",
  "past_due",
  "paused",
  "canceled",
  "expired",
] as const;
const SOON_MS = 1_000;
/** Before, exactly at and after the current time. */
const moment = fc.constantFrom(-SOON_MS, 0, SOON_MS);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: null, freq: 2 });
const plan = fc.constantFrom("plan-a", "plan-b");

const scenario = fc.record({
  state: fc.constantFrom(
    "published" as const,
    "published" as const,
    "published" as const,
    "draft" as const,
  ),
  publishedIn: fc.oneof({ weight: 4, arbitrary: fc.constant(-SOON_MS) }, maybe(moment)),
  held: fc.nat({ max: 4 }).map((n) => n === 0),
  deleted: fc.nat({ max: 5 }).map((n) => n === 0),
  banned: fc.nat({ max: 5 }).map((n) => n === 0),
  leaving: fc.nat({ max: 3 }).map((n) => n === 0),
  rules: fc.array(
    fc.record({
      kind: fc.constantFrom("public", "followers", "subscribers", "plan", "price"),
      plan,
      opensIn: maybe(moment),
    }),
    { maxLength: 3 },
  ),
  viewer: fc.constantFrom(
    "visitor",
    "member",
    "member",
    "member",
    "author",
    "moderator",
    "team",
    "team",
    "former_team",
    "deleted_team",
  ),
  adult: fc.nat({ max: 2 }).map((n) => n === 0),
  checked: fc.boolean(),
  adultSpaces: fc.boolean(),
  follows: fc.boolean(),
  subscription: maybe(
    fc.record({ status: fc.constantFrom(...states), plan, accessIn: maybe(moment) }),
  ),
  bought: maybe(
    fc.record({
      as: fc.constantFrom("post", "collection", "former_collection", "other_collection"),
      isPaid: fc.boolean(),
      isOver: fc.boolean(),
    }),
  ),
  block: fc.constantFrom(null, null, null, "by_author", "by_viewer"),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

let base: Context;
beforeAll(async () => {
  const { ctx: made } = await testContext();
  const now = made.now();
  // The whole run has one fixed time, so that "exactly now" is the same in code and SQL.
  base = { ...made, now: () => now };
});

test("the access rules in code and in SQL agree on posts and media", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (drawn) => {
      const ctx = { ...base, settings: { ...base.settings, adultSpaces: drawn.adultSpaces } };
      const { postId, viewerId, mediaId } = await given(ctx, drawn);
      const now = ctx.now();
      const [rows, visible, listable] = await ctx.db.batch([
        postStatement(ctx, { postId, viewerId }),
        ctx.db
          .select({ id: posts.id })
          .from(posts)
          .where(and(eq(posts.id, postId), visibleTo(viewerId, now, drawn.adultSpaces))),
        ctx.db
          .select({ id: posts.id })
          .from(posts)
          .where(and(eq(posts.id, postId), listableTo(viewerId, now, drawn.adultSpaces))),
      ]);
      const [row] = rows;
      const access = row ? decideAccess(row, { ...row, viewerId }, now) : null;
      expect(visible.length === 1).toBe(access?.visible ?? false);
      expect(listable.length === 1).toBe(access !== null && canList(access));
      expect((await mediaFor(ctx, { viewerId, mediaId, variant: "640" })) !== null).toBe(
        access?.visible ?? false,
      );
      expect((await mediaFor(ctx, { viewerId, mediaId, variant: "face" })) !== null).toBe(
        access !== null && canList(access),
      );
    }),
    { numRuns: 250 },
  );
});

async function given(
  ctx: Context,
  drawn: Scenario,
): Promise<{ postId: string; viewerId: string | null; mediaId: string }> {
  const now = ctx.now();
  const [postId, authorId, otherId, mediaId] = [ctx.newId(), ctx.newId(), ctx.newId(), ctx.newId()];
  const viewerId =
    drawn.viewer === "visitor" ? null : drawn.viewer === "author" ? authorId : otherId;
  const writes: DbStatement[] = [
    ctx.db.insert(people).values({
      ...personRow(ctx, authorId, drawn.banned ? now : null),
      leavingAt: drawn.leaving ? now : null,
    }),
    ctx.db
      .insert(people)
      .values({ ...personRow(ctx, otherId, null), isModerator: drawn.viewer === "moderator" }),
    ctx.db.insert(profiles).values({
      personId: authorId,
      username: authorId,
      name: "Ana",
      isAdult: drawn.adult,
      createdAt: now,
    }),
    ctx.db.insert(posts).values({
      id: postId,
      authorId,
      title: "T",
      content: "C",
      state: drawn.state,
      publishedAt: at(ctx, drawn.publishedIn),
      heldAt: drawn.held ? now : null,
      deletedAt: drawn.deleted ? now : null,
      createdAt: now,
      updatedAt: now,
    }),
    ctx.db.insert(media).values({
      id: mediaId,
      ownerId: authorId,
      purpose: "post",
      contentType: "image/webp",
      sizeBytes: 1,
      width: 1,
      height: 1,
      createdAt: now,
    }),
    ctx.db.insert(postMedia).values({ postId, mediaId, position: 0 }),
    ...drawn.rules.map(({ kind, plan: planId, opensIn }) =>
      ctx.db.insert(postAccessRules).values({
        id: ctx.newId(),
        postId,
        kind: kind as "public",
        planId: kind === "plan" ? `${planId}-${authorId}` : null,
        amountCents: kind === "price" ? 500 : null,
        opensAt: at(ctx, opensIn),
      }),
    ),
  ];
  if (viewerId !== null) writes.push(...viewerRows(ctx, drawn, { postId, authorId, viewerId }));
  await commit(ctx.db, writes);
  return { postId, viewerId, mediaId };
}

function viewerRows(
  ctx: Context,
  drawn: Scenario,
  { postId, authorId, viewerId }: { postId: string; authorId: string; viewerId: string },
): DbStatement[] {
  const now = ctx.now();
  const rows: DbStatement[] = [];
  if (drawn.viewer.endsWith("team"))
    rows.push(...teamRows(ctx, drawn.viewer, { authorId, viewerId }));
  if (drawn.checked && viewerId !== authorId) rows.push(...checkedRows(ctx, viewerId));
  if (drawn.follows)
    rows.push(
      ctx.db.insert(follows).values({ followerId: viewerId, creatorId: authorId, createdAt: now }),
    );
  if (drawn.bought) rows.push(...purchaseRows(ctx, drawn.bought, { postId, authorId, viewerId }));
  if (drawn.block === "by_author")
    rows.push(
      ctx.db.insert(blocks).values({ blockerId: authorId, blockedId: viewerId, createdAt: now }),
    );
  if (drawn.block === "by_viewer")
    rows.push(
      ctx.db.insert(blocks).values({ blockerId: viewerId, blockedId: authorId, createdAt: now }),
    );
  if (drawn.subscription) {
    rows.push(
      ctx.db.insert(subscriptions).values({
        id: ctx.newId(),
        fanId: viewerId,
        creatorId: authorId,
        planId: `${drawn.subscription.plan}-${authorId}`,
        planPriceId: "p",
        interval: "monthly",
        amountCents: 1_990,
        method: "pix",
        status: drawn.subscription.status,
        accessUntil: at(ctx, drawn.subscription.accessIn),
        createdAt: now,
        updatedAt: now,
      }),
    );
  }
  return rows;
}

/** Saves a started and answered age check, and its result on the person. */
function checkedRows(ctx: Context, personId: string): DbStatement[] {
  const now = ctx.now();
  return [
    ctx.db.insert(ageChecks).values({
      personId,
      id: ctx.newId(),
      provider: "test",
      begunAt: now,
      expiresAt: now + SOON_MS,
    }),
    ctx.db
      .update(ageChecks)
      .set({ answer: "yes", answeredAt: now })
      .where(eq(ageChecks.personId, personId)),
    ctx.db.update(people).set({ ageCheckedAt: now }).where(eq(people.id, personId)),
  ];
}

/**
 * The paid object: the post alone, a collection that has it, one that had it at the purchase, or
 * one that never had it.
 */
function purchaseRows(
  ctx: Context,
  { as, isPaid, isOver }: NonNullable<Scenario["bought"]>,
  { postId, authorId, viewerId }: { postId: string; authorId: string; viewerId: string },
): DbStatement[] {
  const collectionId = ctx.newId();
  const { purchaseId, rows } = insertPurchaseRows(ctx, {
    personId: viewerId,
    creatorId: authorId,
    kind: as === "post" ? "post" : "collection",
    targetId: as === "post" ? postId : collectionId,
    isPaid,
    isOver,
  });
  if (as === "collection")
    rows.push(ctx.db.insert(collectionPosts).values({ collectionId, postId, position: 0 }));
  if (as === "former_collection" && isPaid)
    rows.push(ctx.db.insert(purchasePosts).values({ purchaseId, postId, personId: viewerId }));
  return rows;
}

/** A member of a deleted team. No command creates this, but the condition must handle it. */
function teamRows(
  ctx: Context,
  kind: Scenario["viewer"],
  { authorId, viewerId }: { authorId: string; viewerId: string },
): DbStatement[] {
  const now = ctx.now();
  const id = ctx.newId();
  const seat = {
    organizationId: id,
    personId: viewerId,
    role: "guest_member",
    joinedAt: now,
    removedAt: kind === "former_team" ? now : null,
  } as const;
  return [
    ctx.db
      .insert(organizations)
      .values({ id, ownerId: authorId, name: "Equipe", slug: id, createdAt: now, updatedAt: now }),
    ctx.db.insert(organizationMembers).values(seat),
    ...(kind === "deleted_team"
      ? [ctx.db.update(organizations).set({ deletedAt: now }).where(eq(organizations.id, id))]
      : []),
  ];
}

function personRow(ctx: Context, id: string, bannedAt: number | null) {
  return {
    id,
    provider: "test",
    providerUserId: id,
    email: `${id}@exemplo.test`,
    bannedAt,
    createdAt: ctx.now(),
  };
}

function at(ctx: Context, inMs: number | null): number | null {
  return inMs === null ? null : ctx.now() + inMs;
}
