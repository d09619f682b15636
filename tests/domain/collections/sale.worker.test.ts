import { beforeAll, describe, expect, test } from "vitest";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { placesFromRows, placesStatement } from "#app/domain/collections/queries/place.server.ts";
import type { Context } from "#app/domain/context.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { documentsOfPerson, canSellSql } from "#app/domain/documents/queries.server.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { openSpace } from "#app/domain/profiles/commands.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { purchasableSingle } from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { sql } from "drizzle-orm";
import * as collection from "#app/routes/space/collection.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([{ path: "collection/:id", module: collection }]);
/** Returns the reason why the collection is not for sale, as its page shows it to the caller. */
const notificationsFor = async (caller: ActingCaller, collectionId: string) =>
  (await routes.read<{ stopped: string | null }>(caller, `/collection/${collectionId}`)).stopped;

let ctx: Context;
let bruno: TestPerson;
beforeAll(async () => {
  ctx = (await testContext()).ctx;
  bruno = await createPerson(ctx, "Bruno");
});

/** A creator without documents, and a priced collection of theirs with one locked post. */
async function unready() {
  const creator = await createPerson(ctx, "Nina");
  await openSpace(ctx, {
    personId: creator.id,
    name: creator.name,
    bio: "",
    city: "",
    craft: "",
    avatarMediaId: null,
    bannerMediaId: null,
  });
  const { collectionId, postIds } = await collectionOf(ctx, creator, ["Só para quem paga"], {
    audience: "subscribers",
    priceCents: 4_000,
  });
  return { creator, collectionId, postId: postIds[0] ?? "" };
}

async function offered({
  collectionId,
  postId,
  at = ctx.now(),
}: {
  collectionId: string;
  postId: string;
  at?: number;
}) {
  const then = { ...ctx, now: () => at };
  const page = await collectionFor(then, {
    collectionId,
    viewerId: bruno.id,
    cursor: null,
    limit: 5,
  });
  const post = await postFor(then, { postId, viewerId: bruno.id });
  const [place] = placesFromRows(
    await placesStatement(then, { postId, viewerId: bruno.id, collectionId: null }),
    null,
  ).places;
  return {
    price: page?.collection.priceCents,
    besidePost: place?.priceCents,
    ways:
      post?.access.visible === false
        ? [post.access.cheapestUnlock, ...post.access.otherUnlocks].map((way) => way?.kind)
        : null,
    obstacle: (
      await purchasableSingle(then, {
        memberId: bruno.id,
        kind: "collection",
        targetId: collectionId,
      })
    )?.obstacle,
  };
}

const NOT_SOLD = { price: null, besidePost: null, ways: [undefined], obstacle: "not_sold" };
const SOLD = { price: 4_000, besidePost: 4_000, ways: ["collection"], obstacle: null };

describe("a price is shown only while it can be paid", () => {
  test("is hidden before documents are sent, after 14 days without a decision, and after a rejection", async () => {
    const { creator, ...sale } = await unready();
    expect(await offered(sale)).toEqual(NOT_SOLD);
    expect(await notificationsFor({ person: creator, isCreator: true }, sale.collectionId)).toBe(
      "documents_missing",
    );
    await submitSellerDetails(ctx, {
      personId: creator.id,
      fullName: "Nina Lima",
      cpf: generateCpf(),
      birthDate: "1990-01-31",
      pixKey: { kind: "email", key: creator.email },
    });
    expect(await offered(sale)).toEqual(SOLD);
    expect(
      await notificationsFor({ person: creator, isCreator: true }, sale.collectionId),
    ).toBeNull();
    expect(await offered({ ...sale, at: ctx.now() + 15 * DAY_MS })).toEqual(NOT_SOLD);
    await rejectDocuments(ctx, {
      moderatorId: (await createModerator(ctx)).id,
      personId: creator.id,
      code: "unreadable",
    });
    expect(await offered(sale)).toEqual(NOT_SOLD);
    expect(await notificationsFor({ person: creator, isCreator: true }, sale.collectionId)).toBe(
      "documents_rejected",
    );
    expect(await notificationsFor({ person: bruno }, sale.collectionId)).toBeNull();
  });

  test("is hidden for an empty collection", async () => {
    const ana = await createSeller(ctx);
    const { collectionId } = await collectionOf(ctx, ana, [], { priceCents: 4_000 });
    expect(
      (await collectionFor(ctx, { collectionId, viewerId: bruno.id, cursor: null, limit: 5 }))
        ?.collection.priceCents,
    ).toBeNull();
    expect(await notificationsFor({ person: ana, isCreator: true }, collectionId)).toBe("empty");
  });

  test("follows the document deadline to the hour", async () => {
    const ana = await createSeller(ctx, { approved: false });
    const documents = await documentsOfPerson(ctx, { personId: ana.id });
    const submittedAt = documents?.submittedAt ?? 0;
    for (const at of [
      0,
      DAY_MS,
      14 * DAY_MS - 1,
      14 * DAY_MS,
      14 * DAY_MS + 1,
      14 * DAY_MS + HOUR_MS,
    ].map((after) => submittedAt + after)) {
      const { sells } = await ctx.db.get<{ sells: number }>(
        sql`SELECT ${canSellSql(sql`${ana.id}`, at)} AS sells`,
      );
      expect([at - submittedAt, sells === 1]).toEqual([at - submittedAt, canSell(documents, at)]);
    }
  });
});
