import { describe, expect, test } from "vitest";
import { ProviderLacks, ProviderRefused } from "#app/domain/payments/errors.ts";
import type { BankAccount } from "#app/domain/payments/schema.ts";
import { describeIf, pixSale, testId, testIf } from "./harness.ts";
import type { PaymentHarness } from "./harness.ts";

const account: BankAccount = { bankCode: "237", branch: "1263", account: "9999991", accountDigit: "1", kind: "checking", ownerName: "Ana Lira", ownerTaxId: "52998224725" };

/** Refunds, disputes, transfers and the balance. */
export function moneyBackContract(harness: PaymentHarness): void {
  const { provider } = harness;

  async function paid() {
    const charge = await provider.createPixCharge(pixSale(harness));
    await harness.pay(charge.id);
    return charge;
  }

  describe("a refund", () => {
    test("gives a part back, then the rest, each found by its id and by ours", async () => {
      const charge = await paid();
      const [part, rest] = [testId(), testId()];
      const first = await provider.refund({ refundId: part, providerChargeId: charge.id, amountCents: 663 });
      expect(first).toMatchObject({ reference: part, chargeId: charge.id, amountCents: 663 });
      expect(await provider.refundById(first.id)).toMatchObject({ id: first.id, reference: part, amountCents: 663, status: "succeeded" });
      expect(await provider.refundByReference({ refundId: part, providerChargeId: charge.id })).toMatchObject({ id: first.id });
      await provider.refund({ refundId: rest, providerChargeId: charge.id, amountCents: 1_327 });
      expect(await provider.chargeById(charge.id)).toMatchObject({ status: "succeeded", refundedCents: 1_990, amountCents: 1_990 });
    });

    test("asked for again under the same id gives back once", async () => {
      const charge = await paid();
      const request = { refundId: testId(), providerChargeId: charge.id, amountCents: 500 };
      const [first, second] = [await provider.refund(request), await provider.refund(request)];
      expect(second.id).toBe(first.id);
      expect((await provider.chargeById(charge.id)).refundedCents).toBe(500);
    });

    test("of more than is left, or of what was never paid, is refused", async () => {
      const charge = await paid();
      await expect(provider.refund({ refundId: testId(), providerChargeId: charge.id, amountCents: 1_991 })).rejects.toBeInstanceOf(ProviderRefused);
      const waiting = await provider.createPixCharge(pixSale(harness));
      await expect(provider.refund({ refundId: testId(), providerChargeId: waiting.id, amountCents: 1 })).rejects.toBeInstanceOf(ProviderRefused);
    });

    test("that nobody made is null", async () => {
      const charge = await paid();
      expect(await provider.refundByReference({ refundId: testId(), providerChargeId: charge.id })).toBeNull();
    });
  });

  test.each(["won", "lost"] as const)("a dispute opens and is %s", async (status) => {
    const charge = await paid();
    const id = await harness.dispute(charge.id);
    expect(await provider.disputeById(id)).toMatchObject({ id, chargeId: charge.id, status: "open", amountCents: 1_990 });
    await harness.decide(id, status);
    expect(await provider.disputeById(id)).toMatchObject({ status });
  });

  describeIf(provider.can.has("transfer_to_pix_key"))("a transfer", () => {
    const toKey = () => ({ payoutId: testId(), amountCents: 12_345, pixKeyKind: "email" as const, pixKey: "ana@coreto.test" });

    test("to a Pix key is under way, then paid, and is one however often it is asked for", async () => {
      const request = toKey();
      const made = await provider.transfer(request);
      expect(made).toMatchObject({ reference: request.payoutId, status: "processing", amountCents: 12_345 });
      expect((await provider.transfer(request)).id).toBe(made.id);
      await harness.receive(made.id, "paid");
      expect(await provider.transferById(made.id)).toMatchObject({ status: "paid", failureCode: null });
      expect(await provider.transferByReference(request.payoutId)).toMatchObject({ id: made.id, status: "paid" });
    });

    test("that the bank does not take fails with a reason", async () => {
      const made = await provider.transfer({ ...toKey(), pixKey: "falha@coreto.test" });
      await harness.receive(made.id, "failed");
      const failed = await provider.transferById(made.id);
      expect(failed.status).toBe("failed");
      expect(failed.failureCode).not.toBeNull();
    });

    test("an unknown one is null by our id and refused by its own", async () => {
      expect(await provider.transferByReference(testId())).toBeNull();
      await expect(provider.transferById("none")).rejects.toBeInstanceOf(ProviderRefused);
    });
  });

  testIf(provider.can.has("transfer_to_bank_account"))("a transfer to a bank account", async () => {
    const made = await provider.transfer({ payoutId: testId(), amountCents: 12_345, bankAccount: account });
    await harness.receive(made.id, "paid");
    expect(await provider.transferById(made.id)).toMatchObject({ status: "paid", amountCents: 12_345 });
  });

  testIf(!provider.can.has("transfer_to_pix_key"))("transfers are refused by name", async () => {
    const lacks = new ProviderLacks("transfer_to_pix_key");
    await expect(provider.transfer({ payoutId: testId(), amountCents: 1, pixKeyKind: "email", pixKey: "ana@coreto.test" })).rejects.toEqual(lacks);
    await expect(provider.transferById("tr")).rejects.toEqual(lacks);
  });

  test("the balance is whole centavos", async () => {
    const { availableCents, pendingCents } = await provider.balance();
    expect([Number.isInteger(availableCents), Number.isInteger(pendingCents)]).toEqual([true, true]);
  });
}
