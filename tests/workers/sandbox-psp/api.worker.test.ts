import { afterEach, expect, test } from "vitest";
import { NotAtProvider, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { sandboxProvider } from "#app/integrations/sandbox/provider.server.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  apiKey,
  appOrigin,
  cardRequest,
  openSandbox,
  pixRequest,
  publicUrl,
  testId,
  webhookSecret,
} from "./sandbox.ts";

const sandbox = openSandbox();
const { provider } = sandbox;

afterEach(async () => {
  await sandbox.chaos({});
});

test("a Pix charge awaits payment, is paid at the console and settles at once", async () => {
  const request = pixRequest();
  const made = await provider.createPixCharge(request);
  expect(made).toMatchObject({
    reference: request.chargeId,
    status: "awaiting_payment",
    amountCents: 1_990,
    expiresAt: request.expiresAt,
    settlesAt: null,
  });
  await sandbox.act(`/sandbox/charges/${made.id}/pay`);
  const paid = await provider.chargeById(made.id);
  expect(paid.status).toBe("succeeded");
  expect(paid.settlesAt).toBeLessThanOrEqual(testClock.now());
  expect(await provider.chargeByReference(request.chargeId)).toEqual(paid);
});

test("an unknown reference is null, an unknown id is refused", async () => {
  expect(await provider.chargeByReference(testId())).toBeNull();
  expect(await provider.transferByReference(testId())).toBeNull();
  await expect(provider.chargeById("ch_none")).rejects.toEqual(
    new NotAtProvider("charge_not_found"),
  );
});

test("the same key replays the first answer, even after the charge was paid", async () => {
  const request = pixRequest();
  const first = await provider.createPixCharge(request);
  await sandbox.act(`/sandbox/charges/${first.id}/pay`);
  expect(await provider.createPixCharge(request)).toEqual(first);
});

test("twenty identical calls at once make one charge", async () => {
  const request = pixRequest();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => provider.createPixCharge(request)),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
});

test("the same key with another amount is refused", async () => {
  const request = pixRequest();
  await provider.createPixCharge(request);
  await expect(provider.createPixCharge({ ...request, amountCents: 1 })).rejects.toEqual(
    new ProviderRefused("idempotency_mismatch"),
  );
});

test("a reference is used once, whatever the key", async () => {
  const request = pixRequest();
  await provider.createPixCharge(request);
  const response = await sandbox.call("/v1/charges", {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "idempotency-key": testId() },
    body: JSON.stringify({
      reference: request.chargeId,
      method: "pix",
      amount_cents: 5,
      description: "",
      payer_name: "",
      expires_at: request.expiresAt,
    }),
  });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ error: { code: "reference_taken" } });
});

test("a call without an API key, without an idempotency key, or with a wrong body is refused", async () => {
  const post = (headers: Record<string, string>, body: string) =>
    sandbox.call("/v1/charges", { method: "POST", headers, body });
  const authorization = `Bearer ${apiKey}`;
  expect((await post({}, "{}")).status).toBe(401);
  expect((await post({ authorization: "Bearer other" }, "{}")).status).toBe(401);
  expect((await post({ authorization, "idempotency-key": testId() }, "{")).status).toBe(400);
  expect(
    (
      await post(
        { authorization, "idempotency-key": testId() },
        JSON.stringify({ amount_cents: 1.5 }),
      )
    ).status,
  ).toBe(400);
  const valid = JSON.stringify({
    reference: testId(),
    method: "pix",
    amount_cents: 5,
    description: "",
    payer_name: "",
    expires_at: testClock.now() + 9_999,
  });
  expect((await post({ authorization }, valid)).status).toBe(400);
});

test("a pending charge is canceled once; a paid one cannot be canceled", async () => {
  const waiting = await provider.createPixCharge(pixRequest());
  expect((await provider.cancelCharge(waiting.id)).status).toBe("canceled");
  expect((await provider.cancelCharge(waiting.id)).status).toBe("canceled");
  const paid = await provider.createPixCharge(pixRequest());
  await sandbox.act(`/sandbox/charges/${paid.id}/pay`);
  await expect(provider.cancelCharge(paid.id)).rejects.toEqual(
    new ProviderRefused("charge_already_paid"),
  );
});

test("a bank may confirm a Pix that had expired", async () => {
  const charge = await provider.createPixCharge(pixRequest());
  await sandbox.act(`/sandbox/charges/${charge.id}/expire`);
  expect((await provider.chargeById(charge.id)).status).toBe("expired");
  await sandbox.act(`/sandbox/charges/${charge.id}/pay`);
  expect((await provider.chargeById(charge.id)).status).toBe("succeeded");
});

