import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { methodSchema } from "#app/domain/payments/schema.ts";
import { inRoot } from "#scripts/paths.ts";

/**
 * Where a payment method may be compared with, and how often. Anywhere else what differs by method
 * is an entry of `paymentMethods`, or of an exhaustive record beside the screen or the provider
 * call that it belongs to, so that the compiler names what a new method lacks.
 */
const ALLOWED: Record<string, { times: number; because: string }> = {
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
  "workers/sandbox-psp/console-actions.ts": { times: 1, because: "a provider of its own" },
  "workers/sandbox-psp/api.ts": { times: 1, because: "a provider of its own" },
  "workers/sandbox-psp/charges.ts": { times: 4, because: "a provider of its own" },
  "workers/sandbox-psp/console-tables.ts": { times: 3, because: "a provider of its own" },
  "workers/sandbox-psp/payer-pages.ts": { times: 1, because: "a provider of its own" },
  "workers/sandbox-psp/prices.ts": { times: 3, because: "a provider of its own" },
  "workers/sandbox-psp/refunds-and-disputes.ts": { times: 2, because: "a provider of its own" },
};

const METHOD = `(?:${methodSchema.options.join("|")})`;
/** A comparison in TypeScript, a condition of Drizzle, and a word in SQL text. */
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

describe("what differs by payment method is a record", () => {
  test("a method is compared with nowhere but where a reason is written", () => {
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
  ])("%s is such a comparison", (line) => {
    expect(comparisonsIn(line)).toBe(1);
  });

  test.each(['{ method: "pix" }', 'isMethodOffered("pix", ctx)', 'paymentMethods["card"]'])(
    "%s is none",
    (line) => {
      expect(comparisonsIn(line)).toBe(0);
    },
  );
});
