import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSpace } from "#app/domain/profiles/commands.server.ts";
import { postToEdit, storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { purchasesAndGifts } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as purchasePage from "#app/routes/settings/purchases/purchase.tsx";
import * as regret from "#app/routes/settings/purchases/purchase-withdrawal.tsx";
import * as purchasesPage from "#app/routes/settings/purchases/purchases.tsx";
import * as postCreate from "#app/routes/studio/posts/post-create.tsx";
import * as deletion from "#app/routes/studio/posts/post-deletion.tsx";
import * as draftSave from "#app/routes/studio/posts/post-draft-save.ts";
import * as postEdit from "#app/routes/studio/posts/post-edit.tsx";
import * as unpublication from "#app/routes/studio/posts/post-unpublication.tsx";
import { documents } from "#drizzle/schema/documents.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  paidPurchase,
  pendingPixPurchase,
  canSeePost,
  soldCollection,
  soldPost,
} from "#tests/support/purchases.ts";

const pages = callRoutesAs([
  { path: "post/create", module: postCreate },
  { path: "post/draft/save", module: draftSave },
  { path: "post/:id/edit", module: postEdit },
  { path: "post/:id/unpublication", module: unpublication },
  { path: "post/:id/deletion", module: deletion },
  { path: "checkout", module: checkout },
  { path: "checkout/:chargeId", module: chargePage },
  { path: "settings/purchases", module: purchasesPage },
  { path: "settings/purchases/:id", module: purchasePage },
  { path: "settings/purchases/:id/regret", module: regret },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterAll(() => expectInvariantsToHold(world.ctx));

const asAna = () => ({ person: ana, isCreator: true });
const asBruno = () => ({ person: bruno });
const newPost = (more: Record<string, string> = {}) => ({
  postId: world.ctx.newId(),
  tab: "aba-1",
  version: "0",
  title: "Ensaio",
  content: "Oito músicas.",
  ways: "price",
  price: "15,00",
  ...more,
});
const plain = (text: string | undefined) => text?.replaceAll(/\s/g, " ");

describe("price in the composer", () => {
  test.each([
    ["", "Informe o preço"],
    ["4,99", "O preço mínimo é R$ 5,00"],
    ["5.000,01", "O preço máximo é R$ 5.000,00"],
    ["quinze", "Escreva o preço assim: 19,90"],
    ["-15", "Escreva o preço assim: 19,90"],
    ["0,1 + 0,2", "Escreva o preço assim: 19,90"],
    ["9007199254740993", "Escreva o preço assim: 19,90"],
  ])(
    "%j is refused beside its field with the typed values, and nothing is written",
    async (price, said) => {
      const post = newPost({ price });
      const answer = await pages.post(asAna(), "/post/create", post);
      const problem = (await answer.json()) as FormProblem;
      expect([answer.status, plain(problem.errors["price"])]).toEqual([400, said]);
      expect(problem.values).toMatchObject({ price, content: "Oito músicas." });
      expect(await storedPost(world.ctx, { postId: post.postId })).toBeNull();
    },
  );

  test("is published, edited and removed", async () => {
    const post = newPost();
    expect((await pages.post(asAna(), "/post/create", post)).headers.get("Location")).toBe(
      `/post/${post.postId}`,
    );
    const rules = async () =>
      (await postToEdit(world.ctx, { postId: post.postId, authorId: ana.id }))?.rules.map(
        ({ kind, amountCents }) => [kind, amountCents],
      );
    expect(await rules()).toEqual([["price", 1_500]]);
    expect(
      (
        await pages.post(asAna(), `/post/${post.postId}/edit`, {
          ...post,
          version: "1",
          price: "5.000",
        })
      ).status,
    ).toBe(302);
    expect(await rules()).toEqual([["price", 500_000]]);
    expect(
      (
        await pages.post(asAna(), `/post/${post.postId}/edit`, {
          ...post,
          version: "2",
          ways: "followers",
        })
      ).status,
    ).toBe(302);
    expect(await rules()).toEqual([["followers", null]]);
  });

  test("that is incomplete does not block the draft, which stays for sale", async () => {
    const post = newPost({ price: "1" });
    expect((await pages.post(asAna(), "/post/draft/save", post)).status).toBe(200);
    expect(
      (await postToEdit(world.ctx, { postId: post.postId, authorId: ana.id }))?.rules,
    ).toMatchObject([{ kind: "price", amountCents: null }]);
  });

  test("is refused for a member who may not sell; a post sold before can still be edited", async () => {
    const { ctx } = world;
    const nilo = await createPerson(ctx, "Nilo");
    await openSpace(ctx, {
      personId: nilo.id,
      name: "Nilo",
      bio: "",
      city: "",
      craft: "",
      avatarMediaId: null,
      bannerMediaId: null,
    });
    const answer = await pages.post({ person: nilo, isCreator: true }, "/post/create", newPost());
    expect([answer.status, ((await answer.json()) as FormProblem).errors["price"]]).toEqual([
      400,
      "Antes de vender, precisamos saber quem você é. Leva um minuto.",
    ]);

    const zefa = await createSeller(ctx);
    const { postId } = await soldPost(ctx, zefa);
    await ctx.db
      .update(documents)
      .set({ status: "rejected" })
      .where(eq(documents.personId, zefa.id));
    const mended = await pages.post({ person: zefa, isCreator: true }, `/post/${postId}/edit`, {
      ...newPost({ title: "Mais certa" }),
      postId,
      version: "1",
    });
    expect(mended.status).toBe(302);
    expect(
      (await pages.post({ person: zefa, isCreator: true }, "/post/create", newPost())).status,
    ).toBe(400);
  });
});

describe("post with buyers", () => {
  test("cannot be unpublished; without its price it stays open to its buyers only", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    await paidPurchase(world, bruno, postId);
    const answer = await pages.post(asAna(), `/post/${postId}/unpublication`, {});
    expect([answer.status, ((await answer.json()) as FormProblem).message]).toEqual([
      409,
      expect.stringContaining("1 pessoa comprou esta publicação"),
    ]);
    expect((await storedPost(ctx, { postId }))?.state).toBe("published");
    expect(
      (
        await pages.post(asAna(), `/post/${postId}/edit`, {
          ...newPost({ ways: "subscribers" }),
          postId,
          version: "1",
        })
      ).status,
    ).toBe(302);
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    expect(await canSeePost(ctx, await createPerson(ctx), postId)).toBe(false);
  });

  test("shows the number of buyers and the amount to refund before deletion", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    await paidPurchase(world, bruno, postId);
    await paidPurchase(world, await createPerson(ctx, "Clara"), postId);
    const path = `/post/${postId}/deletion`;
    // A button elsewhere deletes at once only what nobody bought.
    expect((await pages.post(asAna(), path, {})).headers.get("Location")).toBe(path);
    expect(await pages.read(asAna(), path)).toMatchObject({
      post: { state: "published" },
      buyers: { count: 2, amountCents: 3_000 },
    });
    await pages.post(asAna(), path, { confirmed: "true" });
    expect(await canSeePost(ctx, await createPerson(ctx), postId)).toBe(false);
  });
});

