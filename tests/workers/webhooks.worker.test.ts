import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { expectQuarantined, backdateReceived } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { expectAppliedOnce, payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { applyEvent, sweepInbox } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";

let world: World;
beforeEach(async () => {
  world = await testContext({ webhooks: false });
});
afterEach(() => expectInvariantsToHold(world.ctx));

type Delivery = { id: string; body: string; sentAt?: Date; secret?: string };

function delivery({
  id,
  body,
  sentAt = testClock.date(),
  secret = world.env.SANDBOX_WEBHOOK_SECRET ?? "",
}: Delivery): Request {
  return new Request(`${world.env.APP_ORIGIN}/webhooks/sandbox`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, sentAt, body),
    },
    body,
  });
}

const chargeBody = (type: string, providerChargeId: string) =>
  JSON.stringify({ type, data: { object: "charge", id: providerChargeId } });

async function waiting() {
  const ana = await createSeller(world.ctx);
  const bruno = await createPerson(world.ctx, "Bruno");
  return { ana, bruno, ...(await pixCheckout(world, bruno, ana)) };
}

async function storedFor(objectId: string) {
  return await world.ctx.db.select().from(inbox).where(eq(inbox.objectId, objectId));
}

describe("a genuine webhook event", () => {
  test("delivered twenty times at once makes one charge, one fee, one subscription and one notification", async () => {
    const { ana, bruno, chargeId, providerChargeId } = await waiting();
    await payAtBank(world, { providerChargeId });
    const body = chargeBody("charge.succeeded", providerChargeId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        receiveWebhook(world.ctx, delivery({ id: `evt_${chargeId}`, body })),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const [stored, ...more] = await storedFor(providerChargeId);
    expect(more).toEqual([]);
    await Promise.all(
      Array.from({ length: 20 }, () => applyEvent(world.ctx, { inboxId: stored?.id ?? "" })),
    );
    await world.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test.each([
    ["the last first", ["charge.succeeded", "charge.created"]],
    ["a failure after the success", ["charge.created", "charge.succeeded", "charge.failed"]],
    ["an expiry before the success", ["charge.expired", "charge.succeeded"]],
  ])("in any order, %s, has the same result", async (_, types) => {
    const { ana, bruno, chargeId, providerChargeId } = await waiting();
    await payAtBank(world, { providerChargeId });
    for (const type of types) {
      await receiveWebhook(
        world.ctx,
        delivery({
          id: `evt_${type.replace(".", "_")}_${chargeId}`,
          body: chargeBody(type, providerChargeId),
        }),
      );
      await world.drain();
    }
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test("that arrives before the provider's id is saved is applied by its reference", async () => {
    const { ana, bruno, chargeId, providerChargeId } = await waiting();
    await world.env.DB.prepare(
      "UPDATE charges SET provider_charge_id = NULL, status = 'created', pix_code = NULL WHERE id = ?",
    )
      .bind(chargeId)
      .run();
    await payAtBank(world, { providerChargeId });
    await receiveWebhook(
      world.ctx,
      delivery({ id: `evt_${chargeId}`, body: chargeBody("charge.succeeded", providerChargeId) }),
    );
    await world.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test("whose queue message was lost is found by the sweeper", async () => {
    const { ana, bruno, chargeId, providerChargeId } = await waiting();
    await payAtBank(world, { providerChargeId });
    await receiveWebhook(
      world.ctx,
      delivery({ id: `evt_${chargeId}`, body: chargeBody("charge.succeeded", providerChargeId) }),
    );
    world.queued.splice(0);
    await world.env.DB.prepare(
      "UPDATE inbox SET received_at = received_at - 60000 WHERE object_id = ?",
    )
      .bind(providerChargeId)
      .run();
    await sweepInbox(world.ctx);
    await world.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test("of an unknown charge is quarantined with its reason, and the next event is applied", async () => {
    const { ana, bruno, chargeId, providerChargeId } = await waiting();
    await receiveWebhook(
      world.ctx,
      delivery({
        id: `evt_x_${chargeId}`,
        body: chargeBody("charge.succeeded", `ch_unknown_${chargeId}`),
      }),
    );
    await payAtBank(world, { providerChargeId });
    await receiveWebhook(
      world.ctx,
      delivery({ id: `evt_${chargeId}`, body: chargeBody("charge.succeeded", providerChargeId) }),
    );
    const [unknown] = await storedFor(`ch_unknown_${chargeId}`);
    await backdateReceived(unknown?.id ?? "", 10 * MINUTE_MS);
    await world.drain();
    await expectQuarantined(world.ctx, ["not_there:charge_not_found"]);
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });
});

describe("a webhook request that is not genuine", () => {
  const other = `whsec_${btoa("another secret of thirty-two byte")}`;
  test.each([
    [
      "signed with another secret",
      (body: string) => delivery({ id: "evt_forged", body, secret: other }),
      401,
    ],
    [
      "older than 300 s",
      (body: string) =>
        delivery({ id: "evt_stale", body, sentAt: new Date(testClock.now() - 301_000) }),
      401,
    ],
    [
      "from the future",
      (body: string) =>
        delivery({ id: "evt_future", body, sentAt: new Date(testClock.now() + 301_000) }),
      401,
    ],
    [
      "without a signature",
      (body: string) =>
        new Request(`${world.env.APP_ORIGIN}/webhooks/sandbox`, { method: "POST", body }),
      401,
    ],
    [
      "truncated on its way",
      (body: string) =>
        new Request(delivery({ id: "evt_cut", body }), { method: "POST", body: body.slice(0, -5) }),
      401,
    ],
    [
      "of 1 MB",
      (body: string) => delivery({ id: "evt_large", body: body + " ".repeat(1_048_576) }),
      413,
    ],
    [
      "of another provider",
      (body: string) =>
        new Request(`${world.env.APP_ORIGIN}/webhooks/other`, { method: "POST", body }),
      404,
    ],
    ["not posted", () => new Request(`${world.env.APP_ORIGIN}/webhooks/sandbox`), 405],
  ])("%s is refused and stores nothing", async (_, make, status) => {
    const objectId = `ch_${world.ctx.newId()}`;
    const answer = await receiveWebhook(world.ctx, make(chargeBody("charge.succeeded", objectId)));
    expect(answer.status).toBe(status);
    expect(await storedFor(objectId)).toEqual([]);
    expect(world.queued).toEqual([]);
    if (status === 401 || status === 413)
      expect(world.logged.map((line) => line.event)).toContain("webhooks.refused");
  });
});
