import { z } from "zod";
import { readAdultSpaces } from "./adult-spaces.ts";
import type { AgeCheckConfiguration } from "./adult-spaces.ts";
import { readCompany } from "./company.ts";
import type { Issuer, PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import { readMailSender } from "./mail-sender.ts";
import type { MailAddress } from "./mail-sender.ts";
import { readPushKeys } from "./push-keys.ts";
import type { PushKeys } from "./push-keys.ts";
import { readExternalProviders } from "./external-providers.ts";
import type { ExternalProvider } from "./external-providers.ts";
import { readPaymentProvider } from "./payment-providers.ts";
import type { PaymentConfiguration } from "./payment-providers.ts";
import { frontendApiHost } from "#app/lib/publishable-key.ts";

type ProductMode = "production" | "development" | "test";

/**
 * What Clerk needs as the identity provider. That is its three keys, the JWT template that its
 * tokens must have, and the secret that signs its webhooks.
 */
export type ClerkConfiguration = {
  publishableKey: string;
  secretKey: string;
  jwtKey: string;
  jwtTemplate: string;
  webhookSecret: string;
};

/** The product's configuration, checked once. */
export type Configuration = {
  appOrigin: string;
  apiBaseUrl: string;
  mode: ProductMode;
  /** Null when people sign in with the embedded identity. */
  clerk: ClerkConfiguration | null;
  /** Signs the sessions of the embedded identity; empty with Clerk. */
  authSecret: string;
  /** External sign-in providers: none unless configured. Clerk has its own list. */
  outsideProviders: ExternalProvider[];
  queryDevtools: boolean;
  uncompletedFeatures: boolean;
  pixAvailable: boolean;
  feeBasisPoints: BasisPoints;
  payoutApprovalCents: Cents;
  analyticsMeasurementId: string | null;
  payments: PaymentConfiguration;
  /** Null where adult spaces are off. */
  ageCheck: AgeCheckConfiguration | null;
  company: PlatformCompany;
  /** Null while nobody issues the invoices of the fee. */
  issuer: Issuer | null;
  /** The sender of emails; null where the local inbox stores them. */
  mailFrom: MailAddress | null;
  /** Null where no pushes are sent. */
  push: PushKeys | null;
};

export type CheckedConfiguration =
  | { ok: true; configuration: Configuration }
  | { ok: false; problems: string[] };

/** The variables as the platform gives them: text, or nothing. */
export type ConfigurationSource = { readonly [name: string]: unknown };

const SHORTEST_SECRET = 32;

const present = (name: string) =>
  z
    .string({ error: `${name}: falta um valor` })
    .trim()
    .min(1, `${name}: falta um valor`);
const url = (name: string) =>
  present(name).refine(isWebAddress, `${name}: precisa ser um endereço http ou https válido`);
const flag = (name: string) =>
  z
    .enum(["true", "false"], { error: `${name}: precisa ser true ou false` })
    .transform((text) => text === "true");

/** "5", "4.99": at most two decimals, so that it is a whole number of basis points. */
const feePercentage = z
  .string({ error: "FEE_PERCENTAGE: A porcentagem da taxa deve ser um número" })
  .trim()
  .regex(/^[+-]?\d+(\.\d+)?$/, "FEE_PERCENTAGE: A porcentagem da taxa deve ser um número")
  .refine(
    (text) => isBetween(text, 0, 100),
    "FEE_PERCENTAGE: A porcentagem da taxa deve estar entre 0 e 100",
  )
  .refine(
    (text) => /^[+-]?\d+(\.\d{1,2}0*)?$/.test(text),
    "FEE_PERCENTAGE: A porcentagem da taxa tem no máximo duas casas decimais",
  )
  .transform((text) => Math.round(Number(text) * 100));

const approvalLimit = z
  .string()
  .trim()
  .regex(
    /^\d{1,9}(\.\d{1,2})?$/,
    "PAYOUT_APPROVAL_LIMIT: precisa ser um valor em reais, como 5000 ou 5000.50",
  )
  .transform((text) => Math.round(Number(text) * 100));

const schema = z.object({
  APP_ORIGIN: url("APP_ORIGIN")
    .refine(isOrigin, "APP_ORIGIN: precisa ser uma origem, sem caminho")
    .transform((text) => new URL(text).origin),
  API_BASE_URL: url("API_BASE_URL"),
  MODE: z.enum(["production", "development", "test"], {
    error: "MODE: precisa ser production, development ou test",
  }),
  QUERY_DEVTOOLS: flag("QUERY_DEVTOOLS").default(false),
  UNCOMPLETED_FEATURES: flag("UNCOMPLETED_FEATURES").default(false),
  PIX_AVAILABLE: flag("PIX_AVAILABLE").default(true),
  FEE_PERCENTAGE: feePercentage,
  PAYOUT_APPROVAL_LIMIT: approvalLimit.default(500_000),
  ANALYTICS_MEASUREMENT_ID: z.string().trim().transform(emptyAsNull).default(null),
  AUTH_SECRET: z.string().default(""),
  CLERK_PUBLISHABLE_KEY: z.string().trim().default(""),
  CLERK_SECRET_KEY: z.string().trim().default(""),
  CLERK_JWT_KEY: z.string().trim().default(""),
  CLERK_JWT_TEMPLATE: z.string().trim().default(""),
  CLERK_WEBHOOK_SIGNING_SECRET: z.string().trim().default(""),
});

type ConfigurationVariables = z.infer<typeof schema>;

/**
 * Checks every variable and reports every problem at once, in Portuguese. Pure. A deployed product
 * without a real payment provider does not start (issue 2). Source: spec sections 5 and 9.
 */
export function readConfiguration(source: ConfigurationSource): CheckedConfiguration {
  const parsed = schema.safeParse(source);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => issue.message)),
    ...joinProblems(source),
  ].filter(isFirstOfItsVariable);
  const { payments } = readPaymentProvider(source);
  const { company, issuer } = readCompany(source);
  if (!parsed.success || payments === null || company === null || problems.length > 0)
    return { ok: false, problems };
  return {
    ok: true,
    configuration: configurationOf(parsed.data, payments, {
      outsideProviders: readExternalProviders(source).providers,
      ageCheck: readAdultSpaces(source).ageCheck,
      company,
      issuer,
      mailFrom: readMailSender(source).from,
      push: readPushKeys(source).keys,
    }),
  };
}

