import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import * as refund from "#app/routes/settings/sales/transaction-refund.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import { expireRecentAuth } from "#tests/support/external-accounts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { memberCookies } from "#tests/support/registered.ts";

const routes = callRoutesAs([{ path: "settings/transactions/:id/refund", module: refund }]);
const signer = signUpFields();

let ctx: Context;
let ana: Seller;
let charge: Charge;
let sessionCookie: string;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true, sessionCookie });

beforeAll(async () => {
  const world = await testContext();
  ctx = world.ctx;
  sessionCookie = await memberCookies(signer);
  ana = await createSeller(ctx, { amountCents: 1_000 });
  charge = await paidSubscription(world, await createPerson(ctx), ana);
});

test("a refund asks again who it is after ten minutes: before the decision, and before the money moves", async () => {
  await expireRecentAuth(signer.email);
  const path = `/settings/transactions/${charge.id}/refund`;
  expect((await routes.get(asAna(), path)).status).toBe(200);
  const decision = await routes.get(asAna(), `${path}?amount=4,00`);
  const confirm = `/auth/confirm?to=${path}?amount=4,00`;
  expect([decision.status, decision.headers.get("Location")]).toEqual([302, confirm]);
  const answer = await routes.post(asAna(), path, {
    refundId: ctx.newId(),
    amountCents: "400",
    reason: "Oi",
  });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({
    message: expect.stringMatching(/^Antes de devolver o pagamento, confirme de novo/),
    link: { to: confirm },
    values: { reason: "Oi" },
  });
  expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({ refundedCents: 0 });
});