describe("checkout of a post", () => {
  test("shows title, price, no renewal and the seller", async () => {
    const { postId } = await soldPost(world.ctx, ana);
    const shown = await pages.read<Record<string, unknown>>(asBruno(), `/checkout?post=${postId}`);
    expect(shown).toMatchObject({
      verb: "Comprar",
      what: "Publicação “Como afino a rabeca”, de Ana Lira",
      methods: ["pix", "card"],
      obstacle: null,
      summary: {
        amountCents: 1_500,
        renews: null,
        nextChargeAt: null,
        seller: { name: "Ana Maria Lira", taxIdShown: expect.stringMatching(/^CPF \*\*\*\./) },
      },
    });
  });

  test.each([
    ["post=nada", 404],
    ["collection=nada", 404],
    ["plan=nada", 404],
    ["", 302],
  ])("of an unknown item (%s) answers %i", async (search, status) => {
    expect(
      (await pages.get(asBruno(), `/checkout?${search}`).catch((thrown: Response) => thrown))
        .status,
    ).toBe(status);
  });

  test("redirects to the Pix code, and to the post once paid", async () => {
    const { postId } = await soldPost(world.ctx, ana);
    const answer = await pages.post(asBruno(), `/checkout?post=${postId}`, { method: "pix" });
    const path = answer.headers.get("Location") ?? "";
    expect([answer.status, path]).toEqual([303, expect.stringMatching(/^\/checkout\/\w+$/)]);
    // These routes reach no provider, so the cron creates the charge there.
    await world.ctx.db
      .update(charges)
      .set({ askedAt: 0 })
      .where(eq(charges.id, path.split("/")[2] ?? ""));
    await world.tick();
    expect(await pages.read(asBruno(), path)).toMatchObject({
      kind: "post",
      title: "Como afino a rabeca",
      pix: { code: expect.stringMatching(/^000201/) },
      boughtPath: null,
    });
    expect(
      (
        await pages
          .get({ person: await createPerson(world.ctx) }, path)
          .catch((thrown: Response) => thrown)
      ).status,
    ).toBe(404);
    const [charge] = await world.ctx.db
      .select()
      .from(charges)
      .where(eq(charges.id, path.split("/")[2] ?? ""));
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
    await world.drain();
    const paid = await pages.get(asBruno(), path);
    expect([paid.status, paid.headers.get("Location")]).toEqual([302, `/post/${postId}`]);
    expect(await pages.read(asBruno(), `/checkout?post=${postId}`)).toMatchObject({
      obstacle: "bought",
    });
  });

  test("refuses an unknown payment method, and nothing is charged", async () => {
    const { postId } = await soldPost(world.ctx, ana);
    const clara = await createPerson(world.ctx, "Clara");
    expect(
      (await pages.post({ person: clara }, `/checkout?post=${postId}`, { method: "boleto" }))
        .status,
    ).toBe(400);
    expect(await world.ctx.db.select().from(charges).where(eq(charges.payerId, clara.id))).toEqual(
      [],
    );
  });

  test("offers an expired code again in one tap, unless the price changed", async () => {
    const { ctx } = world;
    const { postId } = await soldPost(ctx, ana);
    const clara = await createPerson(ctx, "Clara");
    const late = await pendingPixPurchase(world, clara, postId);
    await ctx.db.update(charges).set({ status: "expired" }).where(eq(charges.id, late.chargeId));
    const again = async () =>
      (await pages.read<{ again: unknown }>({ person: clara }, `/checkout/${late.chargeId}`)).again;
    expect(await again()).toEqual({
      path: `/checkout?post=${postId}`,
      fields: { method: "pix", amountCents: "1500" },
    });
    await pages.post(asAna(), `/post/${postId}/edit`, {
      ...newPost({ price: "20,00" }),
      postId,
      version: "1",
    });
    expect(await again()).toEqual({ path: `/checkout?post=${postId}`, fields: null });
  });

  test("of a collection works the same", async () => {
    const { collectionId } = await soldCollection(world.ctx, ana, [
      (await soldPost(world.ctx, ana)).postId,
    ]);
    expect(await pages.read(asBruno(), `/checkout?collection=${collectionId}`)).toMatchObject({
      what: "Coleção “Rabeca do zero”, de Ana Lira",
      obstacle: null,
      summary: { amountCents: 4_000 },
    });
  });
});

