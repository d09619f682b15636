import { describe, expect, test } from "vitest";
import { EXAMPLE_COMPANY, EXAMPLE_ISSUER } from "#app/configuration/company.ts";
import { readConfiguration } from "#app/configuration/configuration.ts";
import { readMailSender } from "#app/configuration/mail-sender.ts";

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
const CLERK = {
  MODE: "test",
  CLERK_PUBLISHABLE_KEY: "pk_live_Y2xlcmsuY29yZXRvLnRlc3Qk",
  CLERK_SECRET_KEY: "sk_live_x",
  CLERK_JWT_KEY: "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  CLERK_JWT_TEMPLATE: "production",
  CLERK_WEBHOOK_SIGNING_SECRET: "whsec_x",
};

const problemsOf = (changes: Record<string, unknown>): string[] => {
  const checked = readConfiguration({ ...GOOD, ...changes });
  return checked.ok ? [] : checked.problems;
};

test("a valid configuration is read", () => {
  expect(readConfiguration(GOOD)).toEqual({
    ok: true,
    configuration: {
      company: EXAMPLE_COMPANY,
      issuer: EXAMPLE_ISSUER,
      mailFrom: null,
      push: null,
      appOrigin: "https://coreto.test",
      apiBaseUrl: "https://coreto.test/api/v1",
      mode: "production",
      clerk: null,
      authSecret: GOOD.AUTH_SECRET,
      outsideProviders: [],
      queryDevtools: false,
      uncompletedFeatures: true,
      pixAvailable: true,
      feeBasisPoints: 500,
      payoutApprovalCents: 500_000,
      analyticsMeasurementId: null,
      payments: { pix: "sandbox", card: "sandbox", providers: [{ provider: "sandbox" }] },
      ageCheck: null,
    },
  });
});

test.each([
  ["0", 0],
  ["5000", 500_000],
  ["999999999", 99_999_999_900],
  ["10.5", 1_050],
  ["10,5", null],
  ["-1", null],
  ["muito", null],
])("a payout above %j reais waits for a moderator", (text, cents) => {
  const read = readConfiguration({ ...GOOD, PAYOUT_APPROVAL_LIMIT: text });
  expect(read).toMatchObject(
    cents === null
      ? {
          ok: false,
          problems: ["PAYOUT_APPROVAL_LIMIT: precisa ser um valor em reais, como 5000 ou 5000.50"],
        }
      : { ok: true, configuration: { payoutApprovalCents: cents } },
  );
});

const NUMBER = "FEE_PERCENTAGE: A porcentagem da taxa deve ser um número";
const RANGE = "FEE_PERCENTAGE: A porcentagem da taxa deve estar entre 0 e 100";

