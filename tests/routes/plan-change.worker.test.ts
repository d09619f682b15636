import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FormProblem } from "#app/http/form.ts";
import * as regretPage from "#app/routes/settings/transaction-regret.tsx";
import * as transactionPage from "#app/routes/settings/transaction.tsx";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as laterPage from "#app/routes/settings/subscription-plan-later.tsx";
import * as planPage from "#app/routes/settings/subscription-plan.tsx";
import * as plansPage from "#app/routes/settings/subscription-plans.tsx";
import * as subscriptionPage from "#app/routes/settings/subscription.tsx";
import * as undoPage from "#app/routes/settings/subscription-plan-undo.tsx";
import { formatDay, MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { doorsAs } from "#tests/support/acting.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { pay } from "#tests/support/money.ts";
import { offerNow, onStage, planChangeStage } from "#tests/support/plan-changes.ts";
import type { Stage } from "#tests/support/plan-changes.ts";
import type { TestPerson } from "#tests/support/people.ts";

const doors = doorsAs([
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "settings/subscriptions/:id/plan", module: plansPage },
  { path: "settings/subscriptions/:id/plan/undo", module: undoPage },
  { path: "settings/subscriptions/:id/plan/:priceId", module: planPage },
  { path: "settings/subscriptions/:id/plan/:priceId/later", module: laterPage },
  { path: "settings/transactions/:id", module: transactionPage },
  { path: "settings/transactions/:id/regret", module: regretPage },
  { path: "checkout/:chargeId", module: chargePage },
]);

let stage: Stage;
beforeEach(async () => {
  stage = await planChangeStage();
});
afterEach(() => expectBooksToHold(stage.world.ctx));

const { row, to, states } = onStage(() => stage);
const at = (path: string) => `/settings/subscriptions/${stage.subscriptionId}${path}`;
const as = (one: TestPerson) => ({ person: one, isCreator: false });
const read = async (path: string, by: TestPerson = stage.bruno) => await doors.get(as(by), path);
async function sent(path: string, fields: Record<string, string>, by: TestPerson = stage.bruno) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return await doors.postForm(as(by), path, form);
}

