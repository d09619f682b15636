import { eq } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import type { buildReceipt } from "#app/components/payments/receipt.ts";
import type { Context } from "#app/domain/context.ts";
import { statementPeriods } from "#app/domain/billing/statements/rules/statement.ts";
import { dayNumberOf } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as details from "#app/routes/settings/billing/billing-details.tsx";
import * as methodDefault from "#app/routes/settings/billing/billing-method-default.tsx";
import * as removal from "#app/routes/settings/billing/billing-method-removal.tsx";
import * as billing from "#app/routes/settings/billing/billing.tsx";
import * as receipt from "#app/routes/settings/purchases/receipt.tsx";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "settings/billing", module: billing },
  { path: "settings/billing/details", module: details },
  { path: "settings/billing/methods/:methodId/default", module: methodDefault },
  { path: "settings/billing/methods/:methodId/removal", module: removal },
  { path: "settings/transactions/:id/recibo", module: receipt },
]);
const TYPED = {
  taxId: "12.ABC.345/01DE-35",
  name: "Paz Ltda.",
  cep: "50050-000",
  street: "Rua da Aurora",
  number: "295",
  complement: "sala 2",
  district: "Boa Vista",
  city: "Recife",
  state: "PE",
};

let world: World;
let ctx: Context;
const json = async (answer: Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;
beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
});

describe("billing details", () => {
  test("are saved, formatted, and name the payer on the payer's receipt only", async () => {
    const [ana, bruno] = [await createSeller(ctx), await createPerson(ctx, "Bruno")];
    const charge = await paidSubscription(world, bruno, ana);
    const asBruno = { person: bruno };
    expect(await json(routes.get(asBruno, "/settings/billing/details"))).toEqual({
      isNew: true,
      wantsInvoice: false,
      name: "Bruno",
    });
    expect(await responseOutcome(routes.post(asBruno, "/settings/billing/details", TYPED))).toBe(
      "302",
    );
    expect(await json(routes.get(asBruno, "/settings/billing/details"))).toEqual({
      isNew: false,
      wantsInvoice: false,
      ...TYPED,
    });
    expect(await json(routes.get(asBruno, "/settings/billing"))).toMatchObject({
      billedTo: { name: "Paz Ltda.", taxId: "12.ABC.345/01DE-35" },
    });
    const [mine, theirs] = [
      await json(routes.get(asBruno, `/settings/transactions/${charge.id}/recibo`)),
      await json(
        routes.get({ person: ana, isCreator: true }, `/settings/transactions/${charge.id}/recibo`),
      ),
    ];
    for (const words of [
      "Paz Ltda.",
      "12.ABC.345/01DE-35",
      "Rua da Aurora, 295, sala 2, Boa Vista, Recife/PE, CEP 50050-000",
    ]) {
      expect(JSON.stringify(mine)).toContain(words);
      if (words !== "12.ABC.345/01DE-35") expect(JSON.stringify(theirs)).not.toContain(words);
    }
    expect(
      (theirs.receipt as ReturnType<typeof buildReceipt>).sections.find(
        (section) => section.title === "Quem pagou",
      )?.details,
    ).toEqual([{ label: "Nome", value: "Bruno" }]);
  });
  test("name each invalid field, and the typed values stay", async () => {
    const answer = await routes.post(
      { person: await createPerson(ctx) },
      "/settings/billing/details",
      {
        ...TYPED,
        taxId: "529.982.247-24",
        cep: "1",
        state: "",
      },
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: {
        taxId: "Confira o CPF: os números não batem",
        cep: "O CEP tem 8 números, como 50050-000",
        state: "Escolha o estado",
      },
      values: { ...TYPED, taxId: "529.982.247-24", cep: "1", state: "" },
    });
  });
});

