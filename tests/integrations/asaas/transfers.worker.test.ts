import { expect, test } from "vitest";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { isoDay } from "#app/domain/time.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { testId } from "#tests/contracts/payment-provider/harness.ts";
import { testClock } from "#tests/support/clock.ts";
import { openAsaas } from "./asaas.ts";

const { account, provider, harness } = openAsaas();

async function wire(act: () => Promise<unknown>) {
  const before = (await account.received()).length;
  await act();
  return (await account.received()).slice(before).map(({ method, path, headers, body }) => ({
    call: `${method} ${path.split("?")[0]}`,
    query: Object.fromEntries(new URLSearchParams(path.split("?")[1] ?? "")),
    key: headers["access_token"],
    agent: headers["user-agent"],
    body: body === "" ? null : (JSON.parse(body) as unknown),
  }));
}

/**
 * Sends the same request `count` times at once. One call creates the object. Every other call
 * either finds it, or is told that the outcome is unclear. Which of the two depends on how the
 * calls interleave.
 */
async function concurrently(count: number, send: () => Promise<{ id: string }>) {
  const results = await Promise.allSettled(Array.from({ length: count }, send));
  const ids = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []));
  expect(new Set(ids).size).toBe(1);
  for (const one of results)
    if (one.status === "rejected") expect(one.reason).toBeInstanceOf(ProviderUnclear);
}

test.each([
  ["cpf", "52998224725", { pixAddressKey: "52998224725", pixAddressKeyType: "CPF" }],
  ["phone", "+5511987654321", { pixAddressKey: "11987654321", pixAddressKeyType: "PHONE" }],
  [
    "evp",
    "123e4567-e89b-42d3-a456-426614174000",
    { pixAddressKey: "123e4567-e89b-42d3-a456-426614174000", pixAddressKeyType: "EVP" },
  ],
] as const)(
  "a transfer to a Pix key of kind %s sends the kind and the key in Asaas's format",
  async (pixKeyKind, pixKey, sent) => {
    const payoutId = testId();
    const calls = await wire(() =>
      provider.transfer({ payoutId, amountCents: 12_345, pixKeyKind, pixKey }),
    );
    expect(calls.at(-1)).toMatchObject({
      call: "POST /v3/transfers",
      body: { value: 123.45, operationType: "PIX", externalReference: payoutId, ...sent },
    });
  },
);

test.each([
  ["checking", "CONTA_CORRENTE"],
  ["savings", "CONTA_POUPANCA"],
  ["payment", "CONTA_CORRENTE"],
] as const)(
  "a transfer to a bank account of kind %s is a TED with its owner",
  async (kind, bankAccountType) => {
    const payoutId = testId();
    const bankAccount = {
      bankCode: "237",
      branch: "1263",
      account: "9999991",
      accountDigit: "1",
      kind,
      ownerName: "Ana Lira",
      ownerTaxId: "52998224725",
    };
    const calls = await wire(() =>
      provider.transfer({ payoutId, amountCents: 12_345, bankAccount }),
    );
    const sent = {
      bank: { code: "237" },
      ownerName: "Ana Lira",
      cpfCnpj: "52998224725",
      agency: "1263",
      account: "9999991",
      accountDigit: "1",
      bankAccountType,
    };
    expect(calls.at(-1)).toMatchObject({
      call: "POST /v3/transfers",
      body: { value: 123.45, operationType: "TED", externalReference: payoutId, bankAccount: sent },
    });
  },
);

test("a transfer above the balance, or that needs a person's approval at Asaas, is refused as a problem of our account", async () => {
  const request = () => ({
    payoutId: testId(),
    amountCents: 123_457,
    pixKeyKind: "email" as const,
    pixKey: "ana@coreto.test",
  });
  await expect(provider.transfer(request())).rejects.toEqual(
    new ProviderRefused("insufficient_balance"),
  );
  await account.act("criticalActions", { is: "on" });
  await expect(provider.transfer({ ...request(), amountCents: 100 })).rejects.toEqual(
    new ProviderRefused("account_forbidden"),
  );
  await account.act("criticalActions", { is: "off" });
  expect((await provider.transfer({ ...request(), amountCents: 123_456 })).amountCents).toBe(
    123_456,
  );
});

