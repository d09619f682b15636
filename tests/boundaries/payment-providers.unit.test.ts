import { describe, expect, test } from "vitest";
import { readConfiguration } from "#app/configuration/configuration.ts";
import { readPaymentProvider } from "#app/configuration/payment-providers.ts";

const STRIPE = {
  PAYMENT_PROVIDER: "stripe",
  STRIPE_SECRET_KEY: "sk_test_51abc",
  STRIPE_WEBHOOK_SECRET: "whsec_now whsec_before",
};
const ASAAS = {
  PAYMENT_PROVIDER: "asaas",
  ASAAS_API_KEY: "$aact_hmlg_abc",
  ASAAS_WEBHOOK_TOKEN: "0123456789abcdef0123456789abcdef",
};
const TWO = {
  ...STRIPE,
  ...ASAAS,
  PAYMENT_PROVIDER: "",
  PAYMENT_PROVIDER_PIX: "asaas",
  PAYMENT_PROVIDER_CARD: "stripe",
};

const [stripe, asaas] = [
  {
    provider: "stripe",
    secretKey: "sk_test_51abc",
    webhookSecret: "whsec_now whsec_before",
    publishableKey: null,
  },
  {
    provider: "asaas",
    apiKey: "$aact_hmlg_abc",
    webhookToken: ASAAS.ASAAS_WEBHOOK_TOKEN,
    apiUrl: "https://api.asaas.com/v3",
  },
];

describe("complete configuration", () => {
  test("Stripe is read, with current and previous webhook secrets", () => {
    expect(readPaymentProvider(STRIPE)).toEqual({
      payments: { pix: "stripe", card: "stripe", providers: [stripe] },
      problems: [],
    });
    expect(
      readPaymentProvider({ ...STRIPE, STRIPE_PUBLISHABLE_KEY: "pk_test_51abc" }).payments
        ?.providers,
    ).toEqual([{ ...stripe, publishableKey: "pk_test_51abc" }]);
  });

  test("Asaas is read, at its own address by default", () => {
    expect(readPaymentProvider(ASAAS).payments?.providers).toEqual([asaas]);
    expect(
      readPaymentProvider({ ...ASAAS, ASAAS_API_URL: "https://api-sandbox.asaas.com/v3/" }).payments
        ?.providers,
    ).toMatchObject([{ apiUrl: "https://api-sandbox.asaas.com/v3" }]);
  });

  test("keys of a provider that is not named are ignored", () => {
    expect(readPaymentProvider({ ...ASAAS, STRIPE_SECRET_KEY: "nonsense" }).problems).toEqual([]);
    expect(readPaymentProvider({ PAYMENT_PROVIDER: "sandbox", ASAAS_API_KEY: "x" })).toEqual({
      payments: { pix: "sandbox", card: "sandbox", providers: [{ provider: "sandbox" }] },
      problems: [],
    });
  });
});

describe("several providers", () => {
  test("Pix uses one provider and cards the other, with the keys of both", () => {
    expect(readPaymentProvider(TWO)).toEqual({
      payments: { pix: "asaas", card: "stripe", providers: [asaas, stripe] },
      problems: [],
    });
  });

  test("one method may use another provider, and the other stays", () => {
    expect(
      readPaymentProvider({ ...TWO, PAYMENT_PROVIDER: "stripe", PAYMENT_PROVIDER_CARD: "" })
        .payments,
    ).toMatchObject({ pix: "asaas", card: "stripe" });
  });

  test("a former provider that is still named handles the charges that it took", () => {
    const named = (source: Record<string, string>) =>
      readPaymentProvider(source).payments?.providers.map(({ provider }) => provider);
    expect(named({ ...TWO, PAYMENT_PROVIDER: "sandbox" })).toEqual(["sandbox", "asaas", "stripe"]);
    expect(
      named({
        ...STRIPE,
        ...ASAAS,
        PAYMENT_PROVIDER: "stripe",
        PAYMENT_PROVIDERS_KEPT: "asaas, sandbox",
      }),
    ).toEqual(["stripe", "asaas", "sandbox"]);
  });
});