describe("fee percentage", () => {
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
    expect(readConfiguration({ ...GOOD, FEE_PERCENTAGE: text })).toMatchObject({
      ok: true,
      configuration: { feeBasisPoints: basisPoints },
    });
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

  test("three decimals are refused: they are no whole number of basis points", () => {
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
])("%s=%j is refused with the variable's name", (name, value) => {
  expect(problemsOf({ [name]: value }).join("\n")).toContain(`${name}:`);
});

test("every problem is listed at once", () => {
  const problems = problemsOf({
    API_BASE_URL: "x",
    MODE: "x",
    FEE_PERCENTAGE: "x",
    AUTH_SECRET: "",
    CLERK_SECRET_KEY: "sk",
  });
  for (const name of [
    "API_BASE_URL",
    "MODE",
    "FEE_PERCENTAGE",
    "AUTH_SECRET",
    "CLERK_PUBLISHABLE_KEY",
    "CLERK_JWT_KEY",
  ]) {
    expect(problems.filter((problem) => problem.startsWith(`${name}:`))).toHaveLength(1);
  }
});

describe("Clerk", () => {
  test("starts with every key, in every mode that has a payment provider", () => {
    for (const MODE of ["production", "development", "test"])
      expect(problemsOf({ ...CLERK, MODE })).toEqual([]);
  });

  test("needs no secret of our own when it has every key", () => {
    expect(readConfiguration({ ...GOOD, ...CLERK, AUTH_SECRET: undefined })).toMatchObject({
      ok: true,
      configuration: {
        clerk: {
          publishableKey: CLERK.CLERK_PUBLISHABLE_KEY,
          jwtTemplate: "production",
          webhookSecret: "whsec_x",
        },
        authSecret: "",
      },
    });
  });

  test("accepts a key on one line with escaped line ends", () => {
    const checked = readConfiguration({
      ...GOOD,
      ...CLERK,
      CLERK_JWT_KEY: CLERK.CLERK_JWT_KEY.replaceAll("\n", "\\n"),
    });
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
  ])("%s=%j is refused with the variable's name", (name, value) => {
    expect(problemsOf({ ...CLERK, [name]: value })).toEqual([expect.stringContaining(`${name}:`)]);
  });

  test.each([
    "CLERK_PUBLISHABLE_KEY",
    "CLERK_SECRET_KEY",
    "CLERK_JWT_KEY",
    "CLERK_JWT_TEMPLATE",
    "CLERK_WEBHOOK_SIGNING_SECRET",
  ])("is refused without %s", (name) => {
    expect(problemsOf({ ...CLERK, [name]: "" }).join()).toContain(`${name}:`);
  });
});

test("a blank text counts as missing", () => {
  expect(readConfiguration({ ...GOOD, ANALYTICS_MEASUREMENT_ID: "  " })).toMatchObject({
    ok: true,
    configuration: { analyticsMeasurementId: null },
  });
});

describe("external providers", () => {
  const GOOGLE = { OIDC_GOOGLE_CLIENT_ID: "id", OIDC_GOOGLE_CLIENT_SECRET: "secret" };
  const COMPANY = {
    OIDC_PROVIDERS: "minha-empresa",
    OIDC_MINHA_EMPRESA_ISSUER: "https://login.empresa.test/",
    OIDC_MINHA_EMPRESA_CLIENT_ID: "id",
    OIDC_MINHA_EMPRESA_CLIENT_SECRET: "secret",
    OIDC_MINHA_EMPRESA_NAME: "Minha Empresa",
  };
  const providersOf = (changes: Record<string, string>) => {
    const checked = readConfiguration({ ...GOOD, ...changes });
    return checked.ok ? checked.configuration.outsideProviders : checked.problems;
  };

  test("Google needs its two secrets, any other provider all four", () => {
    expect(providersOf(GOOGLE)).toEqual([
      {
        id: "google",
        name: "Google",
        issuer: "https://accounts.google.com",
        clientId: "id",
        clientSecret: "secret",
      },
    ]);
    expect(providersOf({ ...GOOGLE, ...COMPANY })).toHaveLength(2);
    expect(providersOf(COMPANY)).toEqual([
      {
        id: "minha-empresa",
        name: "Minha Empresa",
        issuer: "https://login.empresa.test/",
        clientId: "id",
        clientSecret: "secret",
      },
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ["OIDC_GOOGLE_CLIENT_SECRET", { OIDC_GOOGLE_CLIENT_ID: "id" }],
    ["OIDC_GOOGLE_CLIENT_ID", { OIDC_GOOGLE_CLIENT_SECRET: "secret" }],
    ["OIDC_GOOGLE_CLIENT_ID", { OIDC_PROVIDERS: "google" }],
    ...Object.keys(COMPANY)
      .slice(1)
      .map((name): [string, Record<string, string>] => [name, { ...COMPANY, [name]: " " }]),
  ])("without %s the start stops and names it", (name, changes) => {
    expect(
      problemsOf(changes).filter((problem) => problem.startsWith(`${name}: falta um valor`)),
    ).toHaveLength(1);
  });

  test.each([
    "http://login.empresa.test",
    "http://localhost.evil.test",
    "https://a:b@login.empresa.test",
    "https://login.empresa.test?x=1",
    "login.empresa.test",
  ])("%s is no valid issuer", (issuer) => {
    expect(problemsOf({ ...COMPANY, OIDC_MINHA_EMPRESA_ISSUER: issuer })).toEqual([
      "OIDC_MINHA_EMPRESA_ISSUER: precisa ser um endereço https, sem parâmetros",
    ]);
  });

  test("an issuer on the local machine may be used without TLS in development", () => {
    expect(problemsOf({ ...COMPANY, OIDC_MINHA_EMPRESA_ISSUER: "http://localhost:4455" })).toEqual(
      [],
    );
  });

  test.each(["Empresa", "a b/c", "a,a", "-a", "é"])("%j is no valid list of names", (list) => {
    expect(problemsOf({ OIDC_PROVIDERS: list })[0]).toMatch(/^OIDC_PROVIDERS: /);
  });

  test("are refused with Clerk, which configures its own", () => {
    expect(problemsOf({ ...CLERK, ...GOOGLE })).toContain(
      "OIDC_PROVIDERS: com o Clerk, as outras contas são ligadas no painel dele",
    );
  });
});

describe("adult spaces", () => {
  const ON = {
    ADULT_SPACES: "on",
    AGE_CHECK_PROVIDER: "local",
    AGE_CHECK_SECRET: "0123456789abcdef0123456789abcdef",
    ADULT_PAYMENTS: "accepted",
  };

  test.each([undefined, "", "off"])("%j turns them off, whatever else is set", (value) => {
    expect(readConfiguration({ ...GOOD, ...ON, ADULT_SPACES: value })).toMatchObject({
      ok: true,
      configuration: { ageCheck: null },
    });
  });

  test("are on with an age check and a payment provider that accepts them", () => {
    expect(readConfiguration({ ...GOOD, ...ON })).toMatchObject({
      ok: true,
      configuration: { ageCheck: { provider: "local", secret: ON.AGE_CHECK_SECRET } },
    });
  });

  test.each([
    ["ADULT_SPACES", "true", /^ADULT_SPACES: precisa ser on ou off$/],
    ["ADULT_SPACES", "ON", /^ADULT_SPACES: precisa ser on ou off$/],
    [
      "AGE_CHECK_PROVIDER",
      undefined,
      /^AGE_CHECK_PROVIDER: falta um valor; ADULT_SPACES=on precisa de uma verificação de idade$/,
    ],
    [
      "AGE_CHECK_PROVIDER",
      "imaginary",
      /^AGE_CHECK_PROVIDER: "imaginary" não é uma verificação de idade/,
    ],
    ["AGE_CHECK_SECRET", "short", /^AGE_CHECK_SECRET: precisa de pelo menos 32 caracteres$/],
    [
      "ADULT_PAYMENTS",
      undefined,
      /^ADULT_PAYMENTS: precisa ser accepted; .* um provedor de pagamento que aceite páginas adultas$/,
    ],
    ["ADULT_PAYMENTS", "maybe", /^ADULT_PAYMENTS: precisa ser accepted/],
  ])("an incomplete configuration stops the start: %s=%j", (name, value, problem) => {
    expect(problemsOf({ ...ON, [name]: value })).toEqual([expect.stringMatching(problem)]);
  });

  test("everything that is missing is listed at once", () => {
    expect(problemsOf({ ADULT_SPACES: "on" }).map((problem) => problem.split(":")[0])).toEqual([
      "AGE_CHECK_PROVIDER",
      "ADULT_PAYMENTS",
    ]);
  });
});

describe("company that runs the product", () => {
  const OURS = {
    COMPANY_NAME: "Lira & Filhos Ltda",
    COMPANY_CNPJ: "11222333000181",
    COMPANY_ADDRESS: "Rua A, 1, Recife/PE",
    COMPANY_EMAIL: "oi@lira.test",
    COMPANY_PRIVACY_EMAIL: "dados@lira.test",
  };
  const ISSUER = {
    FISCAL_MUNICIPAL_ID: "12345678",
    FISCAL_SERVICE_CODE: "02798",
    FISCAL_ISS_PERCENTAGE: "2.9",
  };

  test("is set by variables, or is the example in a local build", () => {
    expect(readConfiguration(GOOD)).toMatchObject({
      ok: true,
      configuration: { company: EXAMPLE_COMPANY, issuer: EXAMPLE_ISSUER },
    });
    expect(readConfiguration({ ...GOOD, ...OURS, ...ISSUER })).toMatchObject({
      ok: true,
      configuration: {
        company: {
          name: "Lira & Filhos Ltda",
          cnpj: "11.222.333/0001-81",
          address: "Rua A, 1, Recife/PE",
          email: "oi@lira.test",
          privacyEmail: "dados@lira.test",
        },
        issuer: { municipalId: "12345678", serviceCode: "02798", issBasisPoints: 290 },
      },
    });
    expect(readConfiguration({ ...GOOD, ...OURS, COMPANY_CNPJ: "12abc34501de35" })).toMatchObject({
      configuration: { company: { cnpj: "12.ABC.345/01DE-35" } },
    });
  });

  test.each([...Object.keys(OURS), ...Object.keys(ISSUER)])(
    "%s cannot be missing alone",
    (name) => {
      expect(problemsOf({ ...OURS, ...ISSUER, [name]: " " }).join()).toContain(
        `${name}: falta um valor`,
      );
    },
  );

  test.each([
    ["COMPANY_CNPJ", "11222333000182", "os dígitos do CNPJ não batem"],
    ["COMPANY_EMAIL", "oi", "precisa ser um e-mail"],
    ["COMPANY_PRIVACY_EMAIL", 'a"@b.test', "precisa ser um e-mail"],
    ["COMPANY_NAME", "x".repeat(201), "use até 200 letras"],
    ["FISCAL_MUNICIPAL_ID", "1234567", "precisa ter 8 números"],
    ["FISCAL_SERVICE_CODE", "1.05", "precisa ter 5 números"],
    ["FISCAL_ISS_PERCENTAGE", "1.9", "precisa ser de 2 a 5, como 2.9"],
    ["FISCAL_ISS_PERCENTAGE", "5.01", "precisa ser de 2 a 5, como 2.9"],
    ["FISCAL_ISS_PERCENTAGE", "2,9", "precisa ser de 2 a 5, como 2.9"],
  ])("%s cannot be %j", (name, text, says) => {
    expect(problemsOf({ ...OURS, ...ISSUER, [name]: text })).toEqual([`${name}: ${says}`]);
  });
});

describe("sender of emails", () => {
  const WRONG = "MAIL_FROM: precisa ser um nome e um endereço, como Coreto <avisos@coreto.com.br>";

  test("is optional in a local build, and required in a deployment", () => {
    expect(readMailSender({}, true)).toEqual({ from: null, problems: [] });
    expect(readMailSender({}, false)).toEqual({
      from: null,
      problems: ["MAIL_FROM: falta um valor; códigos, recibos e avisos saem deste endereço"],
    });
    expect(
      readConfiguration({ ...GOOD, MAIL_FROM: " Coreto <avisos@coreto.test> " }),
    ).toMatchObject({
      configuration: { mailFrom: { name: "Coreto", email: "avisos@coreto.test" } },
    });
  });

  test.each([
    "avisos@coreto.test",
    "Coreto <avisos>",
    "Coreto <a@b.test>, Outro <c@d.test>",
    "Coreto\nBcc: x <a@b.test>",
    "<a@b.test>",
  ])("cannot be %j", (text) => {
    expect(problemsOf({ MAIL_FROM: text })).toEqual([WRONG]);
  });
});