test("refunds are partial, add up to the charge, and never exceed it", async () => {
  const charge = await provider.createPixCharge(pixRequest());
  const refund = (amountCents: number, refundId = testId()) =>
    provider.refund({ refundId, providerChargeId: charge.id, amountCents });
  await expect(refund(1)).rejects.toEqual(new ProviderRefused("charge_not_paid"));
  await sandbox.act(`/sandbox/charges/${charge.id}/pay`);
  const first = await refund(990);
  expect(first).toMatchObject({ chargeId: charge.id, status: "succeeded", amountCents: 990 });
  expect(await provider.refundById(first.id)).toEqual(first);
  await expect(refund(1_001)).rejects.toEqual(new ProviderRefused("refund_exceeds_charge"));
  const races = await Promise.allSettled([refund(1_000), refund(1_000), refund(1_000)]);
  expect(races.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await provider.chargeById(charge.id)).refundedCents).toBe(1_990);
});

test("the same refund requested twice is one refund", async () => {
  const charge = await provider.createPixCharge(pixRequest());
  await sandbox.act(`/sandbox/charges/${charge.id}/pay`);
  const request = { refundId: testId(), providerChargeId: charge.id, amountCents: 500 };
  expect(await provider.refund(request)).toEqual(await provider.refund(request));
  expect((await provider.chargeById(charge.id)).refundedCents).toBe(500);
});

test("a dispute opens once, blocks refunds, and has one outcome", async () => {
  const charge = await provider.createPixCharge(pixRequest());
  await sandbox.act(`/sandbox/charges/${charge.id}/pay`);
  const opened: { id: string } = await (
    await sandbox.act(`/sandbox/charges/${charge.id}/dispute`)
  ).json();
  expect(await provider.disputeById(opened.id)).toEqual({
    id: opened.id,
    chargeId: charge.id,
    kind: "med",
    status: "needs_response",
    amountCents: 1_990,
    respondBy: expect.any(Number),
    costCents: 0,
  });
  expect((await sandbox.act(`/sandbox/charges/${charge.id}/dispute`)).status).toBe(409);
  await expect(
    provider.refund({ refundId: testId(), providerChargeId: charge.id, amountCents: 1 }),
  ).rejects.toEqual(new ProviderRefused("charge_disputed"));
  await sandbox.act(`/sandbox/disputes/${opened.id}/lose`);
  expect((await sandbox.act(`/sandbox/disputes/${opened.id}/win`)).status).toBe(409);
  expect((await provider.disputeById(opened.id)).status).toBe("lost");
});

test("lists for reconciliation page forward, and the balance is readable", async () => {
  const since = testClock.now();
  const charge = await provider.createPixCharge(pixRequest());
  const headers = { authorization: `Bearer ${apiKey}` };
  const list: { data: { id: string; created_at: number }[] } = await (
    await sandbox.call(`/v1/charges?since=${since}`, { headers })
  ).json();
  expect(list.data.map(({ id }) => id)).toContain(charge.id);
  const last = list.data.at(-1);
  const rest: { data: unknown[] } = await (
    await sandbox.call(`/v1/charges?since=${last?.created_at}&after=${last?.id}`, { headers })
  ).json();
  expect(rest.data).toEqual([]);
  expect((await sandbox.call("/v1/charges?since=x", { headers })).status).toBe(400);
  expect(await (await sandbox.call("/v1/balance", { headers })).json()).toMatchObject({
    object: "balance",
  });
});

test("no answer, a late one, a 500 and one of another shape throw ProviderUnclear", async () => {
  const answers: (() => Promise<Response>)[] = [
    () => Promise.reject(new TypeError("network")),
    // Never answers, so that the timeout applies.
    () => new Promise(() => undefined),
    async () => new Response("oops", { status: 500 }),
    async () => new Response('{"id":1}', { status: 200 }),
    async () => new Response("<html>", { status: 403 }),
    async () => Response.json({ error: { code: "slow_down", message: "" } }, { status: 429 }),
    async () =>
      Response.json({ error: { code: "idempotency_in_progress", message: "" } }, { status: 409 }),
  ];
  for (const fetch of answers) {
    const broken = sandboxProvider({ fetch, apiKey, webhookSecret, publicUrl, timeoutMs: 50 });
    await expect(broken.chargeById("ch_1")).rejects.toBeInstanceOf(ProviderUnclear);
  }
});

test("a return URL outside the product is refused", async () => {
  const request = { ...cardRequest(null), returnUrl: "https://elsewhere.test/" };
  await expect(provider.createCardCharge(request)).rejects.toEqual(
    new ProviderRefused("return_url_invalid"),
  );
  const hosted = await provider.createCardCharge(cardRequest(null));
  expect(hosted).toMatchObject({
    status: "requires_action",
    nextActionUrl: `${publicUrl}/pay/${hosted.id}`,
  });
  expect(provider.cardFieldUrl).toBe(`${publicUrl}/card-field`);
  expect(appOrigin).not.toBe(publicUrl);
});