describe("a saved card", () => {
  async function withCard() {
    const [ana, bruno] = [await createSeller(ctx), await createPerson(ctx, "Bruno")];
    const charge = await paidSubscription(world, bruno, ana);
    const methodId = `pm_${ctx.newId()}`;
    await ctx.db
      .update(subscriptions)
      .set({ method: "card", savedMethodId: methodId })
      .where(eq(subscriptions.id, charge.purchaseId));
    return { methodId, caller: { person: bruno }, path: `/settings/billing/methods/${methodId}` };
  }
  test("lists how many subscriptions it renews, and can become the default", async () => {
    const { caller, methodId, path } = await withCard();
    expect(await json(routes.get(caller, "/settings/billing"))).toMatchObject({
      cards: [{ id: methodId, renews: 1, isDefault: false }],
      monthlyCents: 1_990,
      upcoming: [{ method: "card", amountCents: 1_990 }],
    });
    expect(await responseOutcome(routes.post(caller, `${path}/default`, {}))).toBe("302");
    expect(await json(routes.get(caller, "/settings/billing"))).toMatchObject({
      cards: [{ id: methodId, isDefault: true }],
    });
  });
  test("is removed only with a choice of how its subscriptions renew, asked beside the choices", async () => {
    const { caller, path, methodId } = await withCard();
    expect(await json(routes.get(caller, `${path}/removal`))).toMatchObject({
      card: { renews: 1 },
      others: [],
      codes: ["pix"],
    });
    const refused = await routes.post(caller, `${path}/removal`, {});
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      errors: { instead: "Este cartão paga assinaturas que renovam. Escolha como elas continuam." },
    });
    expect(
      await responseOutcome(
        routes.post(caller, `${path}/removal`, { instead: "card:inexistente" }),
      ),
    ).toBe("404");
    expect(await responseOutcome(routes.post(caller, `${path}/removal`, { instead: "pix" }))).toBe(
      "302",
    );
    expect(
      await ctx.db
        .select({ removedAt: savedMethods.removedAt })
        .from(savedMethods)
        .where(eq(savedMethods.id, methodId)),
    ).toEqual([{ removedAt: expect.any(Number) }]);
  });
  test("offers no Pix as replacement where Pix is unavailable, and says so beside the choices", async () => {
    const { caller, path } = await withCard();
    const noPix: MiddlewareFunction = ({ context }) => {
      const given = context.get(domainContext);
      context.set(domainContext, {
        ...given,
        payments: {
          ...world.ctx.payments,
          can: new Set([...world.ctx.payments.can].filter((one) => one !== "pix")),
        },
      });
    };
    const without = callRoutesAs([
      { path: "settings/billing/methods/:methodId/removal", module: removal, middleware: [noPix] },
    ]);
    expect(await json(without.get(caller, `${path}/removal`))).toMatchObject({
      card: { renews: 1 },
      codes: [],
    });
    const refused = await without.post(caller, `${path}/removal`, { instead: "pix" });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      {
        errors: {
          instead:
            "O Pix não está disponível agora, e nada mudou. Escolha outro cartão, ou pare de renovar.",
        },
      },
    ]);
  });
  test("of another member is not found", async () => {
    const { path } = await withCard();
    const stranger = { person: await createPerson(ctx) };
    expect(await responseOutcome(routes.get(stranger, `${path}/removal`))).toBe("404");
    for (const [act, fields] of [
      ["default", {}],
      ["removal", { instead: "pix" }],
    ] as const)
      expect(await responseOutcome(routes.post(stranger, `${path}/${act}`, fields))).toBe("404");
  });
});

test("the payments page and the statement use the same current month", () => {
  const now = Date.UTC(2026, 2, 1, 2);
  // 02:00 UTC on 1 March is still February in São Paulo.
  expect(statementPeriods(now)[1]).toMatchObject({ from: Date.UTC(2026, 1, 1) / 86_400_000 });
  expect(dayNumberOf(now)).toBe(Date.UTC(2026, 1, 28) / 86_400_000);
});
