/** Who moves the money, with the keys that it needs. The sandbox has its own, which only a local build reads. */
export type PaymentConfiguration =
  | { provider: "sandbox" }
  | { provider: "stripe"; secretKey: string; webhookSecret: string }
  | { provider: "asaas"; apiKey: string; webhookToken: string; apiUrl: string };

type Source = { readonly [name: string]: unknown };
type Read = { payments: PaymentConfiguration | null; problems: string[] };

const ASAAS_URL = "https://api.asaas.com/v3";
/** What Asaas itself asks of the token of a webhook. */
const TOKEN = { shortest: 32, longest: 255 } as const;

/**
 * `PAYMENT_PROVIDER` and, for a real one, all of its keys: a missing one is said by its name, in Portuguese. Keys of a provider that was
 * not chosen are not looked at. In production a test key would sell for nothing, so that it is refused.
 */
export function readPaymentProvider(source: Source): Read {
  const provider = textOf(source.PAYMENT_PROVIDER);
  if (provider === "stripe") return stripe(source);
  if (provider === "asaas") return asaas(source);
  if (__LOCAL__ && provider === "sandbox") return { payments: { provider }, problems: [] };
  if (provider === "") return { payments: null, problems: ["PAYMENT_PROVIDER: falta um valor"] };
  return { payments: null, problems: [`PAYMENT_PROVIDER: ${JSON.stringify(provider)} não é um provedor de pagamento que este produto tenha`] };
}

function stripe(source: Source): Read {
  const [secretKey, webhookSecret] = [textOf(source.STRIPE_SECRET_KEY), textOf(source.STRIPE_WEBHOOK_SECRET)];
  const problems = missing("stripe", { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret });
  if (secretKey !== "" && !/^[sr]k_(test|live)_\w+$/.test(secretKey)) problems.push("STRIPE_SECRET_KEY: precisa ser uma chave secreta da Stripe (sk_… ou rk_…)");
  else if (isProduction(source) && /^[sr]k_test_/.test(secretKey)) problems.push("STRIPE_SECRET_KEY: em produção, uma chave de teste venderia de graça");
  if (webhookSecret !== "" && !webhookSecret.split(/\s+/).every((secret) => secret.startsWith("whsec_"))) problems.push("STRIPE_WEBHOOK_SECRET: cada segredo começa com whsec_");
  return problems.length > 0 ? { payments: null, problems } : { payments: { provider: "stripe", secretKey, webhookSecret }, problems };
}

function asaas(source: Source): Read {
  const [apiKey, webhookToken] = [textOf(source.ASAAS_API_KEY), textOf(source.ASAAS_WEBHOOK_TOKEN)];
  const apiUrl = (textOf(source.ASAAS_API_URL) || ASAAS_URL).replace(/\/$/, "");
  const problems = missing("asaas", { ASAAS_API_KEY: apiKey, ASAAS_WEBHOOK_TOKEN: webhookToken });
  const isLongEnough = webhookToken.split(/\s+/).every(({ length }) => length >= TOKEN.shortest && length <= TOKEN.longest);
  if (webhookToken !== "" && !isLongEnough) problems.push(`ASAAS_WEBHOOK_TOKEN: precisa ter de ${TOKEN.shortest} a ${TOKEN.longest} caracteres`);
  if (!isApi(apiUrl)) problems.push("ASAAS_API_URL: precisa ser um endereço https");
  else if (isProduction(source) && apiUrl.includes("sandbox")) problems.push("ASAAS_API_URL: em produção, o ambiente de teste venderia de graça");
  return problems.length > 0 ? { payments: null, problems } : { payments: { provider: "asaas", apiKey, webhookToken, apiUrl }, problems };
}

function missing(provider: string, keys: Record<string, string>): string[] {
  return Object.entries(keys).flatMap(([name, value]) => (value === "" ? [`${name}: falta um valor; PAYMENT_PROVIDER=${provider} precisa de todas as suas chaves`] : []));
}

/** Only a machine of one's own may speak without TLS, and only where nothing is deployed. */
function isApi(text: string): boolean {
  const parsed = URL.parse(text);
  return parsed !== null && (parsed.protocol === "https:" || (__LOCAL__ && parsed.protocol === "http:" && parsed.hostname === "127.0.0.1"));
}

/** A local build is never in production, whatever its MODE says. */
const isProduction = (source: Source): boolean => !__LOCAL__ && textOf(source.MODE) === "production";

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
