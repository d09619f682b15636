import { beforeEach, describe, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { giftByCode } from "#app/domain/purchases/gifts/queries.server.ts";
import { withCacheControl } from "#app/http/headers/cache.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as claimPage from "#app/routes/checkout/claim.tsx";
import * as giftPage from "#app/routes/checkout/gift.tsx";
import * as givenPage from "#app/routes/settings/purchases/gift.tsx";
import * as cardPage from "#app/routes/settings/purchases/gift-card.tsx";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { paidGift, giftRow } from "#tests/support/gifts.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "plan/:planId/gift", module: giftPage },
  { path: "gift/:code", module: claimPage },
  { path: "checkout/:chargeId", module: chargePage },
  { path: "settings/gifts/:id", module: givenPage },
  { path: "settings/gifts/:id/cartao", module: cardPage },
]);
const anybody = createRouteCaller([{ path: "gift/:code", module: claimPage }]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno Reis");
  clara = await createPerson(world.ctx, "Clara Nunes");
});

const form = (more: Record<string, string> = {}) => ({
  planPriceId: ana.priceId,
  amountCents: "1990",
  recipientName: "Clara",
  recipientEmail: "",
  message: "Oi",
  deliverOn: "",
  method: "pix",
  cardToken: "",
  ...more,
});
const chargesOf = (payerId: string) =>
  world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId));

describe("gift form", () => {
  test("redirects to its Pix code", async () => {
    const answer = await routes.post({ person: bruno }, `/plan/${ana.planId}/gift`, form());
    const [charge] = await chargesOf(bruno.id);
    expect(charge).toMatchObject({
      purchaseKind: "gift",
      amountCents: 1_990,
      description: "Presente: Camarim, de Ana Lira",
    });
    expect({ status: answer.status, to: answer.headers.get("Location") }).toEqual({
      status: 303,
      to: `/checkout/${charge?.id ?? ""}`,
    });
  });

  test.each<[string, Record<string, string>, string, string]>([
    [
      "a day that is over",
      { deliverOn: "2020-01-01", recipientEmail: "clara@exemplo.test" },
      "deliverOn",
      "Este dia já passou",
    ],
    [
      "a day without an e-mail",
      { deliverOn: "2030-01-01" },
      "recipientEmail",
      "Para entregar num dia, diga o e-mail de quem recebe",
    ],
    ["an e-mail that is none", { recipientEmail: "clara" }, "recipientEmail", "Confira o e-mail"],
  ])(
    "names %s beside its field, keeps the typed values and charges nothing",
    async (_, fields, field, sentence) => {
      const problem = await (
        await routes.post({ person: bruno }, `/plan/${ana.planId}/gift`, form(fields))
      ).json<FormProblem>();
      expect(problem.errors[field]).toBe(sentence);
      expect(problem.values).toMatchObject({ recipientName: "Clara", message: "Oi", ...fields });
      expect(await chargesOf(bruno.id)).toEqual([]);
    },
  );

  test("sent again without a recipient's e-mail leads to the unpaid gift, and keeps the typed values", async () => {
    const path = `/plan/${ana.planId}/gift`;
    const sent = await Promise.all([1, 2].map(() => routes.post({ person: bruno }, path, form())));
    const [charge, ...others] = await chargesOf(bruno.id);
    expect([others, new Set(sent.map(({ headers }) => headers.get("Location")))]).toEqual([
      [],
      new Set([`/checkout/${charge?.id ?? ""}`]),
    ]);
    const refused = await routes.post(
      { person: bruno },
      path,
      form({ recipientName: "Bia", message: "Para você" }),
    );
    expect(refused.status).toBe(409);
    expect(await refused.json<FormProblem>()).toMatchObject({
      message:
        "Já há um presente seu à espera do pagamento, para Clara. Pague esse primeiro e depois este, ou diga o e-mail de quem recebe este.",
      link: { to: `/checkout/${charge?.id ?? ""}`, text: "Ver o presente que espera" },
      values: { recipientName: "Bia", message: "Para você" },
    });
  });

  test("answers 404 for an unknown plan, and refuses the plan's own creator", async () => {
    expect((await routes.get({ person: bruno }, "/plan/nenhum/gift")).status).toBe(404);
    expect(
      await routes.read({ person: ana, isCreator: true }, `/plan/${ana.planId}/gift`),
    ).toMatchObject({ obstacle: "own" });
  });

  test("the page of a paid charge redirects its payer to the gift's link and card", async () => {
    const { charge, gift, code } = await paidGift(world, bruno, ana);
    const paid = await routes.get({ person: bruno }, `/checkout/${charge.id}`);
    expect(paid.headers.get("Location")).toBe(`/settings/gifts/${gift.id}`);
    expect(await routes.read({ person: bruno }, `/settings/gifts/${gift.id}`)).toMatchObject({
      state: "waiting",
      link: `${TEST_ORIGIN}/gift/${code}`,
      isInCoolingOff: true,
    });
    expect(await routes.read({ person: bruno }, `/settings/gifts/${gift.id}/cartao`)).toMatchObject(
      {
        link: `${TEST_ORIGIN}/gift/${code}`,
      },
    );
    for (const other of [clara, ana])
      expect((await routes.get({ person: other }, `/settings/gifts/${gift.id}`)).status).toBe(404);
  });
});

