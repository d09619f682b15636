import { beforeAll, expect, test } from "vitest";
import * as tip from "#app/routes/space/tip.tsx";
import * as price from "#app/routes/settings/subscriptions/price.tsx";
import * as receipt from "#app/routes/settings/purchases/receipt-pdf.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";

/** A malformed URL answers 404. It never becomes a response header or a server error. */

const routes = callRoutesAs([
  { path: "settings/subscriptions/:id/price", module: price },
  { path: "settings/transactions/:id/recibo.pdf", module: receipt },
  { path: "space/:id/tip", module: tip },
]);

let as: ActingCaller;

beforeAll(async () => {
  as = { person: await createPerson((await testContext()).ctx) };
});

test.each(["%00", "a%00b", "a%0d%0aSet-Cookie:%20x=1", "%7f", "%E0%A4%A", "%ED%A0%80"])(
  "%s as an id answers 404, for a page, a file and a form",
  async (id) => {
    for (const path of [
      `/settings/subscriptions/${id}/price`,
      `/settings/transactions/${id}/recibo.pdf`,
    ])
      expect((await routes.get(as, path)).status).toBe(404);
    expect(
      (await routes.post(as, `/space/${id}/tip`, { method: "pix", amount: "1000" })).status,
    ).toBe(404);
  },
);
