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
import { billingDetails } from "#drizzle/schema/billing.ts";
import { people } from "#drizzle/schema/identity.ts";
import { charges } from "#drizzle/schema/payments.ts";
import {
  accountBrowser,
  mailsTo,
  mailTo,
  codeOtherThan,
  refusalIn,
} from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { createRouteCaller, signUpFields } from "#tests/support/call-route.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { insertMember } from "#tests/support/registered.ts";
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

describe("guest checkout with another person's e-mail", () => {
  test("creates no account without the code, or with it in another browser", async () => {
    const { browser, who } = await begun();
    const { code } = await mailTo(who.email);
    expect((await browser.post(CODE, { code: codeOtherThan(code) })).status).toBe(400);
    expect((await accountBrowser(ask).post(CODE, { code })).status).toBe(409);
    expect(await personOf(who.email)).toBeNull();
  });

  test("says that the e-mail has an account only after the code, and then asks to sign in with the same cart", async () => {
    const owner = signUpFields();
    const { personId } = await insertMember(owner);
    const { browser, answer } = await begun({ email: owner.email });
    expect([answer.status, location(answer)]).toEqual([303, CODE]);
    expect(await (await browser.get(CODE)).json()).toEqual({
      email: owner.email,
      cartPath: cartOf(ana),
      button: "Confirmar e pagar",
    });
    expect(location(await browser.post(CODE, { code: (await mailTo(owner.email)).code }))).toBe(
      "/auth/register/taken",
    );
    expect(await (await browser.get("/auth/register/taken")).json()).toEqual({
      email: owner.email,
      to: cartOf(ana),
      otherPath: cartOf(ana),
    });
    expect(await chargesOf(personId)).toEqual([]);
    const entered = await browser.post(`/auth/login?to=${encodeURIComponent(cartOf(ana))}`, {
      identifier: owner.email,
      password: owner.password,
    });
    expect(location(entered)).toBe(cartOf(ana));
    expect(
      await ctx.db.select().from(billingDetails).where(eq(billingDetails.personId, personId)),
    ).toEqual([]);
  });

  test("sends at most eight e-mails in ten minutes to one address", async () => {
    const who = guest();
    for (let tries = 0; tries < 8; tries += 1)
      await accountBrowser(ask).post(cartOf(ana), { ...payment(ana), ...who });
    expect((await accountBrowser(ask).post(cartOf(ana), { ...payment(ana), ...who })).status).toBe(
      429,
    );
    await mailTo(who.email, 8);
    expect(await mailsTo(who.email)).toHaveLength(8);
  });
});

describe("guest form validation", () => {
  test.each([
    [{ taxId: "529.982.247-24" }, "taxId", "Confira o CPF: os números não batem"],
    [{ taxId: "12.ABC.345/01DE-36" }, "taxId", "Confira o CNPJ: os dígitos do fim não batem"],
    [{ taxId: "123" }, "taxId", "O CPF tem 11 números; o CNPJ, 14 letras ou números"],
    [{ taxId: "" }, "taxId", "Informe o CPF ou o CNPJ"],
    [{ email: "lia" }, "email", "Identificador inválido."],
    [{ name: " " }, "name", "Campo obrigatório"],
    [{ birthDate: "31/02/1990" }, "birthDate", "31/02/1990 não existe. Confira a data"],
    [{ birthDate: "31021990" }, "birthDate", "31/02/1990 não existe. Confira a data"],
    [{ birthDate: "trinta" }, "birthDate", "Use dia/mês/ano, como 31/12/1990"],
    [
      { termsVersion: "1999-01-01" },
      "termsVersion",
      "Os termos mudaram enquanto você preenchia. Leia e aceite a versão em vigor.",
    ],
  ])("%j is refused beside its field, and no e-mail is sent", async (changes, field, said) => {
    const { who, answer } = await begun(changes);
    const { errors, values } = (await answer.json()) as {
      errors: Record<string, string>;
      values: Record<string, string>;
    };
    expect([answer.status, errors]).toEqual([400, { [field]: said }]);
    expect(values).toMatchObject({
      method: "pix",
      ...(field === "email" ? {} : { email: who.email }),
    });
    expect(await mailsTo(who.email)).toEqual([]);
  });

  test("reports errors of guest and payment fields together", async () => {
    const answer = await accountBrowser(ask).post(cartOf(ana), {
      ...payment(ana),
      ...guest({ taxId: "1" }),
      method: "boleto",
    });
    expect(Object.keys(((await answer.json()) as { errors: object }).errors).toSorted()).toEqual([
      "method",
      "taxId",
    ]);
  });

  test("refuses a payer under 16", async () => {
    const { who, answer } = await begun({
      birthDate: `01/01/${testClock.date().getFullYear() - 15}`,
    });
    expect(await refusalIn(answer)).toContain("já fez 16 anos");
    expect(await mailsTo(who.email)).toEqual([]);
  });
});
