import { expect, test } from "vitest";
import type { Env } from "#app/configuration/env.ts";
import { cardFieldPage } from "#app/compose-card-field.ts";
import { contentSecurityPolicy } from "#app/http/headers/security-headers.ts";

const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_51abc",
  STRIPE_WEBHOOK_SECRET: "whsec_now",
  STRIPE_PUBLISHABLE_KEY: "pk_test_51abc",
};
const ASAAS = { ASAAS_API_KEY: "x", ASAAS_WEBHOOK_TOKEN: "0123456789abcdef0123456789abcdef" };
const fieldWith = (variables: Partial<Env>) => cardFieldPage(variables as Env, { theme: "dark" });

test.each([
  ["nobody", {}],
  ["the sandbox", { ...STRIPE, PAYMENT_PROVIDER: "sandbox" }],
  [
    "Stripe, without its publishable key",
    { ...STRIPE, STRIPE_PUBLISHABLE_KEY: "", PAYMENT_PROVIDER: "stripe" },
  ],
  [
    "Stripe, which takes only Pix",
    { ...STRIPE, PAYMENT_PROVIDER: "sandbox", PAYMENT_PROVIDER_PIX: "stripe" },
  ],
])("where cards are taken by %s there is no frame of Stripe's", (_who, variables) => {
  expect(fieldWith(variables)).toBeNull();
});

test.each([
  ["everything", { ...STRIPE, PAYMENT_PROVIDER: "stripe" }],
  [
    "cards beside Asaas",
    { ...STRIPE, ...ASAAS, PAYMENT_PROVIDER_PIX: "asaas", PAYMENT_PROVIDER_CARD: "stripe" },
  ],
])(
  "where Stripe takes %s its library is opened in the frame, which only we may hold",
  async (_what, variables) => {
    const page = fieldWith(variables);
    const policy = page?.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'nonce-[\w-]+' https:\/\/js\.stripe\.com/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(page?.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    const html = (await page?.text()) ?? "";
    expect(html).toContain('Stripe("pk_test_51abc", { locale: "pt-BR" })');
    expect(html).not.toContain("sk_test");
  },
);

test("and nowhere else", () => {
  const env = {
    ...STRIPE,
    PAYMENT_PROVIDER: "stripe",
    SANDBOX_PUBLIC_URL: "http://127.0.0.1:5174",
  } as unknown as Env;
  expect(contentSecurityPolicy(env, "n")).not.toContain("stripe");
  expect(contentSecurityPolicy(env, null)).not.toContain("stripe");
});
