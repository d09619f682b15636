import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { methodSchema } from "#app/domain/payments/schema/forms.ts";
import { inRoot } from "#scripts/paths.ts";

/**
 * Files that may compare with a payment method, and how often. Elsewhere a difference between
 * methods is an entry of `paymentMethods`. Or it is an exhaustive record beside the screen or
 * provider call. The compiler then names what a new method lacks.
 */
const ALLOWED: Record<string, { times: number; because: string }> = {
  "app/components/checkout/pix/pix-only-text.ts": {
    times: 1,
    because: "says why only Pix is offered",
  },
  "app/domain/payments/shared-pix/queries.server.ts": {
    times: 1,
    because: "only the code of a Pix is paid by somebody else",
  },
  "app/http/checkout/payment.server.ts": {
    times: 1,
    because: "asks for the CPF of what is paid by Pix alone",
  },
  "app/routes/checkout/checkout-view.server.ts": {
    times: 1,
    because: "Pix Automático is offered where Pix is",
  },
  "app/integrations/stripe/from-answers.ts": {
    times: 2,
    because: "reads the provider's own words",
  },
  "workers/sandbox-psp/console/console-actions.ts": { times: 1, because: "a provider of its own" },
  "workers/sandbox-psp/api.ts": { times: 1, because: "a provider of its own" },
  "workers/sandbox-psp/charges.ts": { times: 4, because: "a provider of its own" },
  "workers/sandbox-psp/console/console-tables.ts": { times: 3, because: "a provider of its own" },
  "workers/sandbox-psp/pages/payer-pages.ts": { times: 1, because: "a provider of its own" },
  "workers/sandbox-psp/prices.ts": { times: 3, because: "a provider of its own" },
  "workers/sandbox-psp/refunds-and-disputes.ts": { times: 2, because: "a provider of its own" },
};

const METHOD = `(?:${methodSchema.options.join("|")})`;
/** Matches a comparison in TypeScript, a condition of Drizzle, and a word in SQL text. */
const COMPARISON = new RegExp(
  [
    `[!=]==? "${METHOD}"`,
    `"${METHOD}" [!=]==?`,
    `case "${METHOD}"`,
    `includes\\("${METHOD}"\\)`,
    `(?:eq|ne)\\([^()]*, "${METHOD}"\\)`,
    `'${METHOD}'`,
  ].join("|"),
  "g",
);

const comparisonsIn = (text: string): number => text.match(COMPARISON)?.length ?? 0;

describe("payment method differences are records", () => {
  test("code compares with a payment method only where a reason is listed", () => {
    const found = globSync("{app,workers,drizzle/schema}/**/*.{ts,tsx}", { cwd: inRoot() })
      .map((path) => [path, comparisonsIn(readFileSync(inRoot(path), "utf8"))] as const)
      .filter(([, times]) => times > 0);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(ALLOWED).map(([path, { times }]) => [path, times])),
    );
  });

  test.each([
    'if (charge.method === "pix") return;',
    'const word = "card" !== method ? "Pix" : "Cartão";',
    'case "pix":',
    'offered.includes("card")',
    'eq(charges.method, "card")',
    "sql`charges.method = 'card'`",
  ])("%s is found as a comparison", (line) => {
    expect(comparisonsIn(line)).toBe(1);
  });

  test.each(['{ method: "pix" }', 'isMethodOffered("pix", ctx)', 'paymentMethods["card"]'])(
    "%s is not a comparison",
    (line) => {
      expect(comparisonsIn(line)).toBe(0);
    },
  );
});
