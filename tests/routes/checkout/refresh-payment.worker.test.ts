import { expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

test("'Já paguei' asks the provider six times a minute, then answers 429, and the page still loads", async () => {
  const world = await testContext({ webhooks: false });
  const asked: string[] = [];
  const ctx = {
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      chargeById: (id: string) => (asked.push(id), world.ctx.payments.chargeById(id)),
    },
  };
  const inWorld: MiddlewareFunction<Response> = ({ context }) => {
    context.set(domainContext, ctx);
  };
  const bruno = await createPerson(ctx, "Bruno");
  const clara = await createPerson(ctx, "Clara");
  const ana = await createSeller(ctx);
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  const routes = callRoutesAs([
    { path: "checkout/:chargeId", module: chargePage, middleware: [inWorld as MiddlewareFunction] },
  ]);
  const click = async (who: typeof bruno) =>
    (await routes.post({ person: who }, `/checkout/${chargeId}`, {})).status;
  for (let clicks = 0; clicks < 6; clicks += 1) expect(await click(bruno)).toBe(200);
  expect(await click(bruno)).toBe(429);
  expect(asked).toHaveLength(6);
  expect((await routes.get({ person: bruno }, `/checkout/${chargeId}`)).status).toBe(200);
  expect(await click(clara)).toBe(404);
  await payAtBank(world, { providerChargeId });
  await world.advance(MINUTE_MS);
  expect(await click(bruno)).toBe(303);
  expect((await chargeRow(ctx, { chargeId }))?.status).toBe("succeeded");
});