test.each([
  ["Saldo insuficiente", "insufficient_balance"],
  ["Limite diário de transferências atingido", "limit_exceeded"],
  ["Chave Pix não encontrada", "pix_key_refused"],
  ["Conta destino com saldo bloqueado", "pix_key_refused"],
  ["Erro interno", "transfer_failed"],
])(
  "a transfer that failed later with “%s” has the failure code %s",
  async (failReason, failureCode) => {
    const { id } = await provider.transfer({
      payoutId: testId(),
      amountCents: 500,
      pixKeyKind: "email",
      pixKey: "ana@coreto.test",
    });
    await account.act("receive", { id, outcome: "failed", failReason });
    expect(await provider.transferById(id)).toMatchObject({ status: "failed", failureCode });
  },
);

test("a transfer is looked up since its id was created before it is created", async () => {
  const payoutId = timeOrderedId(testClock.now() - 3 * 86_400_000);
  const [lookup] = await wire(() =>
    provider.transfer({
      payoutId,
      amountCents: 100,
      pixKeyKind: "email",
      pixKey: "ana@coreto.test",
    }),
  );
  expect(lookup).toMatchObject({
    call: "GET /v3/transfers",
    query: { "dateCreated[ge]": harness.day(-4) },
  });
});

test("a transfer whose id is much older than its key is looked up only since it could have been created", async () => {
  const now = testClock.now();
  const payoutId = timeOrderedId(now - 200 * 86_400_000);
  const readyAt = now - 2 * 86_400_000;
  const [lookup] = await wire(() =>
    provider.transfer({
      payoutId,
      amountCents: 100,
      pixKeyKind: "cpf",
      pixKey: "52998224725",
      readyAt,
    }),
  );
  expect(lookup).toMatchObject({
    call: "GET /v3/transfers",
    query: { "dateCreated[ge]": harness.day(-3) },
  });
  const [again] = await wire(() => provider.transferByReference(payoutId, { readyAt }));
  expect(again).toMatchObject({
    call: "GET /v3/transfers",
    query: { "dateCreated[ge]": harness.day(-3) },
  });
});

test("a transfer never attempted is created without a lookup; one attempted is looked up on the days of its attempts only", async () => {
  const request = {
    payoutId: testId(),
    amountCents: 100,
    pixKeyKind: "email" as const,
    pixKey: "ana@coreto.test",
  };
  const first = await wire(() => provider.transfer({ ...request, asked: null }));
  expect(first.map(({ call }) => call)).toEqual(["POST /v3/transfers"]);
  expect(await wire(() => provider.transferByReference(testId(), { asked: null }))).toEqual([]);
  const day = 86_400_000;
  const asked = { from: testClock.now() - 5 * day, until: testClock.now() - 3 * day };
  const [looked] = await wire(() => provider.transferByReference(request.payoutId, { asked }));
  expect(looked).toMatchObject({
    call: "GET /v3/transfers",
    query: {
      "dateCreated[ge]": isoDay(asked.from - 3_600_000),
      "dateCreated[le]": isoDay(asked.until + 3_600_000),
    },
  });
  const again = await wire(() =>
    provider.transfer({
      ...request,
      asked: { from: testClock.now() - day, until: testClock.now() },
    }),
  );
  expect(again.map(({ call }) => call)).toEqual(["GET /v3/transfers"]);
});

test("a rejected list request says nothing about a transfer", async () => {
  await account.break("404", 0, "^GET /v3/transfers[?]");
  await expect(
    provider.transfer({
      payoutId: testId(),
      amountCents: 100,
      pixKeyKind: "email",
      pixKey: "ana@coreto.test",
    }),
  ).rejects.toBeInstanceOf(ProviderUnclear);
});

test("a transfer whose response was lost is found and not created again", async () => {
  const request = {
    payoutId: testId(),
    amountCents: 500,
    pixKeyKind: "email" as const,
    pixKey: "ana@coreto.test",
  };
  await account.break("no answer", 0, "^POST /v3/transfers$");
  await expect(provider.transfer(request)).rejects.toBeInstanceOf(ProviderUnclear);
  expect((await provider.transfer(request)).reference).toBe(request.payoutId);
  const all = await provider.transfersSince({ since: testClock.now() - 1_000, cursor: null });
  expect(all.items.filter(({ reference }) => reference === request.payoutId)).toHaveLength(1);
});

test("two concurrent requests of the same transfer send it once", async () => {
  const request = {
    payoutId: testId(),
    amountCents: 500,
    pixKeyKind: "email" as const,
    pixKey: "ana@coreto.test",
  };
  await concurrently(3, () => provider.transfer(request));
  const all = await provider.transfersSince({ since: testClock.now() - 10_000, cursor: null });
  expect(all.items.filter(({ reference }) => reference === request.payoutId)).toHaveLength(1);
});