test.each([
  [STRIPE, "STRIPE_SECRET_KEY", "PAYMENT_PROVIDER=stripe"],
  [STRIPE, "STRIPE_WEBHOOK_SECRET", "PAYMENT_PROVIDER=stripe"],
  [ASAAS, "ASAAS_API_KEY", "PAYMENT_PROVIDER=asaas"],
  [ASAAS, "ASAAS_WEBHOOK_TOKEN", "PAYMENT_PROVIDER=asaas"],
  [TWO, "ASAAS_API_KEY", "PAYMENT_PROVIDER_PIX=asaas"],
  [TWO, "STRIPE_SECRET_KEY", "PAYMENT_PROVIDER_CARD=stripe"],
  [
    { ...STRIPE, PAYMENT_PROVIDERS_KEPT: "asaas", ASAAS_API_KEY: "x" },
    "ASAAS_WEBHOOK_TOKEN",
    "PAYMENT_PROVIDERS_KEPT=asaas",
  ],
])("incomplete keys of %o: the missing %s is named", (keys, name, chosen) => {
  const { payments, problems } = readPaymentProvider({ ...keys, [name]: " " });
  expect(payments).toBeNull();
  expect(problems).toEqual([`${name}: falta um valor; ${chosen} precisa de todas as suas chaves`]);
});

test.each([
  [
    { ...STRIPE, STRIPE_SECRET_KEY: "pk_test_51abc" },
    "STRIPE_SECRET_KEY: precisa ser uma chave secreta da Stripe (sk_… ou rk_…)",
  ],
  [
    { ...STRIPE, STRIPE_WEBHOOK_SECRET: "whsec_now other" },
    "STRIPE_WEBHOOK_SECRET: cada segredo começa com whsec_",
  ],
  [
    { ...STRIPE, STRIPE_PUBLISHABLE_KEY: "sk_test_51abc" },
    "STRIPE_PUBLISHABLE_KEY: precisa ser uma chave publicável da Stripe (pk_…)",
  ],
  [
    { ...STRIPE, STRIPE_PUBLISHABLE_KEY: "pk_live_51abc" },
    "STRIPE_PUBLISHABLE_KEY: precisa ser do mesmo modo que STRIPE_SECRET_KEY, teste ou produção",
  ],
  [
    { ...ASAAS, ASAAS_WEBHOOK_TOKEN: "short" },
    "ASAAS_WEBHOOK_TOKEN: precisa ter de 32 a 255 caracteres",
  ],
  [
    { ...ASAAS, ASAAS_API_URL: "http://api.asaas.com/v3" },
    "ASAAS_API_URL: precisa ser um endereço https",
  ],
  [{ ...ASAAS, ASAAS_API_URL: "asaas" }, "ASAAS_API_URL: precisa ser um endereço https"],
  [{}, "PAYMENT_PROVIDER: falta um valor"],
  [{ PAYMENT_PROVIDER_PIX: "sandbox" }, "PAYMENT_PROVIDER: falta um valor"],
  [
    { PAYMENT_PROVIDER: "imaginary" },
    'PAYMENT_PROVIDER: "imaginary" não é um provedor de pagamento que este produto tenha',
  ],
  [
    { PAYMENT_PROVIDER: "sandbox", PAYMENT_PROVIDER_PIX: "imaginary" },
    'PAYMENT_PROVIDER_PIX: "imaginary" não é um provedor de pagamento que este produto tenha',
  ],
  [
    { ...STRIPE, ...ASAAS, PAYMENT_PROVIDER: "stripe", PAYMENT_PROVIDER_CARD: "asaas" },
    'PAYMENT_PROVIDER_CARD: "asaas" não cobra cartões neste produto',
  ],
])("%o is refused", (source, problem) => {
  expect(readPaymentProvider(source)).toEqual({ payments: null, problems: [problem] });
});

test("a missing key stops the start and is listed with every other problem", () => {
  const checked = readConfiguration({ ...ASAAS, ASAAS_API_KEY: "", MODE: "staging" });
  expect(checked.ok).toBe(false);
  expect(checked.ok ? [] : checked.problems.map((problem) => problem.split(":")[0])).toEqual(
    expect.arrayContaining(["ASAAS_API_KEY", "MODE", "AUTH_SECRET"]),
  );
});