const checkedSources = new WeakMap<ConfigurationSource, CheckedConfiguration>();

/**
 * `readConfiguration` for the bindings of a worker, once: they are the same object for each of its
 * requests and never change.
 */
export function checkedConfiguration(env: ConfigurationSource): CheckedConfiguration {
  const checked = checkedSources.get(env) ?? readConfiguration(env);
  checkedSources.set(env, checked);
  return checked;
}

function configurationOf(
  variables: ConfigurationVariables,
  payments: PaymentConfiguration,
  read: Pick<
    Configuration,
    "outsideProviders" | "ageCheck" | "company" | "issuer" | "mailFrom" | "push"
  >,
): Configuration {
  return {
    appOrigin: variables.APP_ORIGIN,
    apiBaseUrl: variables.API_BASE_URL,
    mode: variables.MODE,
    clerk: clerkOf(variables),
    authSecret: variables.AUTH_SECRET,
    queryDevtools: variables.QUERY_DEVTOOLS,
    uncompletedFeatures: variables.UNCOMPLETED_FEATURES,
    pixAvailable: variables.PIX_AVAILABLE,
    feeBasisPoints: variables.FEE_PERCENTAGE,
    payoutApprovalCents: variables.PAYOUT_APPROVAL_LIMIT,
    analyticsMeasurementId: variables.ANALYTICS_MEASUREMENT_ID,
    payments,
    ...read,
  };
}

/**
 * Checks what no variable shows alone: Clerk's keys come together, and a deployed product takes
 * real money with real secrets.
 */