describe("gift link", () => {
  test("shows the gift without claiming it, is not indexed or cached, and hides the payer's contacts", async () => {
    const { gift, code } = await paidGift(world, bruno, ana, { message: "Com carinho" });
    const path = `/gift/${code}`;
    const answer = withCacheControl(
      await anybody(new Request(TEST_ORIGIN + path)),
      new Request(TEST_ORIGIN + path),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-Robots-Tag")).toMatch(/noindex/);
    expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
    expect(answer.headers.get("Referrer-Policy")).toBe("same-origin");
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      giverName: "Bruno Reis",
      message: "Com carinho",
      problem: null,
      isSignedIn: false,
      offer: { creatorName: ana.name, plan: { name: "Camarim" } },
    });
    expect(
      [bruno.email, bruno.username, bruno.id].filter((secret) => text.includes(secret)),
    ).toEqual([]);
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ claimedAt: null });
  });

  test("redirects a visitor to sign in and back", async () => {
    const { gift, code } = await paidGift(world, bruno, ana);
    const answer = await anybody(formRequest(`/gift/${code}`, {}));
    expect(answer.headers.get("Location")).toBe(
      `/auth/login?to=${encodeURIComponent(`/gift/${code}`)}`,
    );
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ claimedAt: null });
  });

  test("is claimed by its button and redirects to the creator; later visits say that it was claimed", async () => {
    const { gift, code } = await paidGift(world, bruno, ana);
    const opened = await routes.post({ person: clara }, `/gift/${code}`, {});
    expect(opened.headers.get("Location")).toBe(`/space/${ana.username}`);
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ claimedBy: clara.id });
    expect(await routes.read({ person: clara }, `/gift/${code}`)).toMatchObject({
      problem: "own_claim",
    });
    expect(
      await routes.read({ person: await createPerson(world.ctx, "Davi") }, `/gift/${code}`),
    ).toMatchObject({ problem: "claimed", offer: { creatorPath: `/space/${ana.username}` } });
    // A member who came too late gets a link to the creator's page, a visitor to its public page.
    expect(await (await anybody(new Request(`${TEST_ORIGIN}/gift/${code}`))).json()).toMatchObject({
      problem: "claimed",
      offer: { creatorPath: `/space/${ana.username}/public` },
    });
    const again = await routes.post({ person: bruno }, `/gift/${code}`, {});
    expect(await again.json<FormProblem>()).toMatchObject({
      message: "Este presente já foi resgatado.",
    });
  });

  test.each(["0000-0000-0000-0000-0000-0000", "nada", "%F0%9F%8E%81"])(
    "answers 404 for an unknown code (%s)",
    async (code) => {
      expect((await anybody(new Request(`${TEST_ORIGIN}/gift/${code}`))).status).toBe(404);
    },
  );

  test("to an adult page shows no offer before the age check", async () => {
    const { code } = await paidGift(world, bruno, ana);
    await world.ctx.db.update(profiles).set({ isAdult: true }).where(eq(profiles.personId, ana.id));
    const shown = await anybody(new Request(`${TEST_ORIGIN}/gift/${code}`));
    expect(await shown.json()).toMatchObject({ problem: "age", offer: null });
    expect(
      (await giftByCode(world.ctx, { code, viewerId: clara.id }))?.claimInput.isAgeClosed,
    ).toBe(true);
    const refused = await routes.post({ person: clara }, `/gift/${code}`, {});
    expect(await refused.json<FormProblem>()).toMatchObject({
      message: "Esta página é só para maiores de 18 anos. Confirme a sua idade e volte.",
    });
  });
});
