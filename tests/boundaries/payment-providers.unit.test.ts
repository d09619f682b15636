import { describe, expect, test } from "vitest";
import { readConfiguration } from "#app/configuration.ts";
import { readPaymentProvider } from "#app/payment-providers.ts";

const STRIPE = { PAYMENT_PROVIDER: "stripe", STRIPE_SECRET_KEY: "sk_test_51abc", STRIPE_WEBHOOK_SECRET: "whsec_now whsec_before" };
const ASAAS = { PAYMENT_PROVIDER: "asaas", ASAAS_API_KEY: "$aact_hmlg_abc", ASAAS_WEBHOOK_TOKEN: "0123456789abcdef0123456789abcdef" };

describe("every key is there", () => {
  test("Stripe is read, with the secrets in rotation", () => {
    expect(readPaymentProvider(STRIPE)).toEqual({ payments: { provider: "stripe", secretKey: "sk_test_51abc", webhookSecret: "whsec_now whsec_before" }, problems: [] });
  });

  test("Asaas is read, at its own address unless said otherwise", () => {
    expect(readPaymentProvider(ASAAS).payments).toEqual({ provider: "asaas", apiKey: "$aact_hmlg_abc", webhookToken: ASAAS.ASAAS_WEBHOOK_TOKEN, apiUrl: "https://api.asaas.com/v3" });
    expect(readPaymentProvider({ ...ASAAS, ASAAS_API_URL: "https://api-sandbox.asaas.com/v3/" }).payments).toMatchObject({ apiUrl: "https://api-sandbox.asaas.com/v3" });
  });

  test("keys of a provider that was not chosen are not looked at", () => {
    expect(readPaymentProvider({ ...ASAAS, STRIPE_SECRET_KEY: "nonsense" }).problems).toEqual([]);
    expect(readPaymentProvider({ PAYMENT_PROVIDER: "sandbox", ASAAS_API_KEY: "x" })).toEqual({ payments: { provider: "sandbox" }, problems: [] });
  });
});

test.each([
  [STRIPE, "STRIPE_SECRET_KEY"],
  [STRIPE, "STRIPE_WEBHOOK_SECRET"],
  [ASAAS, "ASAAS_API_KEY"],
  [ASAAS, "ASAAS_WEBHOOK_TOKEN"],
])("half the keys of %o: the missing %s is said by its name", (keys, name) => {
  const { payments, problems } = readPaymentProvider({ ...keys, [name]: " " });
  expect(payments).toBeNull();
  expect(problems).toEqual([`${name}: falta um valor; PAYMENT_PROVIDER=${keys.PAYMENT_PROVIDER} precisa de todas as suas chaves`]);
});

test.each([
  [{ ...STRIPE, STRIPE_SECRET_KEY: "pk_test_51abc" }, "STRIPE_SECRET_KEY: precisa ser uma chave secreta da Stripe (sk_… ou rk_…)"],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "whsec_now other" }, "STRIPE_WEBHOOK_SECRET: cada segredo começa com whsec_"],
  [{ ...ASAAS, ASAAS_WEBHOOK_TOKEN: "short" }, "ASAAS_WEBHOOK_TOKEN: precisa ter de 32 a 255 caracteres"],
  [{ ...ASAAS, ASAAS_API_URL: "http://api.asaas.com/v3" }, "ASAAS_API_URL: precisa ser um endereço https"],
  [{ ...ASAAS, ASAAS_API_URL: "asaas" }, "ASAAS_API_URL: precisa ser um endereço https"],
  [{}, "PAYMENT_PROVIDER: falta um valor"],
  [{ PAYMENT_PROVIDER: "imaginary" }, 'PAYMENT_PROVIDER: "imaginary" não é um provedor de pagamento que este produto tenha'],
])("%o is refused", (source, problem) => {
  expect(readPaymentProvider(source)).toEqual({ payments: null, problems: [problem] });
});

test("a missing key stops the start with every other problem", () => {
  const checked = readConfiguration({ ...ASAAS, ASAAS_API_KEY: "", MODE: "staging" });
  expect(checked.ok).toBe(false);
  expect(checked.ok ? [] : checked.problems.map((problem) => problem.split(":")[0])).toEqual(expect.arrayContaining(["ASAAS_API_KEY", "MODE", "AUTH_SECRET"]));
});
