import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { beforeAll, describe, expect, test } from "vitest";
import { buildProduct } from "#scripts/build.ts";
import { bundleOf, QUEUE_WORKERS } from "#scripts/topology.ts";
import { readWranglerFile } from "#scripts/wrangler-file.ts";

let directory = "";

beforeAll(async () => {
  directory = await buildProduct("deploy");
}, 240_000);

function filesOfBundles(): { name: string; text: string }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|html|css|json|map)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: path.slice(directory.length + 1), text: readFileSync(path, "utf8") }));
}

describe("deployment bundles", () => {
  test("hold the web worker and every queue worker, and neither the local routing worker nor the sandbox provider", () => {
    expect(readdirSync(join(directory, "workers")).toSorted()).toEqual(
      [...QUEUE_WORKERS].toSorted(),
    );
  });

  test.each([
    "sandbox-psp",
    "SANDBOX_API_KEY",
    "SANDBOX_WEBHOOK_SECRET",
    "SANDBOX_PUBLIC_URL",
    "SANDBOX_PSP",
    "/sandbox",
    "sk_sandbox",
    "whsec_Y29yZXRv",
    "sandboxProvider",
    "coreto-demo",
    "Coreto Pagamentos",
  ])("contain no %s", (text) => {
    expect(
      filesOfBundles()
        .filter((file) => file.text.includes(text))
        .map(({ name }) => name),
    ).toEqual([]);
  });
});

