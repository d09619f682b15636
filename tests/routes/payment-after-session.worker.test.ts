import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { composeContext } from "#app/compose.server.ts";
import type { Context } from "#app/domain/context.ts";
import { memberOrGuest } from "#app/http/require-member.ts";
import * as login from "#app/routes/auth/login.tsx";
import * as registerCode from "#app/routes/auth/register-code.tsx";
import * as registerLink from "#app/routes/auth/register-link.tsx";
import * as registerTaken from "#app/routes/auth/register-taken.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as giftPage from "#app/routes/checkout/gift.tsx";
import * as tipPage from "#app/routes/space/tip.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { authSessions } from "#drizzle/schema/local-identity.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { accountBrowser } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { createRouteCaller, signUpFields } from "#tests/support/call-route.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { fakeClerk } from "#tests/integrations/clerk/clerk.ts";

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

const personOf = async (email: string) =>
  (await ctx.db.select().from(people).where(eq(people.email, email)).get()) ?? null;
const chargesOf = (payerId: string) =>
  ctx.db.select().from(charges).where(eq(charges.payerId, payerId));

describe("payment form sent after the session ended", () => {
  const SAID =
    "A sua sessão tinha terminado, e nada foi enviado. O que você digitou está aqui: confira e envie de novo.";
  const giftOf = ({ planId }: Seller) => `/plan/${planId}/gift?interval=monthly`;
  const GIFT = {
    recipientName: "Clara",
    recipientEmail: "clara@coreto.test",
    message: 'Feliz aniversário! Você é "demais" 🎂',
    deliverOn: "2030-01-31",
  };
  type Shown = {
    payerId: string | null;
    unsent: { errors: object; message: string; values: Record<string, string> } | null;
  };

  /** Returns a member with a payment page open whose session was ended elsewhere. */
  async function stranded(path: string) {
    const member = signUpFields();
    const { userId, personId } = await insertMember(member);
    const browser = accountBrowser(ask);
    for (const pair of (await sessionCookies(userId)).split("; "))
      browser.cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    const see = async () => await (await browser.get(path)).json<Shown>();
    const { payerId } = await see();
    await ctx.db.delete(authSessions).where(eq(authSessions.userId, userId));
    // Removes the cookies that cache the session for some seconds.
    for (const name of ["__Host-coreto-session-data", "__Host-coreto-member"])
      browser.cookies.delete(name);
    const send = (fields: Record<string, string>) =>
      browser.post(path, { payer: payerId ?? "", ...fields });
    const enter = ({ email, password } = member) =>
      browser.post(`/auth/login?to=${encodeURIComponent(path)}`, { identifier: email, password });
    return { browser, personId, see, send, enter };
  }

  test.each<[string, () => string, () => Record<string, string>, Record<string, string>]>([
    [
      "a plan with a coupon and a CPF",
      () => `${cartOf(ana)}&coupon=VOLTA`,
      () => ({ ...payment(ana), coupon: "VOLTA", taxId: "529.982.247-25" }),
      { method: "pix", taxId: "529.982.247-25" },
    ],
    ["a gift", () => giftOf(ana), () => ({ ...payment(ana), ...GIFT }), { method: "pix", ...GIFT }],
    [
      "a tip",
      () => `/space/${ana.username}/tip`,
      () => ({
        amount: "other",
        other: "37,50",
        message: "Pelo café",
        method: "card",
        cardToken: "",
      }),
      { amount: "other", other: "37,50", message: "Pelo café", method: "card" },
    ],
  ])("redirects to sign in and shows the typed values once: %s", async (_, path, fields, typed) => {
    const { personId, browser, see, send, enter } = await stranded(path());
    const answer = await send(fields());
    expect([answer.status, location(answer)]).toEqual([
      303,
      `/auth/login?to=${encodeURIComponent(path())}`,
    ]);
    expect(await see()).toMatchObject({ payerId: null, unsent: null });
    expect(location(await enter())).toBe(path());
    expect(await see()).toMatchObject({
      guest: null,
      payerId: personId,
      unsent: { errors: {}, message: SAID, values: typed },
    });
    expect([(await see()).unsent, browser.cookies.has("__Host-coreto-unsent")]).toEqual([
      null,
      false,
    ]);
    expect(await chargesOf(personId)).toEqual([]);
  });

  test("stores no card data, and is restored only on its own page", async () => {
    const { browser, see, send, enter } = await stranded(giftOf(ana));
    await send({
      ...payment(ana),
      ...GIFT,
      method: "card:0123456789abcdef0123456789abcdef",
      cardToken: "tok_visa",
      keep: "on",
    });
    await enter();
    expect(await (await browser.get(cartOf(ana))).json()).toMatchObject({ unsent: null });
    expect((await see()).unsent?.values).toEqual(GIFT);
  });

  test("is refused when another member has signed in meanwhile, and nothing is charged", async () => {
    const { browser, personId, send, enter } = await stranded(cartOf(ana));
    const other = signUpFields();
    const { personId: otherId } = await insertMember(other);
    await enter(other);
    const answer = await send(payment(ana));
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain(
      "Esta página foi aberta em outra conta, e nada foi cobrado.",
    );
    expect([await chargesOf(personId), await chargesOf(otherId)]).toEqual([[], []]);
    expect((await browser.post(cartOf(ana), { payer: otherId, ...payment(ana) })).status).toBe(303);
  });

  test("is not shown to another member who signs in, and is then deleted", async () => {
    const other = signUpFields();
    await insertMember(other);
    const { browser, see, send, enter } = await stranded(giftOf(ana));
    await send({ ...payment(ana), ...GIFT });
    expect(decodeURIComponent(browser.cookies.get("__Host-coreto-unsent") ?? "")).toMatch(
      /^[\w-]{200,2000}$/,
    );
    await enter(other);
    expect([(await see()).unsent, browser.cookies.has("__Host-coreto-unsent")]).toEqual([
      null,
      false,
    ]);
    await enter();
    expect((await see()).unsent).toBeNull();
  });

  test("is kept for half an hour, and only if the page was opened by a member", async () => {
    const late = await stranded(giftOf(ana));
    await late.send({ ...payment(ana), ...GIFT });
    vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + 1_801_000 });
    await late.enter();
    expect((await late.see()).unsent).toBeNull();
    vi.useRealTimers();
    const marked = await stranded(giftOf(ana));
    await marked.send({ ...payment(ana), ...GIFT, payer: "" });
    expect(marked.browser.cookies.has("__Host-coreto-unsent")).toBe(false);
    marked.browser.cookies.set("__Host-coreto-unsent", "Zm9yZ2Vk");
    await marked.enter();
    expect([
      (await marked.see()).unsent,
      marked.browser.cookies.has("__Host-coreto-unsent"),
    ]).toEqual([null, false]);
  });
});

test("with Clerk a guest must sign in first, and nothing is stored", async () => {
  const { env } = await fakeClerk();
  const withClerk = createRouteCaller(doorways, env);
  expect(await (await accountBrowser(withClerk).get(cartOf(ana))).json()).toMatchObject({
    guest: { mayPay: false },
  });
  const who = guest();
  const answer = await accountBrowser(withClerk).post(cartOf(ana), { ...payment(ana), ...who });
  expect([answer.status, location(answer)]).toEqual([
    303,
    `/auth/login?to=${encodeURIComponent(cartOf(ana))}`,
  ]);
  expect(await personOf(who.email)).toBeNull();
});
