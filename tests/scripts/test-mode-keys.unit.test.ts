import { expect, test } from "vitest";
import { testModeProblem } from "#scripts/test-mode-keys.ts";

test.each([
  ["stripe", { STRIPE_SECRET_KEY: "sk_test_abc" }],
  ["stripe", { STRIPE_SECRET_KEY: "rk_test_abc" }],
  ["asaas", { ASAAS_API_KEY: "x", ASAAS_API_URL: "https://api-sandbox.asaas.com/v3" }],
])("%s accepts its test mode keys", (provider, keys) => {
  expect(testModeProblem(provider, keys)).toBeNull();
});

test.each([
  ["stripe", {}],
  ["stripe", { STRIPE_SECRET_KEY: "sk_live_abc" }],
  ["stripe", { STRIPE_SECRET_KEY: "sk_live_sk_test_abc" }],
  ["asaas", { ASAAS_API_URL: "https://api-sandbox.asaas.com/v3" }],
  ["asaas", { ASAAS_API_KEY: "x" }],
  ["asaas", { ASAAS_API_KEY: "x", ASAAS_API_URL: "https://api.asaas.com/v3" }],
  [
    "asaas",
    { ASAAS_API_KEY: "x", ASAAS_API_URL: "https://api.asaas.com/v3?api-sandbox.asaas.com" },
  ],
  ["sandbox", {}],
])("%s never accepts %j", (provider, keys) => {
  expect(testModeProblem(provider, keys)).toEqual(expect.any(String));
});
