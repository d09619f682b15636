import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { byMethod } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/** A payment provider with its keys. Only a local build reads the sandbox's keys. */
export type ProviderConfiguration =
  | { provider: "sandbox" }
  | {
      provider: "stripe";
      secretKey: string;
      webhookSecret: string;
      /** Null where cards are typed on Stripe's own page. */
      publishableKey: string | null;
    }
  | { provider: "asaas"; apiKey: string; webhookToken: string; apiUrl: string };

type ProviderName = ProviderConfiguration["provider"];

/**
 * The acquirer of each method, and the keys of every provider that takes charges now or took them
 * before.
 */
export type PaymentConfiguration = Record<PaymentMethod, ProviderName> & {
  providers: ProviderConfiguration[];
};

type PaymentProviderVariables = { readonly [name: string]: unknown };
type PaymentProvidersResult = { payments: PaymentConfiguration | null; problems: string[] };
type PaymentProviderResult = { configuration: ProviderConfiguration | null; problems: string[] };

const ASAAS_URL = "https://api.asaas.com/v3";
/** Asaas's own limits for the token of a webhook. */
const TOKEN = { shortest: 32, longest: 255 } as const;
/** The variable that gives one method to another provider. */
const VARIABLES: Record<PaymentMethod, string> = {
  pix: "PAYMENT_PROVIDER_PIX",
  card: "PAYMENT_PROVIDER_CARD",
};
/** The Asaas adapter charges no cards. */
const WITHOUT_CARDS: ReadonlySet<string> = new Set(["asaas"]);

/**
 * Reads the payment providers. `PAYMENT_PROVIDER` takes both methods. `PAYMENT_PROVIDER_PIX` or
 * `PAYMENT_PROVIDER_CARD` gives one to another provider. `PAYMENT_PROVIDERS_KEPT` names others that
 * take no new charges and still settle their old ones. Each needs all its keys: a missing one is
 * reported by its name, in Portuguese. Keys of other providers are ignored. In production a test
 * key is refused, because it would sell for nothing.
 */
export function readPaymentProvider(source: PaymentProviderVariables): PaymentProvidersResult {
  const common = textOf(source.PAYMENT_PROVIDER);
  const chosen = byMethod((method) => textOf(source[VARIABLES[method]]) || common);
  const formerProviders = textOf(source.PAYMENT_PROVIDERS_KEPT)
    .split(/[\s,]+/)
    .filter(Boolean);
  if (Object.values(chosen).includes(""))
    return { payments: null, problems: ["PAYMENT_PROVIDER: falta um valor"] };
  const named = new Map<string, string>();
  for (const [variable, name] of [
    ["PAYMENT_PROVIDER", common],
    ...PAYMENT_METHODS.map((method) => [VARIABLES[method], chosen[method]] as const),
    ...formerProviders.map((name) => ["PAYMENT_PROVIDERS_KEPT", name] as const),
  ] as const) {
    if (name !== "" && !named.has(name)) named.set(name, variable);
  }
  const read = [...named].map(([name, variable]) => readOne(source, variable, name));
  const problems = [
    ...read.flatMap((one) => one.problems),
    ...(chosen.card !== chosen.pix && WITHOUT_CARDS.has(chosen.card)
      ? [`${VARIABLES.card}: ${JSON.stringify(chosen.card)} não cobra cartões neste produto`]
      : []),
  ];
  const providers = read.flatMap(({ configuration }) => configuration ?? []);
  const takers = byMethod(
    (method) => providers.find(({ provider }) => provider === chosen[method])?.provider,
  );
  if (problems.length > 0 || !isComplete(takers)) return { payments: null, problems };
  return { payments: { ...takers, providers }, problems };
}

const isComplete = (
  takers: Record<PaymentMethod, ProviderName | undefined>,
): takers is Record<PaymentMethod, ProviderName> => !Object.values(takers).includes(undefined);

function readOne(
  source: PaymentProviderVariables,
  variable: string,
  provider: string,
): PaymentProviderResult {
  if (provider === "stripe") return stripe(source, variable);
  if (provider === "asaas") return asaas(source, variable);
  if (__LOCAL__ && provider === "sandbox") return { configuration: { provider }, problems: [] };
  return {
    configuration: null,
    problems: [
      `${variable}: ${JSON.stringify(provider)} não é um provedor de pagamento que este produto tenha`,
    ],
  };
}

