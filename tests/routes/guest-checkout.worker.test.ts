import { createExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { RouterContextProvider } from "react-router";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { composeContext } from "#app/compose.server.ts";
import type { Context } from "#app/domain/context.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { guestView } from "#app/http/checkout/guest-view.server.ts";
import { submitPayment } from "#app/http/checkout/pay.server.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { memberOrGuest } from "#app/http/require-member.ts";
import { takeToast } from "#app/http/toast.server.ts";
import * as login from "#app/routes/auth/login.tsx";
import * as registerCode from "#app/routes/auth/register-code.tsx";
import * as registerLink from "#app/routes/auth/register-link.tsx";
import * as registerTaken from "#app/routes/auth/register-taken.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as giftPage from "#app/routes/checkout/gift.tsx";
import * as tipPage from "#app/routes/space/tip.tsx";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";
import { authAccounts, authUsers } from "#drizzle/schema/local-identity.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import { accountBrowser, mailTo } from "#tests/support/account-browser.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";
import {
  createRouteCaller,
  formRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const CODE = "/auth/register/code";
const doorways = [
  { path: "checkout", module: checkout, middleware: [memberOrGuest as MiddlewareFunction] },
  { path: "space/:id/tip", module: tipPage, middleware: [memberOrGuest as MiddlewareFunction] },
  {
    path: "plan/:planId/gift",
    module: giftPage,
    middleware: [memberOrGuest as MiddlewareFunction],
  },
  { path: "auth/login", module: login },
  { path: "auth/register/code", module: registerCode },
  { path: "auth/register/link/:token", module: registerLink },
  { path: "auth/register/taken", module: registerTaken },
];
const ask = createRouteCaller(doorways);

let ctx: Context;
let ana: Seller;
beforeAll(async () => {
  ({ ctx } = await composeContext(testEnv));
  ana = await createSeller(ctx);
});

afterEach(() => {
  vi.useRealTimers();
});

const location = (answer: Response) => answer.headers.get("Location");
const cartOf = ({ planId }: Seller) => `/checkout?plan=${planId}&interval=monthly`;
const payment = ({ priceId }: Seller) => ({
  planPriceId: priceId,
  amountCents: "1990",
  method: "pix",
  cardToken: "",
});

/** Fields that the checkout form asks of a guest. */
function guest(changes: Record<string, string> = {}) {
  const { email, birthDate, termsVersion } = signUpFields();
  return {
    name: "Lia de Souza",
    email,
    taxId: "529.982.247-25",
    birthDate,
    termsVersion,
    ...changes,
  };
}

test("the mail of a guest's code names the purchase, not an account", async () => {
  const { who } = await begun();
  const { subject, code } = await mailTo(who.email);
  expect(subject).toBe(`${code} é o código para confirmar sua compra no Coreto`);
});

test("a checkout without a purchase leads to a page that leads on", async () => {
  const answer = await ask(new Request(`${TEST_ORIGIN}/checkout`));
  expect([answer.status, location(answer)]).toEqual([302, "/checkout/empty"]);
});

async function begun(changes: Record<string, string> = {}, { of = ana, path = cartOf(of) } = {}) {
  const browser = accountBrowser(ask);
  const who = guest(changes);
  const answer = await browser.post(path, { ...payment(of), ...who });
  return { browser, who, answer };
}

const personOf = async (email: string) =>
  (await ctx.db.select().from(people).where(eq(people.email, email)).get()) ?? null;
const chargesOf = (payerId: string) =>
  ctx.db.select().from(charges).where(eq(charges.payerId, payerId));

describe("guest checkout", () => {
  test("is shown without a session, and asks for the payer's data", async () => {
    const shown = (await (await accountBrowser(ask).get(cartOf(ana))).json()) as Record<
      string,
      unknown
    >;
    expect(shown).toMatchObject({
      todayCents: 1_990,
      obstacle: null,
      cards: [],
      guest: {
        mayPay: true,
        values: {},
        loginPath: `/auth/login?to=${encodeURIComponent(cartOf(ana))}`,
      },
    });
  });

  test("accepts a company, with an alphanumeric CNPJ", async () => {
    const { browser, who } = await begun({ taxId: "12.abc.345/01de-35" });
    const shown = (await (await browser.get(cartOf(ana))).json()) as {
      guest: { values: Record<string, string> };
    };
    expect(shown.guest.values.taxId).toBe("12.ABC.345/01DE-35");
    await browser.post(CODE, { code: (await mailTo(who.email)).code });
    const person = await personOf(who.email);
    expect(
      await ctx.db
        .select()
        .from(billingDetails)
        .where(eq(billingDetails.personId, person?.id ?? "")),
    ).toMatchObject([{ taxKind: "cnpj", taxId: "12ABC34501DE35" }]);
    expect(await chargesOf(person?.id ?? "")).toHaveLength(1);
  });

  test("creates account and charge only after the e-mail code", async () => {
    const { browser, who, answer } = await begun();
    expect([answer.status, location(answer)]).toEqual([303, CODE]);
    expect(await personOf(who.email)).toBeNull();
    expect(await (await browser.get(CODE)).json()).toEqual({
      email: who.email,
      cartPath: cartOf(ana),
      button: "Confirmar e pagar",
    });

    const paid = await browser.post(CODE, { code: (await mailTo(who.email)).code });
    const person = await personOf(who.email);
    const bought = await chargesOf(person?.id ?? "");
    expect(bought).toEqual([
      expect.objectContaining({
        purchaseKind: "subscription",
        creatorId: ana.id,
        amountCents: 1_990,
        method: "pix",
      }),
    ]);
    expect([paid.status, location(paid)]).toEqual([303, `/checkout/${bought[0]?.id ?? ""}`]);
    expect(person).toMatchObject({
      provider: "local",
      birthDate: "1990-01-31",
      registeredAt: expect.any(Number),
    });
    expect(
      await ctx.db
        .select({ version: termsAcceptances.version })
        .from(termsAcceptances)
        .where(eq(termsAcceptances.personId, person?.id ?? "")),
    ).toEqual([{ version: who.termsVersion }]);
    expect(
      await ctx.db
        .select({ taxId: billingDetails.taxId, name: billingDetails.name })
        .from(billingDetails)
        .where(eq(billingDetails.personId, person?.id ?? "")),
    ).toEqual([{ taxId: "52998224725", name: who.name }]);
    // The account has no password: its owner signs in by e-mail.
    expect(
      await ctx.db
        .select()
        .from(authAccounts)
        .where(eq(authAccounts.userId, person?.providerUserId ?? "")),
    ).toEqual([]);
    expect(
      await ctx.db
        .select({ isProven: authUsers.emailVerified })
        .from(authUsers)
        .where(eq(authUsers.email, who.email)),
    ).toEqual([{ isProven: true }]);
    expect(
      await ctx.db
        .select()
        .from(authPendingRegistrations)
        .where(eq(authPendingRegistrations.email, who.email)),
    ).toEqual([]);
    // The browser is signed in now, so the checkout is a member's.
    expect(await (await browser.get(cartOf(ana))).json()).toMatchObject({ guest: null });
  });

  test("the page of the e-mailed link says that confirming pays", async () => {
    const { browser, who } = await begun();
    const { path } = await mailTo(who.email);
    expect(await (await browser.get(path)).json()).toEqual({
      outcome: "ready",
      pays: true,
      button: "Confirmar e pagar",
    });
  });

  test("is deleted by the cron when it was not confirmed in time", async () => {
    const { who } = await begun();
    await ctx.db
      .update(authPendingRegistrations)
      .set({ expiresAt: 1 })
      .where(eq(authPendingRegistrations.email, who.email));
    await runNotificationsCron(ctx);
    expect(
      await ctx.db
        .select()
        .from(authPendingRegistrations)
        .where(eq(authPendingRegistrations.email, who.email)),
    ).toEqual([]);
  });

  test("sells a single post", async () => {
    const { postId } = await soldPost(ctx, ana);
    const browser = accountBrowser(ask);
    const who = guest();
    await browser.post(`/checkout?post=${postId}`, { ...who, method: "pix", amountCents: "1500" });
    const paid = await browser.post(CODE, { code: (await mailTo(who.email)).code });
    const bought = await chargesOf((await personOf(who.email))?.id ?? "");
    expect(bought).toEqual([expect.objectContaining({ purchaseKind: "post", amountCents: 1_500 })]);
    expect(location(paid)).toBe(`/checkout/${bought[0]?.id ?? ""}`);
  });

  test("pays a tip, and names an invalid amount beside its field", async () => {
    const browser = accountBrowser(ask);
    const who = guest();
    const path = `/space/${ana.username}/tip`;
    const tip = {
      amount: "other",
      other: "1,00",
      message: "Pelo café",
      method: "pix",
      cardToken: "",
    };
    const refused = (await (await browser.post(path, { ...who, ...tip })).json()) as {
      errors: object;
    };
    expect(refused.errors).toEqual({ other: "O menor apoio é R$\u00a05,00" });
    await browser.post(path, { ...who, ...tip, other: "37,50" });
    const paid = await browser.post(CODE, { code: (await mailTo(who.email)).code });
    const bought = await chargesOf((await personOf(who.email))?.id ?? "");
    expect(bought).toEqual([expect.objectContaining({ purchaseKind: "tip", amountCents: 3_750 })]);
    expect(location(paid)).toBe(`/checkout/${bought[0]?.id ?? ""}`);
  });

  test("buys a gift, and keeps its recipient and message until the code is confirmed", async () => {
    const browser = accountBrowser(ask);
    const who = guest();
    const path = `/plan/${ana.planId}/gift?interval=monthly`;
    expect(await (await browser.get(path)).json()).toMatchObject({
      obstacle: null,
      guest: { mayPay: true, loginPath: `/auth/login?to=${encodeURIComponent(path)}` },
      summary: { kind: "gift", amountCents: 1_990 },
    });
    const gift = {
      ...payment(ana),
      recipientName: "Clara",
      recipientEmail: "clara.errado",
      deliverOn: "",
      message: "Feliz aniversário",
    };
    const refused = (await (await browser.post(path, { ...who, ...gift })).json()) as {
      errors: object;
    };
    expect(Object.keys(refused.errors)).toEqual(["recipientEmail"]);
    await browser.post(path, { ...who, ...gift, recipientEmail: "clara@coreto.test" });
    const paid = await browser.post(CODE, { code: (await mailTo(who.email)).code });
    const bought = await chargesOf((await personOf(who.email))?.id ?? "");
    expect(bought).toEqual([expect.objectContaining({ purchaseKind: "gift", amountCents: 1_990 })]);
    expect(
      await ctx.db
        .select({ name: gifts.recipientName, email: gifts.recipientEmail, message: gifts.message })
        .from(gifts)
        .where(eq(gifts.id, bought[0]?.purchaseId ?? "")),
    ).toEqual([{ name: "Clara", email: "clara@coreto.test", message: "Feliz aniversário" }]);
    expect(location(paid)).toBe(`/checkout/${bought[0]?.id ?? ""}`);
  });

  test("is confirmed by the e-mailed link only in the browser that started it", async () => {
    const { browser, who } = await begun();
    const { path } = await mailTo(who.email);
    expect(await (await accountBrowser(ask).post(path)).json()).toMatchObject({
      outcome: "client-mismatch",
    });
    expect(await personOf(who.email)).toBeNull();
    expect(location(await browser.post(path))).toMatch(/^\/checkout\/\w+$/);
    expect(await chargesOf((await personOf(who.email))?.id ?? "")).toHaveLength(1);
  });

  test("keeps the typed values on reload, in the same browser only", async () => {
    const { browser, who } = await begun();
    const typed = {
      name: who.name,
      email: who.email,
      taxId: who.taxId,
      birthDate: who.birthDate,
      termsVersion: who.termsVersion,
    };
    expect(await (await browser.get(cartOf(ana))).json()).toMatchObject({
      guest: { values: typed },
    });
    expect(await (await accountBrowser(ask).get(cartOf(ana))).json()).toMatchObject({
      guest: { values: {} },
    });
  });

  test("creates one account and one charge when two tabs send the code at once", async () => {
    const { browser, who } = await begun();
    const { code } = await mailTo(who.email);
    const cookies = [...browser.cookies].map(([name, value]) => [name, value] as const);
    const tabs = [accountBrowser(ask, new Map(cookies)), accountBrowser(ask, new Map(cookies))];
    const answers = await Promise.all(tabs.map((tab) => tab.post(CODE, { code })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await chargesOf((await personOf(who.email))?.id ?? "")).toHaveLength(1);
  });

  test("gives a username that does not contain the payer's name", async () => {
    const name = `Lia ${crypto.randomUUID().slice(0, 8)}`;
    const [one, other] = [await begun({ name }), await begun({ name })];
    for (const { browser, who } of [one, other])
      expect((await browser.post(CODE, { code: (await mailTo(who.email)).code })).status).toBe(303);
    const faces = await ctx.db
      .select({ username: profiles.username })
      .from(profiles)
      .where(eq(profiles.name, name));
    expect(faces.map(({ username }) => username)).toEqual([
      expect.stringMatching(/^pessoa-\w{6}$/),
      expect.stringMatching(/^pessoa-\w{6}$/),
    ]);
  });

  test("creates the account and no charge when the plan was archived meanwhile, and says why", async () => {
    const leaving = await createSeller(ctx);
    const { browser, who } = await begun({}, { of: leaving });
    await archivePlan(ctx, { creatorId: leaving.id, planId: leaving.planId });
    const answer = await browser.post(CODE, { code: (await mailTo(who.email)).code });
    expect([answer.status, location(answer)]).toEqual([302, cartOf(leaving)]);
    const { toast } = await takeToast(
      new Request(testEnv.APP_ORIGIN ?? "", {
        headers: { Cookie: `__Host-toast=${browser.cookies.get("__Host-toast") ?? ""}` },
      }),
    );
    expect(toast).toEqual({ kind: "error", message: "Este plano não está à venda." });
    expect(await chargesOf((await personOf(who.email))?.id ?? "none")).toEqual([]);
    expect(await (await browser.get(cartOf(leaving))).json()).toMatchObject({
      guest: null,
      obstacle: "not_sold",
    });
  });
});

test("a `.data` request of the client router redirects back to the page itself", async () => {
  const context = new RouterContextProvider();
  context.set(cloudflareContext, { env: testEnv, ctx: createExecutionContext() });
  context.set(domainContext, ctx);
  context.set(viewerContext, null);
  const page = new URL(cartOf(ana), TEST_ORIGIN);
  const data = new Request(page.href.replace("/checkout", "/checkout.data"));
  expect(await guestView({ request: data, context, url: page })).toMatchObject({
    loginPath: `/auth/login?to=${encodeURIComponent(cartOf(ana))}`,
  });
  const tip = new URL(`/space/${ana.username}/tip`, TEST_ORIGIN);
  const member = {
    ...(await createPerson(ctx, "Bruno")),
    avatarUrl: null,
    isCreator: false,
    isModerator: false,
    leavingAt: null,
  };
  context.set(viewerContext, member);
  const { method, body, headers } = formRequest(tip.pathname, {
    amount: "2000",
    other: "",
    message: "",
    method: "pix",
    cardToken: "",
  });
  const answer = await submitPayment({
    request: new Request(`${tip.href}.data`, { method, body, headers }),
    context,
    url: tip,
  });
  expect(answer).toMatchObject({ status: 303 });
  expect(await chargesOf(member.id)).toEqual([expect.objectContaining({ purchaseKind: "tip" })]);
});
