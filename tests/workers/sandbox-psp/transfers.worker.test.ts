import { afterEach, expect, test } from "vitest";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { openSandbox, testId } from "./sandbox.ts";

const sandbox = openSandbox();
const { provider } = sandbox;

afterEach(async () => {
  await sandbox.chaos({});
  await sandbox.act("/sandbox/clock", { reset: true });
});

const transferRequest = (pixKey: string) => ({
  payoutId: testId(),
  amountCents: 12_345,
  pixKeyKind: "email" as const,
  pixKey,
});
const later = (advance: string) => sandbox.act("/sandbox/clock", { advance });

test("a transfer is processing first, and paid a moment later", async () => {
  const request = transferRequest("ana@coreto.test");
  const made = await provider.transfer(request);
  expect(made).toMatchObject({
    reference: request.payoutId,
    status: "processing",
    amountCents: 12_345,
    failureCode: null,
  });
  await later("PT1M");
  expect(await provider.transferById(made.id)).toMatchObject({ status: "paid" });
  expect(await provider.transferByReference(request.payoutId)).toMatchObject({
    id: made.id,
    status: "paid",
  });
});

test("the same payout makes one transfer; other parameters are refused", async () => {
  const request = transferRequest("ana@coreto.test");
  const answers = await Promise.all([1, 2, 3, 4].map(() => provider.transfer(request)));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  await expect(provider.transfer({ ...request, amountCents: 1 })).rejects.toEqual(
    new ProviderRefused("idempotency_mismatch"),
  );
});

test("falha@coreto.test fails", async () => {
  const made = await provider.transfer(transferRequest("falha@coreto.test"));
  await sandbox.act(`/sandbox/transfers/${made.id}/settle`);
  expect(await provider.transferById(made.id)).toMatchObject({
    status: "failed",
    failureCode: "pix_key_not_found",
  });
});

test("devolve@coreto.test is paid, and returned a day later", async () => {
  const made = await provider.transfer(transferRequest("devolve@coreto.test"));
  await later("PT1H");
  expect((await provider.transferById(made.id)).status).toBe("paid");
  await later("P1D");
  expect(await provider.transferById(made.id)).toMatchObject({
    status: "returned",
    failureCode: "account_closed",
  });
});

test("the console returns a paid transfer once", async () => {
  const made = await provider.transfer(transferRequest("ana@coreto.test"));
  expect((await sandbox.act(`/sandbox/transfers/${made.id}/return`)).status).toBe(409);
  await sandbox.act(`/sandbox/transfers/${made.id}/settle`);
  expect((await sandbox.act(`/sandbox/transfers/${made.id}/return`)).status).toBe(200);
  expect((await sandbox.act(`/sandbox/transfers/${made.id}/return`)).status).toBe(409);
});

test("a transfer whose answer is lost exists once", async () => {
  await sandbox.chaos({ timeouts: 1 });
  const request = transferRequest("ana@coreto.test");
  await expect(provider.transfer(request)).rejects.toBeInstanceOf(ProviderUnclear);
  const found = await provider.transferByReference(request.payoutId);
  expect(found).toMatchObject({ amountCents: 12_345 });
  expect((await provider.transfer(request)).id).toBe(found?.id);
});

test("a write without an answer still takes effect", async () => {
  await sandbox.chaos({ timeout_percent: 100 });
  const request = transferRequest("ana@coreto.test");
  await expect(provider.transfer(request)).rejects.toBeInstanceOf(ProviderUnclear);
  await sandbox.chaos({});
  expect(await provider.transferByReference(request.payoutId)).toMatchObject({
    amountCents: 12_345,
  });
});
