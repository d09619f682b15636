import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { settleTrialSetup } from "#app/domain/subscriptions/trials/commands/setup.server.ts";
import { PaymentDeclined } from "#app/domain/subscriptions/errors.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as trialSetup from "#app/routes/checkout/trial-setup.tsx";
import * as trialWelcome from "#app/routes/checkout/trial-welcome.tsx";
import * as planUpdate from "#app/routes/studio/plans/plan-update.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import { subscriptions, trialSetups } from "#drizzle/schema/subscriptions.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { publishInCollection } from "#tests/support/collections.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const pages = callRoutesAs([
  { path: "checkout", module: checkout },
  { path: "checkout/trial/:setupId", module: trialSetup },
  { path: "checkout/welcome/:subscriptionId", module: trialWelcome },
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "plan/:planId/update", module: planUpdate },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { trialDays: 7 });
  bruno = await createTrialPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const path = () => `/checkout?plan=${ana.planId}`;
const shown = async (by: TestPerson = bruno) =>
  await pages.read<{ trial: { days: number } | null; todayCents: number; obstacle: string | null }>(
    { person: by },
    path(),
  );
const sent = (fields: Record<string, string>) =>
  pages.post({ person: bruno }, path(), {
    planPriceId: ana.priceId,
    amountCents: "1990",
    cardToken: "",
    trialDays: "7",
    ...fields,
  });
const mine = () =>
  world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id));