function joinProblems(source: ConfigurationSource): string[] {
  const problems: string[] = [...readPushKeys(source).problems];
  const clerkKeys = ["CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_JWT_KEY"];
  const missing = clerkKeys.filter((name) => textOf(source[name]) === "");
  const usesClerk = missing.length === 0;
  if (missing.length > 0 && missing.length < clerkKeys.length) {
    problems.push(
      ...missing.map(
        (name) => `${name}: falta um valor; as três chaves do Clerk vêm juntas, ou nenhuma`,
      ),
    );
  }
  if (usesClerk) problems.push(...clerkProblems(source));
  if (!usesClerk && textOf(source.AUTH_SECRET).length < SHORTEST_SECRET) {
    problems.push(`AUTH_SECRET: precisa de pelo menos ${SHORTEST_SECRET} caracteres`);
  }
  problems.push(...outsideProblems(source, usesClerk));
  problems.push(
    ...readPaymentProvider(source).problems,
    ...readAdultSpaces(source).problems,
    ...readCompany(source).problems,
    ...readMailSender(source).problems,
  );
  return problems;
}

/** Refuses external providers together with Clerk: each of the two would know half of the sign-ins. */
function outsideProblems(source: ConfigurationSource, usesClerk: boolean): string[] {
  const { providers, problems } = readExternalProviders(source);
  if (usesClerk && providers.length > 0)
    problems.push("OIDC_PROVIDERS: com o Clerk, as outras contas são ligadas no painel dele");
  return problems;
}

/** Checks Clerk's three keys by their format, and requires the two variables that go with them. */
function clerkProblems(source: ConfigurationSource): string[] {
  const problems: string[] = [];
  if (frontendApiHost(textOf(source.CLERK_PUBLISHABLE_KEY)) === null)
    problems.push("CLERK_PUBLISHABLE_KEY: não é uma chave publicável do Clerk");
  if (!isPublicPem(pemOf(textOf(source.CLERK_JWT_KEY))))
    problems.push("CLERK_JWT_KEY: precisa ser a chave pública em PEM (BEGIN PUBLIC KEY)");
  for (const name of ["CLERK_JWT_TEMPLATE", "CLERK_WEBHOOK_SIGNING_SECRET"]) {
    if (textOf(source[name]) === "")
      problems.push(`${name}: falta um valor; vem junto com as chaves do Clerk`);
  }
  return problems;
}

/** Some dashboards store a key on one line, with escaped line ends. */
function pemOf(text: string): string {
  return text.replaceAll("\\n", "\n");
}

function isPublicPem(text: string): boolean {
  return /^-----BEGIN PUBLIC KEY-----\s[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----$/.test(text);
}

/** Reports one problem a variable: the first says what to do. */
function isFirstOfItsVariable(problem: string, index: number, problems: string[]): boolean {
  const variable = problem.slice(0, problem.indexOf(":") + 1);
  return problems.findIndex((other) => other.startsWith(variable)) === index;
}

function clerkOf(variables: ConfigurationVariables): ClerkConfiguration | null {
  if (variables.CLERK_PUBLISHABLE_KEY === "") return null;
  return {
    publishableKey: variables.CLERK_PUBLISHABLE_KEY,
    secretKey: variables.CLERK_SECRET_KEY,
    jwtKey: pemOf(variables.CLERK_JWT_KEY),
    jwtTemplate: variables.CLERK_JWT_TEMPLATE,
    webhookSecret: variables.CLERK_WEBHOOK_SIGNING_SECRET,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function emptyAsNull(text: string): string | null {
  return text === "" ? null : text;
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function isOrigin(text: string): boolean {
  const parsed = URL.parse(text);
  return (
    parsed !== null &&
    parsed.pathname === "/" &&
    parsed.search === "" &&
    parsed.hash === "" &&
    parsed.username === ""
  );
}

function isBetween(text: string, least: number, most: number): boolean {
  const value = Number(text);
  return value >= least && value <= most;
}
