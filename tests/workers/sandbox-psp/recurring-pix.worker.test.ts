import { afterEach, expect, test } from "vitest";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { addDays, isoDay } from "#app/domain/time.ts";
import { testClock } from "#tests/support/clock.ts";
import { openSandbox, pixRequest, testId } from "./sandbox.ts";

const sandbox = openSandbox();
const { provider } = sandbox;

afterEach(async () => {
  await sandbox.chaos({});
  await sandbox.act("/sandbox/clock", { reset: true });
});

const day = (days: number) => isoDay(addDays(testClock.now(), days));
const sale = (amountCents = 1_990) => ({
  chargeId: testId(),
  amountCents,
  description: "Camarim",
  payerName: "Bruno Teste",
});

function request() {
  return {
    recurringPixId: testId(),
    interval: "monthly" as const,
    amountCents: 1_990,
    leastCents: 500,
    startsOn: day(1),
    endsOn: day(90),
    description: "Camarim",
    payer: { name: "Bruno Teste", email: null, taxId: null },
    firstCharge: { chargeId: testId(), amountCents: 1_990 },
    expiresAt: testClock.now() + 1_800_000,
  };
}

async function active(): Promise<string> {
  const { id } = await provider.createRecurringPix(request());
  await sandbox.act(`/sandbox/recurring/${id}/approve`);
  return id;
}

async function ordered(id: string, dueOn: string) {
  const charge = await provider.chargeRecurringPix({ ...sale(), recurringPixId: id, dueOn });
  const [order] = await provider.instructionsOf(charge.id);
  return { charge, orderId: order?.id ?? "" };
}

test("an unanswered mandate and its first charge expire", async () => {
  const made = await provider.createRecurringPix(request());
  await sandbox.act("/sandbox/clock", { advance: "PT31M" });
  expect((await provider.recurringPixById(made.id)).status).toBe("expired");
  expect((await provider.chargeById(made.firstChargeId ?? "")).status).toBe("expired");
});

test("the bank debits in the morning of the debit day", async () => {
  const { charge } = await ordered(await active(), day(3));
  await sandbox.act("/sandbox/clock", { advance: "P2D" });
  expect((await provider.chargeById(charge.id)).status).toBe("processing");
  await sandbox.act("/sandbox/clock", { advance: "P2D" });
  expect((await provider.chargeById(charge.id)).status).toBe("succeeded");
});

test("a debit can be canceled until 22:00 of the day before, and no later", async () => {
  const id = await active();
  const late = await ordered(id, day(3));
  await sandbox.act("/sandbox/clock", { to: `${day(2)}T22:01:00-03:00`, run: false });
  await expect(provider.cancelCharge(late.charge.id)).rejects.toEqual(
    new ProviderRefused("charge_too_late"),
  );
  await sandbox.act("/sandbox/clock", { to: `${day(2)}T21:59:00-03:00`, run: false });
  expect((await provider.cancelCharge(late.charge.id)).status).toBe("canceled");
});

test("a refused debit can be retried three times within seven days", async () => {
  const { orderId } = await ordered(await active(), day(2));
  let last = orderId;
  for (const days of [3, 4, 5]) {
    await sandbox.act(`/sandbox/instructions/${last}/refuse`);
    last = (await provider.retryInstruction({ instructionId: last, dueOn: day(days) })).id;
  }
  await sandbox.act(`/sandbox/instructions/${last}/refuse`);
  await expect(provider.retryInstruction({ instructionId: last, dueOn: day(6) })).rejects.toEqual(
    new ProviderRefused("retries_exceeded"),
  );
});

test("a retry on the same day, after the seventh day, or of a debit that was not refused, is refused", async () => {
  const { orderId } = await ordered(await active(), day(2));
  await expect(
    provider.retryInstruction({ instructionId: orderId, dueOn: day(3) }),
  ).rejects.toEqual(new ProviderRefused("instruction_not_refused"));
  await sandbox.act(`/sandbox/instructions/${orderId}/refuse`);
  await expect(
    provider.retryInstruction({ instructionId: orderId, dueOn: day(0) }),
  ).rejects.toEqual(new ProviderRefused("due_on_invalid"));
  await expect(
    provider.retryInstruction({ instructionId: orderId, dueOn: day(10) }),
  ).rejects.toEqual(new ProviderRefused("due_on_invalid"));
});

test("two concurrent retries make one", async () => {
  const { charge, orderId } = await ordered(await active(), day(2));
  await sandbox.act(`/sandbox/instructions/${orderId}/refuse`);
  await Promise.allSettled(
    [3, 4].map((days) => provider.retryInstruction({ instructionId: orderId, dueOn: day(days) })),
  );
  expect(await provider.instructionsOf(charge.id)).toHaveLength(2);
});

test.each([
  ["another amount than the authorisation's", { amountCents: 1_991 }, "amount_differs"],
  ["a day after its end", { dueOn: day(91) }, "due_on_invalid"],
])("a debit of %s is refused", async (_what, change, code) => {
  const recurringPixId = await active();
  await expect(
    provider.chargeRecurringPix({ ...sale(), recurringPixId, dueOn: day(3), ...change }),
  ).rejects.toEqual(new ProviderRefused(code));
});

test("canceling a mandate cancels its scheduled debits, and sends an event", async () => {
  const id = await active();
  const { charge, orderId } = await ordered(id, day(3));
  sandbox.received.splice(0);
  await provider.cancelRecurringPix(id);
  expect((await provider.instructionById(orderId)).status).toBe("canceled");
  expect(await provider.chargeById(charge.id)).toMatchObject({
    status: "failed",
    failureCode: "authorisation_ended",
  });
  await sandbox.act("/sandbox/tick");
  expect(sandbox.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toContain(
    "recurring_pix.canceled",
  );
});

test("an answered mandate cannot be answered again", async () => {
  const id = await active();
  expect((await sandbox.act(`/sandbox/recurring/${id}/reject`)).status).toBe(409);
  expect((await sandbox.act(`/sandbox/recurring/${id}/expire`)).status).toBe(409);
});

test("chaos: a 429 gives the time to wait and has no effect; a malformed answer comes after the effect", async () => {
  await sandbox.chaos({ rate_limits: 1 });
  const refused = pixRequest();
  const error: unknown = await provider.createPixCharge(refused).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ProviderUnclear", retryAfterMs: 3_000 });
  expect(await provider.chargeByReference(refused.chargeId)).toBeNull();
  await sandbox.chaos({ malformed: 1 });
  const done = pixRequest();
  await expect(provider.createPixCharge(done)).rejects.toBeInstanceOf(ProviderUnclear);
  expect(await provider.chargeByReference(done.chargeId)).toMatchObject({
    status: "awaiting_payment",
  });
});

test("the documentation page names every call of the API", async () => {
  const page = await (await sandbox.call("/docs")).text();
  const json: { api: string[] } = await (await sandbox.call("/v1/docs")).json();
  for (const call of json.api)
    expect(page).toContain((call.split(" {")[0] ?? "").replaceAll("&", "&amp;"));
  for (const part of [
    "recurring-pix",
    "instructions/:id/retry",
    "saved-methods",
    "charges/:id/confirm",
    "balance",
  ])
    expect(page).toContain(part);
});