describe("checkout of a plan with a free trial", () => {
  test("counts the discounted payments of a coupon from the end of the trial", async () => {
    await createCoupon(world.ctx, {
      creatorId: ana.id,
      code: "VOLTA20",
      percent: 20,
      amountCents: null,
      cycles: 3,
      usesLimit: null,
      expiresAt: null,
      planIds: null,
    });
    const { trial, coupon } = await pages.read<{
      trial: { endsAt: number };
      coupon: { discount: { firstCents: number; fullPriceAt: number } };
    }>({ person: bruno }, `${path()}&coupon=VOLTA20`);
    expect(coupon.discount).toMatchObject({
      firstCents: 1_592,
      fullPriceAt: periodEndsAt(trial.endsAt, "monthly", 3),
    });
  });

  test("starts a trial without a card by one form, and redirects to its subscription", async () => {
    expect(await shown()).toMatchObject({ trial: { days: 7 }, todayCents: 1_990, obstacle: null });
    const answer = await sent({ method: "pix" });
    const [trial] = await mine();
    expect({ status: answer.status, to: answer.headers.get("Location") }).toEqual({
      status: 303,
      to: `/checkout/welcome/${trial?.id ?? ""}`,
    });
    const page = await pages.read({ person: bruno }, `/settings/subscriptions/${trial?.id ?? ""}`);
    expect(page).toMatchObject({
      status: "trialing",
      isOnTrial: true,
      paysAlone: false,
      acts: ["payment_method", "cancel"],
    });
    expect(await shown()).toMatchObject({ obstacle: "subscribed", trial: null });
  });

  test("the page after it says until when it is free, and shows what opened", async () => {
    const first = await publishInCollection(world.ctx, ana, "Ensaio", "subscribers");
    const answer = await sent({ method: "pix" });
    const welcome = answer.headers.get("Location") ?? "";
    expect(await pages.read({ person: bruno }, welcome)).toMatchObject({
      firstName: "Bruno",
      trialEndsAt: (await mine())[0]?.trialEndsAt,
      paysAlone: false,
      welcomeMessage: "Que bom que você veio!",
      firstPost: { path: `/post/${first}`, title: "Ensaio" },
    });
    expect((await pages.get({ person: ana }, welcome)).status).toBe(404);
    const page = renderPagesAs(
      () => world.ctx,
      () => ({ ...bruno, avatarUrl: null, isCreator: false, isModerator: false, leavingAt: null }),
      [{ path: "checkout/welcome/:subscriptionId", module: trialWelcome }],
    );
    const shownThen = await page(welcome);
    expect(shownThen).toContain("Pronto, Bruno: pode entrar");
    expect(shownThen).toMatch(/Até \d\d\/\d\d\/\d{4} é grátis, e nada é cobrado sozinho/);
    expect(shownThen).toContain("Começar por “Ensaio”");
    await cancelSubscription(world.ctx, {
      fanId: bruno.id,
      subscriptionId: welcome.split("/").at(-1) ?? "",
    });
    expect((await pages.get({ person: bruno }, welcome)).headers.get("Location")).toBe(
      welcome.replace("/checkout/welcome/", "/settings/subscriptions/"),
    );
  });

  test("asks a member without a CPF for it, whatever the payment method, and starts with it", async () => {
    const bia = await createPerson(world.ctx, "Bia");
    expect(await pages.read({ person: bruno }, path())).toMatchObject({ taxIdFor: [] });
    expect(await pages.read({ person: bia }, path())).toMatchObject({ taxIdFor: ["pix", "card"] });
    const asBia = (fields: Record<string, string>) =>
      pages.post({ person: bia }, path(), {
        planPriceId: ana.priceId,
        amountCents: "1990",
        cardToken: "",
        trialDays: "7",
        method: "pix",
        ...fields,
      });
    expect(((await (await asBia({})).json()) as FormProblem).errors).toHaveProperty("taxId");
    expect((await asBia({ taxId: "529.982.247-25" })).status).toBe(303);
    expect(await pages.read({ person: bia }, path())).toMatchObject({
      obstacle: "subscribed",
      taxIdFor: [],
    });
  });

  test("without JavaScript refuses a new card beside its field, and starts nothing", async () => {
    const answer = await sent({ method: "card" });
    expect(((await answer.json()) as FormProblem).errors.method).toContain("Comece sem cartão");
    expect(await mine()).toEqual([]);
  });

  test("is refused when the trial days changed meanwhile, and names the new ones", async () => {
    const answer = await sent({ method: "pix", trialDays: "30" });
    expect(answer.status).toBe(409);
    expect(((await answer.json()) as FormProblem).message).toContain("agora são 7 dias grátis");
    expect(await mine()).toEqual([]);
  });

  test("a card waiting for its bank has a page for its owner only, which redirects once approved", async () => {
    const setup = await waiting();
    const page = `/checkout/trial/${setup.id}`;
    expect((await pages.get({ person: ana }, page)).status).toBe(404);
    expect(await pages.read({ person: bruno }, page)).toMatchObject({
      status: "requires_action",
      over: null,
    });
    // These routes have no provider, so the page asks for the confirmation again.
    expect(
      ((await (await pages.post({ person: bruno }, page, {})).json()) as FormProblem).message,
    ).toContain("falta confirmar");
    await answered(setup, "approve");
    await settleTrialSetup(world.ctx, { setupId: setup.id });
    const [trial] = await mine();
    const went = await pages.post({ person: bruno }, page, {});
    expect(went.headers.get("Location")).toBe(`/checkout/welcome/${trial?.id ?? ""}`);
    expect((await pages.get({ person: bruno }, page)).headers.get("Location")).toBe(
      `/checkout/welcome/${trial?.id ?? ""}`,
    );
  });

  test("a card refused by its bank shows so, with a link back to the plan", async () => {
    const setup = await waiting();
    await answered(setup, "refuse");
    await expect(settleTrialSetup(world.ctx, { setupId: setup.id })).rejects.toThrow(
      PaymentDeclined,
    );
    const shownThen = await pages.read({ person: bruno }, `/checkout/trial/${setup.id}`);
    expect(shownThen).toMatchObject({
      status: "failed",
      over: expect.stringContaining("O banco não confirmou"),
      againPath: `/checkout?plan=${ana.planId}&interval=monthly`,
    });
  });

  async function waiting(): Promise<typeof trialSetups.$inferSelect> {
    await startTrial(world.ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: ana.priceId,
      method: "card",
      cardToken: await cardToken(world, "4000000000003220"),
      trialDays: 7,
    });
    const [setup] = await world.ctx.db
      .select()
      .from(trialSetups)
      .where(eq(trialSetups.personId, bruno.id));
    if (!setup) throw new Error("no card waits");
    return setup;
  }

  async function answered(
    { providerMethodId }: typeof trialSetups.$inferSelect,
    decision: "approve" | "refuse",
  ): Promise<void> {
    await world.browse(`/save/${providerMethodId ?? ""}`, {
      method: "POST",
      body: new URLSearchParams({ decision }),
    });
  }
});

describe("plan form", () => {
  const plan = {
    name: "Camarim",
    price: "19,90",
    interval: "monthly",
    seats: "",
    benefits: "Ensaios",
    welcomeMessage: "",
  };
  const saved = (trialDays: string) =>
    pages.post({ person: ana, isCreator: true }, `/plan/${ana.planId}/update`, {
      ...plan,
      trialDays,
    });
  const days = async () =>
    (await creatorPlan(world.ctx, { planId: ana.planId, creatorId: ana.id }))?.trialDays;

  test("changes the trial days, and refuses more than ninety beside the field", async () => {
    expect((await saved("30")).status).toBe(302);
    expect(await days()).toBe(30);
    expect(((await (await saved("91")).json()) as FormProblem).errors).toEqual({
      trialDays: "Até 90 dias grátis",
    });
    expect(await days()).toBe(30);
    await saved("");
    expect(await days()).toBe(0);
  });
});
