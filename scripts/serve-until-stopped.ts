import { startLocalProduct } from "./local-product.ts";
import type { RunningProduct } from "./local-product.ts";

/**
 * Starts the product, prints its address, and runs until stopped. `PORT`, `HOST` and the product's
 * own variables come from the environment.
 */
export async function serveUntilStopped(options: {
  defaultPort: number;
  dataDirectory: string;
}): Promise<void> {
  const startedAt = Date.now();
  const port = portOf(process.env.PORT, options.defaultPort);
  const running = await startOrExit(port, options.dataDirectory);
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    console.log("\nParando…");
    await running.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Miniflare listens too and exits at once; running work must finish first.
    process.removeAllListeners(signal);
    process.on(signal, () => void stop());
  }
  // Printed last, so that a caller that waits for this text can stop the product at once.
  announce(running, Date.now() - startedAt);
}

async function startOrExit(port: number, dataDirectory: string): Promise<RunningProduct> {
  try {
    return await startLocalProduct({
      port,
      dataDirectory,
      seed: process.env.CORETO_SEED !== "false",
      env: variablesFromEnvironment(),
      report: (line) => console.log(line),
      ...(process.env.HOST ? { host: process.env.HOST } : {}),
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const CONFIGURABLE = [
  "FEE_PERCENTAGE",
  "PAYOUT_APPROVAL_LIMIT",
  "PIX_AVAILABLE",
  "QUERY_DEVTOOLS",
  "UNCOMPLETED_FEATURES",
  "MODE",
  "API_BASE_URL",
  "ANALYTICS_MEASUREMENT_ID",
  "PAYMENT_PROVIDER",
  "PAYMENT_PROVIDER_PIX",
  "PAYMENT_PROVIDER_CARD",
  "PAYMENT_PROVIDERS_KEPT",
  "COMPANY_NAME",
  "COMPANY_CNPJ",
  "COMPANY_ADDRESS",
  "COMPANY_EMAIL",
  "COMPANY_PRIVACY_EMAIL",
  "FISCAL_MUNICIPAL_ID",
  "FISCAL_SERVICE_CODE",
  "FISCAL_ISS_PERCENTAGE",
  "ADULT_SPACES",
  "ADULT_PAYMENTS",
  "AGE_CHECK_PROVIDER",
];
const PROVIDERS = [
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "ASAAS_API_KEY",
  "ASAAS_WEBHOOK_TOKEN",
  "ASAAS_API_URL",
];
const CLERK = ["CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_JWT_KEY", "CLERK_JWT_TEMPLATE"];

const OUTSIDE = /^OIDC_(PROVIDERS|[A-Z0-9_]+_(ISSUER|CLIENT_ID|CLIENT_SECRET|NAME))$/;

/** Only the variables of .env.example: workers do not receive the rest of a shell's environment. */
function variablesFromEnvironment(): Record<string, string> {
  const outside = Object.keys(process.env).filter((name) => OUTSIDE.test(name));
  const given = [...CONFIGURABLE, ...CLERK, ...PROVIDERS, ...outside].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function portOf(text: string | undefined, fallback: number): number {
  const port = Number(text || fallback);
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port;
  console.error(`PORT: ${text} is not a port.`);
  process.exit(1);
}

function announce({ origin, sandboxOrigin }: RunningProduct, tookMs: number): void {
  console.log(`
  Coreto          ${origin}   (${(tookMs / 1000).toFixed(1)} s)
  Sandbox         ${origin}/sandbox   pagar, recusar, contestar, adiantar o relógio, ler os e-mails
  Provedor        ${sandboxOrigin}

  ana@coreto.test     quem cria     /space/ana/public
  bruno@coreto.test   fã
  carla@coreto.test   moderação     /admin/documents
  senha: coreto-demo-2026
`);
}