describe("Mudar de plano", () => {
  test("lists what else is sold, what it costs now and from when; full plans are said to be", async () => {
    await stage.world.ctx.db.update(plans).set({ seatsTaken: 2 }).where(eq(plans.id, stage.janela.planId));
    const shown = await (await read(at("/plan"))).json<{ options: { name: string; inShort: string; isFull: boolean }[] }>();
    const ends = formatDay((await row()).currentPeriodEndsAt ?? 0);
    expect(shown.options.map(({ name, isFull }) => [name, isFull])).toEqual([
      ["Janela", true],
      ["Palco", false],
      ["Palco", false],
    ]);
    const { quote } = await offerNow(stage.world.ctx, to(stage.palco.prices.monthly));
    if (quote.happens !== "now") throw new Error("it waits");
    expect(shown.options[0]?.inShort).toBe(`a partir de ${ends}, sem cobrança agora`);
    expect(shown.options[1]?.inShort).toContain("agora; o plano muda na hora");
    expect((await read(at("/plan"), stage.ana)).status).toBe(404);
  });

  test("an upgrade goes to its code for exactly what was shown, and says when it was paid; a downgrade has its own page", async () => {
    const price = stage.palco.prices.monthly;
    const { shown } = await (await read(at(`/plan/${price}`))).json<{ shown: { quote: { dueCents: number } } }>();
    const { dueCents } = shown.quote;
    const stale = await sent(at(`/plan/${price}`), { method: "pix", amountCents: String(dueCents + 1), cardToken: "" });
    expect(await stale.json<FormProblem>()).toMatchObject({ message: expect.stringContaining("Nada foi cobrado") });
    const answer = await sent(at(`/plan/${price}`), { method: "pix", amountCents: String(dueCents), cardToken: "" });
    const [charge] = await stage.world.ctx.db.select().from(charges).where(eq(charges.purchaseKind, "plan_change"));
    expect(charge).toMatchObject({ amountCents: dueCents });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/checkout/${charge?.id ?? ""}`]);
    expect(await (await read(`/checkout/${charge?.id ?? ""}`)).json()).toMatchObject({ kind: "change", title: "Palco", isReturning: false, status: "created" });
    // These doors reach no provider: the charge is asked for again, under its own id, by the calendar.
    await stage.world.advance(2 * MINUTE_MS);
    await stage.world.tick();
    const [asked] = await stage.world.ctx.db.select().from(charges).where(eq(charges.purchaseKind, "plan_change"));
    await pay(stage.world, { providerChargeId: asked?.providerChargeId ?? "" });
    await stage.world.drain();
    expect(await (await read(`/checkout/${charge?.id ?? ""}`)).json()).toMatchObject({ kind: "change", status: "succeeded", isReturning: false, benefits: ["Tudo"] });
    expect(await (await read(at(""))).json()).toMatchObject({ planName: "Palco", planChanges: [{ state: "done", toPlanName: "Palco", mayRegret: true, chargeId: charge?.id }] });
    expect(await (await read(`/settings/transactions/${charge?.id ?? ""}`)).json()).toMatchObject({ mayRegret: true });
    const back = await sent(`/settings/transactions/${charge?.id ?? ""}/regret`, {});
    expect(back.status).toBe(302);
    expect(await (await read(at(""))).json()).toMatchObject({ planName: "Camarim", planChanges: [{ state: "reversed" }] });
    const moved = await read(at(`/plan/${stage.janela.prices.monthly}`));
    expect(moved.headers.get("Location")).toBe(at(`/plan/${stage.janela.prices.monthly}/later`));
  });

  test("a downgrade is set, shown on the subscription, and undone", async () => {
    const page = at(`/plan/${stage.janela.prices.monthly}/later`);
    const { shown } = await (await read(page)).json<{ shown: { quote: { nextChargeAt: number; nextCents: number } } }>();
    const agreed = { beginsAt: String(shown.quote.nextChargeAt), nextCents: String(shown.quote.nextCents) };
    expect((await sent(page, { ...agreed, nextCents: "1" })).status).toBe(409);
    expect((await sent(page, agreed)).headers.get("Location")).toBe(at(""));
    expect(await (await read(at(""))).json()).toMatchObject({ planName: "Camarim", planChanges: [{ state: "scheduled", toPlanName: "Janela" }] });
    expect(await (await read(at("/plan/undo"))).json()).toMatchObject({ planName: "Camarim", toPlanName: "Janela" });
    expect((await sent(at("/plan/undo"), {}, stage.ana)).status).toBe(404);
    expect((await sent(at("/plan/undo"), {})).headers.get("Location")).toBe(at(""));
    expect(await states()).toEqual(["over"]);
    expect((await read(at("/plan/undo"))).headers.get("Location")).toBe(at(""));
  });

  test.each<[string, string]>([
    ["past_due", "Há um pagamento em atraso. Pague primeiro, e depois mude de plano."],
    ["canceled", "A assinatura está cancelada. Reative primeiro, e depois mude de plano."],
  ])("while %s says what comes first", async (status, sentence) => {
    await stage.world.ctx.db.update(subscriptions).set({ status }).where(eq(subscriptions.id, stage.subscriptionId));
    expect(await (await read(at("/plan"))).json()).toMatchObject({ problem: sentence, options: [] });
    expect(await (await read(at(`/plan/${stage.palco.prices.monthly}`))).json()).toMatchObject({ problem: sentence });
    const answer = await sent(at(`/plan/${stage.palco.prices.monthly}`), { method: "pix", cardToken: "" });
    expect((await answer.json<FormProblem>()).message).toBe(sentence);
    await stage.world.ctx.db.update(subscriptions).set({ status: "active" }).where(eq(subscriptions.id, stage.subscriptionId));
  });

  test("a price that is no price is not found, and a form that makes no sense is refused", async () => {
    expect((await read(at("/plan/nothing"))).status).toBe(404);
    const answer = await sent(at(`/plan/${stage.palco.prices.monthly}`), { method: "cheque", amountCents: "x", cardToken: "" });
    expect(await answer.json<FormProblem>()).toMatchObject({ errors: { method: "Escolha uma das opções." } });
  });
});