function stripe(source: PaymentProviderVariables, variable: string): PaymentProviderResult {
  const [secretKey, webhookSecret, publishableKey] = [
    textOf(source.STRIPE_SECRET_KEY),
    textOf(source.STRIPE_WEBHOOK_SECRET),
    textOf(source.STRIPE_PUBLISHABLE_KEY),
  ];
  const problems = missing(`${variable}=stripe`, {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  });
  if (secretKey !== "" && !/^[sr]k_(test|live)_\w+$/.test(secretKey))
    problems.push("STRIPE_SECRET_KEY: precisa ser uma chave secreta da Stripe (sk_… ou rk_…)");
  else if (isProduction(source) && /^[sr]k_test_/.test(secretKey))
    problems.push("STRIPE_SECRET_KEY: em produção, uma chave de teste venderia de graça");
  if (
    webhookSecret !== "" &&
    !webhookSecret.split(/\s+/).every((secret) => secret.startsWith("whsec_"))
  )
    problems.push("STRIPE_WEBHOOK_SECRET: cada segredo começa com whsec_");
  if (publishableKey !== "" && !/^pk_(test|live)_\w+$/.test(publishableKey))
    problems.push("STRIPE_PUBLISHABLE_KEY: precisa ser uma chave publicável da Stripe (pk_…)");
  // A card that is typed in one mode does not exist in the other.
  else if (
    publishableKey !== "" &&
    secretKey !== "" &&
    modeOf(publishableKey) !== modeOf(secretKey)
  )
    problems.push(
      "STRIPE_PUBLISHABLE_KEY: precisa ser do mesmo modo que STRIPE_SECRET_KEY, teste ou produção",
    );
  return problems.length > 0
    ? { configuration: null, problems }
    : {
        configuration: {
          provider: "stripe",
          secretKey,
          webhookSecret,
          publishableKey: publishableKey || null,
        },
        problems,
      };
}

const modeOf = (key: string): string | undefined => key.split("_")[1];

function asaas(source: PaymentProviderVariables, variable: string): PaymentProviderResult {
  const [apiKey, webhookToken] = [textOf(source.ASAAS_API_KEY), textOf(source.ASAAS_WEBHOOK_TOKEN)];
  const apiUrl = (textOf(source.ASAAS_API_URL) || ASAAS_URL).replace(/\/$/, "");
  const problems = missing(`${variable}=asaas`, {
    ASAAS_API_KEY: apiKey,
    ASAAS_WEBHOOK_TOKEN: webhookToken,
  });
  const isLongEnough = webhookToken
    .split(/\s+/)
    .every(({ length }) => length >= TOKEN.shortest && length <= TOKEN.longest);
  if (webhookToken !== "" && !isLongEnough)
    problems.push(
      `ASAAS_WEBHOOK_TOKEN: precisa ter de ${TOKEN.shortest} a ${TOKEN.longest} caracteres`,
    );
  if (!isApi(apiUrl)) problems.push("ASAAS_API_URL: precisa ser um endereço https");
  else if (isProduction(source) && apiUrl.includes("sandbox"))
    problems.push("ASAAS_API_URL: em produção, o ambiente de teste venderia de graça");
  return problems.length > 0
    ? { configuration: null, problems }
    : { configuration: { provider: "asaas", apiKey, webhookToken, apiUrl }, problems };
}

function missing(chosen: string, keys: Record<string, string>): string[] {
  return Object.entries(keys).flatMap(([name, value]) =>
    value === "" ? [`${name}: falta um valor; ${chosen} precisa de todas as suas chaves`] : [],
  );
}

/** Only a local machine may be called without TLS, and only by a build that is not deployed. */
function isApi(text: string): boolean {
  const parsed = URL.parse(text);
  return (
    parsed !== null &&
    (parsed.protocol === "https:" ||
      (__LOCAL__ && parsed.protocol === "http:" && parsed.hostname === "127.0.0.1"))
  );
}

/** A local build is never in production, whatever its MODE says. */
const isProduction = (source: PaymentProviderVariables): boolean =>
  !__LOCAL__ && textOf(source.MODE) === "production";

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