describe("Clerk's library", () => {
  const IN_CLERK = "cl_B7d4PD111AAA";

  test("is in one file of the web worker, loaded only by a request with Clerk keys and credentials", () => {
    const files = filesOfBundles();
    const holding = files.filter((file) => file.text.includes(IN_CLERK)).map(({ name }) => name);
    expect(holding).toEqual([
      expect.stringMatching(/^server\/assets\/provider\.server-[\w-]+\.js$/),
    ]);
    const [file = ""] = holding.map((name) => name.split("/").at(-1));
    const mentions = files.flatMap(({ text }) =>
      [...text.matchAll(new RegExp(`(import\\(|from|import)\\s*["'\`][^"'\`]*${file}`, "g"))].map(
        ([mention]) => mention,
      ),
    );
    expect(mentions.length).toBeGreaterThan(0);
    for (const mention of mentions) expect(mention).toMatch(/^import\(/);
  });

  test("is in browser files that no page loads directly: only the code that finds its key imports them", () => {
    const client = filesOfBundles().filter(({ name }) => name.startsWith("client/"));
    const [entry, ...others] = client.filter(({ name }) =>
      /\/browser\.client-[\w-]+\.js$/.test(name),
    );
    expect(others).toEqual([]);
    expect(entry?.text).toContain("clerk");
    const file = entry?.name.split("/").at(-1) ?? "";
    const importers = client.filter(
      ({ name, text }) => name !== entry?.name && text.includes(file),
    );
    for (const { name, text } of importers) {
      const code = text
        .replaceAll(/__vite__mapDeps=[^;]*;/g, "")
        .replaceAll(/import\(["'`][^"'`]*["'`]\)/g, "import()");
      expect(code.includes(file), name).toBe(false);
    }
    // These texts occur only in Clerk's code: its script name and its Portuguese texts.
    for (const words of ["clerk.browser.js", "unstable__errors"]) {
      expect(client.filter(({ text }) => text.includes(words)).map(({ name }) => name)).toEqual([
        entry?.name,
      ]);
    }
  });
});

describe("payment provider adapters", () => {
  test.each([
    ["Stripe's library", "meter-events.stripe.com"],
    ["Asaas", "pixAddressKeyType"],
  ])(
    "%s is in one file of the web worker, imported only when configured, and in no page",
    (_, text) => {
      const files = filesOfBundles().filter(
        ({ name }) => name.startsWith("server/") || name.startsWith("client/"),
      );
      const holding = files.filter((file) => file.text.includes(text)).map(({ name }) => name);
      expect(holding).toEqual([
        expect.stringMatching(/^server\/assets\/provider\.server-[\w-]+\.js$/),
      ]);
      const file = holding[0]?.split("/").at(-1) ?? "";
      const mentions = files.flatMap(({ text: code }) =>
        [...code.matchAll(new RegExp(`(import\\(|from|import)\\s*["'\`][^"'\`]*${file}`, "g"))].map(
          ([mention]) => mention,
        ),
      );
      expect(mentions.length).toBeGreaterThan(0);
      for (const mention of mentions) expect(mention).toMatch(/^import\(/);
    },
  );
});

describe("deployed worker", () => {
  const company = {
    COMPANY_NAME: "Lira Ltda",
    COMPANY_CNPJ: "11222333000181",
    COMPANY_ADDRESS: "Rua A, 1, Recife/PE",
    COMPANY_EMAIL: "oi@lira.test",
    COMPANY_PRIVACY_EMAIL: "dados@lira.test",
  };
  const secrets = {
    AUTH_SECRET: "0123456789abcdef0123456789abcdef",
    MAIL_FROM: "Coreto <oi@coreto.test>",
  };
  const stripe = {
    PAYMENT_PROVIDER: "stripe",
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
  };

  test.each([
    ["without a payment provider", { ...company, ...secrets }, "PAYMENT_PROVIDER"],
    [
      "with the sandbox as its provider",
      { ...company, ...secrets, PAYMENT_PROVIDER: "sandbox" },
      "PAYMENT_PROVIDER",
    ],
    [
      "with a provider that is not there",
      { ...company, ...secrets, PAYMENT_PROVIDER: "imaginary" },
      "PAYMENT_PROVIDER",
    ],
    [
      "with half of Stripe's keys",
      { ...company, ...secrets, ...stripe, STRIPE_WEBHOOK_SECRET: "" },
      "STRIPE_WEBHOOK_SECRET",
    ],
    [
      "with a test key of Stripe",
      { ...company, ...secrets, ...stripe, STRIPE_SECRET_KEY: "sk_test_1" },
      "STRIPE_SECRET_KEY",
    ],
    [
      "with the test environment of Asaas",
      {
        ...company,
        ...secrets,
        PAYMENT_PROVIDER: "asaas",
        ASAAS_API_KEY: "k",
        ASAAS_WEBHOOK_TOKEN: "0123456789abcdef0123456789abcdef",
        ASAAS_API_URL: "https://api-sandbox.asaas.com/v3",
      },
      "ASAAS_API_URL",
    ],
    [
      "without a secret for its sessions",
      { ...company, ...secrets, ...stripe, AUTH_SECRET: "" },
      "AUTH_SECRET",
    ],
    [
      "without the address that its letters leave from",
      { ...company, ...secrets, ...stripe, MAIL_FROM: "" },
      "MAIL_FROM",
    ],
    [
      "with a fee that is no number",
      { ...company, ...secrets, ...stripe, FEE_PERCENTAGE: "cinco" },
      "FEE_PERCENTAGE",
    ],
    ["without a company to name to who pays", { ...secrets, ...stripe }, "COMPANY_NAME"],
  ])(
    "%s answers 500 with a plain page on every path, and states the reason only in the log",
    async (_, variables, wrong) => {
      const logged: string[] = [];
      const miniflare = deployed(variables, logged);
      try {
        for (const path of ["/", "/terms", "/healthz", "/api/v1/posts"]) {
          const response = await miniflare.dispatchFetch(`https://coreto.test${path}`);
          const page = await response.text();
          expect(response.status, path).toBe(500);
          expect(page).toContain("O Coreto está fora do ar");
          expect(page).not.toMatch(
            /PAYMENT_PROVIDER|AUTH_SECRET|FEE_PERCENTAGE|STRIPE|ASAAS|COMPANY|MAIL_FROM/,
          );
        }
        expect(logged.filter((line) => line.includes("configuration.refused"))).toEqual([
          expect.stringContaining(`"problems":"${wrong}: `),
        ]);
      } finally {
        await miniflare.dispose();
      }
    },
  );

  test("starts without an invoice issuer", async () => {
    const logged: string[] = [];
    const miniflare = deployed({ ...company, ...secrets, ...stripe }, logged);
    try {
      await miniflare.dispatchFetch("https://coreto.test/healthz");
      expect(logged.filter((line) => line.includes("configuration.refused"))).toEqual([]);
    } finally {
      await miniflare.dispose();
    }
  });
});

function deployed(variables: Record<string, string>, logged: string[]): Miniflare {
  const file = readWranglerFile("app");
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }) => logged.push(message),
      workers: [
        {
          name: "app",
          ...bundleOf("app", directory),
          compatibilityDate: file.compatibility_date,
          compatibilityFlags: file.compatibility_flags,
          bindings: { ...file.vars, ...variables },
        },
      ],
    }),
  );
}
