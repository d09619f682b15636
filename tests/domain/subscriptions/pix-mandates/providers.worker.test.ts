import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { mandateSubscriber, subscriptionRowOf } from "#tests/support/pix-mandates.ts";
import { chaoticProvider } from "#tests/support/chaos/provider.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { takenBy } from "#tests/support/takers.ts";

// In a file of its own: the pending rows of an unknown provider would break the tests beside it.
test.each([
  [
    "is debited by the provider of its mandate while that is configured",
    true,
    -4.5,
    { provider: "sandbox", status: "processing", debitOn: expect.any(String) },
  ],
  [
    "is paid by a code when the provider of its mandate is not configured anymore",
    false,
    -2.5,
    { provider: "chaos", status: "awaiting_payment", debitOn: null },
  ],
])("after Pix moved to another provider, a renewal %s", async (_, isConfigured, days, expected) => {
  const world = await testContext();
  const code = await mandateSubscriber(
    world,
    await createPerson(world.ctx, "Bruno"),
    await createSeller(world.ctx),
  );
  const { currentPeriodEndsAt } = await subscriptionRowOf(world, code);
  await world.advance((currentPeriodEndsAt ?? 0) + days * DAY_MS - world.ctx.now());
  const other = chaoticProvider(world.ctx.now).port;
  const moved = {
    ...world.ctx,
    payments: isConfigured
      ? createPaymentRouter([other, world.ctx.payments], takenBy({ pix: "chaos", card: "chaos" }))
      : other,
  };
  const { chargeId } = await advanceSubscription(moved, code);
  expect(await chargeRow(world.ctx, { chargeId: chargeId ?? "" })).toMatchObject(expected);
});
