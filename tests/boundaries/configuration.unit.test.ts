import { describe, expect, test } from "vitest";
import { readConfiguration } from "#app/configuration.ts";

const GOOD = {
  APP_ORIGIN: "https://coreto.test",
  API_BASE_URL: "https://coreto.test/api/v1",
  MODE: "production",
  QUERY_DEVTOOLS: "false",
  UNCOMPLETED_FEATURES: "true",
  PIX_AVAILABLE: "true",
  FEE_PERCENTAGE: "5",
  PAYMENT_PROVIDER: "sandbox",
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
};
const CLERK = { MODE: "test", CLERK_PUBLISHABLE_KEY: "pk_live_Y2xlcmsuY29yZXRvLnRlc3Qk", CLERK_SECRET_KEY: "sk_live_x", CLERK_JWT_KEY: "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", CLERK_JWT_TEMPLATE: "production", CLERK_WEBHOOK_SIGNING_SECRET: "whsec_x" };

const problemsOf = (changes: Record<string, unknown>): string[] => {
  const checked = readConfiguration({ ...GOOD, ...changes });
  return checked.ok ? [] : checked.problems;
};

test("a good configuration is read", () => {
  expect(readConfiguration(GOOD)).toEqual({
    ok: true,
    configuration: {
      appOrigin: "https://coreto.test",
      apiBaseUrl: "https://coreto.test/api/v1",
      mode: "production",
      clerk: null,
      authSecret: GOOD.AUTH_SECRET,
      queryDevtools: false,
      uncompletedFeatures: true,
      pixAvailable: true,
      feeBasisPoints: 500,
      analyticsMeasurementId: null,
      paymentProvider: "sandbox",
    },
  });
});

const NUMBER = "FEE_PERCENTAGE: A porcentagem da taxa deve ser um número";
const RANGE = "FEE_PERCENTAGE: A porcentagem da taxa deve estar entre 0 e 100";

describe("the fee percentage", () => {
  test.each([
    ["0", 0],
    ["0.01", 1],
    ["4.99", 499],
    ["5", 500],
    ["5.50", 550],
    ["5.500", 550],
    ["29.29", 2929],
    ["100", 10_000],
    [" 5 ", 500],
  ])("%j is %i basis points", (text, basisPoints) => {
    expect(readConfiguration({ ...GOOD, FEE_PERCENTAGE: text })).toMatchObject({ ok: true, configuration: { feeBasisPoints: basisPoints } });
  });

  test.each([
    ["", NUMBER],
    ["cinco", NUMBER],
    ["5%", NUMBER],
    ["5,5", NUMBER],
    ["NaN", NUMBER],
    ["1e1", NUMBER],
    [undefined, NUMBER],
    ["-0.01", RANGE],
    ["100.01", RANGE],
    ["101", RANGE],
  ])("%j is refused", (text, problem) => {
    expect(problemsOf({ FEE_PERCENTAGE: text })).toContain(problem);
  });

  test("three decimals are refused: no whole number of basis points says them", () => {
    expect(problemsOf({ FEE_PERCENTAGE: "4.995" }).join()).toContain("duas casas decimais");
  });
});

test.each([
  ["API_BASE_URL", ""],
  ["API_BASE_URL", "coreto.test/api"],
  ["API_BASE_URL", "javascript:alert(1)"],
  ["APP_ORIGIN", "https://coreto.test/home"],
  ["MODE", "staging"],
  ["MODE", undefined],
  ["QUERY_DEVTOOLS", "yes"],
  ["UNCOMPLETED_FEATURES", "1"],
  ["PIX_AVAILABLE", "TRUE"],
  ["PAYMENT_PROVIDER", undefined],
  ["PAYMENT_PROVIDER", "imaginary"],
  ["AUTH_SECRET", undefined],
  ["AUTH_SECRET", "short"],
])("%s=%j is refused by name", (name, value) => {
  expect(problemsOf({ [name]: value }).join("\n")).toContain(`${name}:`);
});

test("every problem is listed at once", () => {
  const problems = problemsOf({ API_BASE_URL: "x", MODE: "x", FEE_PERCENTAGE: "x", AUTH_SECRET: "", CLERK_SECRET_KEY: "sk" });
  for (const name of ["API_BASE_URL", "MODE", "FEE_PERCENTAGE", "AUTH_SECRET", "CLERK_PUBLISHABLE_KEY", "CLERK_JWT_KEY"]) {
    expect(problems.filter((problem) => problem.startsWith(`${name}:`))).toHaveLength(1);
  }
});

describe("Clerk", () => {
  test("with every key stops the start outside of tests while its screens are not there: never half a product", () => {
    for (const MODE of ["production", "development"]) {
      expect(problemsOf({ ...CLERK, MODE })).toEqual([expect.stringContaining("CLERK_PUBLISHABLE_KEY: este produto não tem adaptador completo")]);
    }
  });

  test("with every key needs no secret of our own", () => {
    expect(readConfiguration({ ...GOOD, ...CLERK, AUTH_SECRET: undefined })).toMatchObject({
      ok: true,
      configuration: { clerk: { publishableKey: CLERK.CLERK_PUBLISHABLE_KEY, jwtTemplate: "production", webhookSecret: "whsec_x" }, authSecret: "" },
    });
  });

  test("a key on one line, its line ends written out, is read as what it is", () => {
    const checked = readConfiguration({ ...GOOD, ...CLERK, CLERK_JWT_KEY: CLERK.CLERK_JWT_KEY.replaceAll("\n", "\\n") });
    expect(checked.ok && checked.configuration.clerk?.jwtKey).toBe(CLERK.CLERK_JWT_KEY);
  });

  test.each([
    ["CLERK_PUBLISHABLE_KEY", "pk_live_"],
    ["CLERK_PUBLISHABLE_KEY", "sk_live_Y2xlcmsuY29yZXRvLnRlc3Qk"],
    ["CLERK_PUBLISHABLE_KEY", `pk_live_${btoa("clerk.coreto.test")}`],
    ["CLERK_PUBLISHABLE_KEY", `pk_live_${btoa("localhost$")}`],
    ["CLERK_PUBLISHABLE_KEY", `pk_live_${btoa("clerk.test/path$")}`],
    ["CLERK_JWT_KEY", "-----BEGIN"],
    ["CLERK_JWT_KEY", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"],
  ])("%s=%j is refused by name", (name, value) => {
    expect(problemsOf({ ...CLERK, [name]: value })).toEqual([expect.stringContaining(`${name}:`)]);
  });

  test.each(["CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_JWT_KEY", "CLERK_JWT_TEMPLATE", "CLERK_WEBHOOK_SIGNING_SECRET"])("without %s is refused", (name) => {
    expect(problemsOf({ ...CLERK, [name]: "" }).join()).toContain(`${name}:`);
  });
});

test("a text that only looks empty counts as missing", () => {
  expect(readConfiguration({ ...GOOD, ANALYTICS_MEASUREMENT_ID: "  " })).toMatchObject({ ok: true, configuration: { analyticsMeasurementId: null } });
});