describe("purchases", () => {
  test("are listed with their title, hidden from others, and refunded within the cooling-off period", async () => {
    const { ctx } = world;
    const clara = await createPerson(ctx, "Clara");
    const { postId } = await soldPost(ctx, ana, { title: "Rabeca por dentro" });
    const { purchase } = await paidPurchase(world, clara, postId);
    expect(await pages.read({ person: clara }, "/settings/purchases")).toMatchObject({
      items: [{ title: "Rabeca por dentro", creatorName: "Ana Lira" }],
    });
    expect(await pages.read({ person: clara }, `/settings/purchases/${purchase.id}`)).toMatchObject(
      { path: `/post/${postId}`, isInCoolingOff: true },
    );
    expect(
      (
        await pages
          .get(asBruno(), `/settings/purchases/${purchase.id}`)
          .catch((thrown: Response) => thrown)
      ).status,
    ).toBe(404);
    expect(
      (await pages.post(asBruno(), `/settings/purchases/${purchase.id}/regret`, {})).status,
    ).toBe(404);
    expect(
      (
        await pages.post({ person: clara }, `/settings/purchases/${purchase.id}/regret`, {})
      ).headers.get("Location"),
    ).toBe(`/settings/purchases/${purchase.id}`);
    const twice = await pages.post(
      { person: clara },
      `/settings/purchases/${purchase.id}/regret`,
      {},
    );
    expect([twice.status, ((await twice.json()) as FormProblem).message]).toEqual([
      409,
      "Esta compra já terminou.",
    ]);
    await world.tick();
    expect(await pages.read({ person: clara }, `/settings/purchases/${purchase.id}`)).toMatchObject(
      { endedReason: "regret", chargeStatus: "refunded", isInCoolingOff: false },
    );
  });

  test("are paged without gaps or repeats", async () => {
    const { ctx } = world;
    const dora = await createPerson(ctx, "Dora");
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.unshift(
        (await paidPurchase(world, dora, (await soldPost(ctx, ana)).postId)).purchase.id,
      );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { bought: page } = await purchasesAndGifts(ctx, {
        personId: dora.id,
        cursor,
        givenCursor: null,
        limit: 2,
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(seen.toSorted()).toEqual(made.toSorted());
    expect(new Set(seen).size).toBe(5);
  });
});
