import { describe, expect, test } from "vitest";
import { ProviderUnsupported, ProviderRefused } from "#app/domain/payments/errors.ts";
import { isMatchingOwner } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import type { BankAccount, EvidenceRequest } from "#app/domain/payments/schema.ts";
import { describeIf, payer, pixSale, testId, testIf } from "./harness.ts";
import type { PaymentHarness } from "./harness.ts";

const account: BankAccount = {
  bankCode: "237",
  branch: "1263",
  account: "9999991",
  accountDigit: "1",
  kind: "checking",
  ownerName: "Ana Lira",
  ownerTaxId: "52998224725",
};

/** Returns whether the cost is whole centavos, or unknown. */
const isCostKnownOrNot = ({ costCents }: { costCents?: number | null }): boolean =>
  costCents === undefined || costCents === null || Number.isSafeInteger(costCents);

/** The tests of refunds, disputes, transfers and the balance. */
export function moneyBackContract(harness: PaymentHarness): void {
  const { provider } = harness;

  async function paid() {
    const charge = await provider.createPixCharge(pixSale(harness));
    await harness.pay(charge.id);
    return charge;
  }

  describe("refund", () => {
    test("sends a part, then the rest, each found by its id and by ours", async () => {
      const charge = await paid();
      const [part, rest] = [testId(), testId()];
      const first = await provider.refund({
        refundId: part,
        providerChargeId: charge.id,
        amountCents: 663,
      });
      expect(first).toMatchObject({ reference: part, chargeId: charge.id, amountCents: 663 });
      const { costCents } = await provider.chargeById(charge.id);
      const done = await provider.refundById(first.id);
      expect(done).toMatchObject({
        id: first.id,
        reference: part,
        amountCents: 663,
        status: "succeeded",
      });
      expect([first, done].every(isCostKnownOrNot)).toBe(true);
      expect(
        await provider.refundByReference({ refundId: part, providerChargeId: charge.id }),
      ).toMatchObject({ id: first.id });
      await provider.refund({ refundId: rest, providerChargeId: charge.id, amountCents: 1_327 });
      expect(await provider.chargeById(charge.id)).toMatchObject({
        status: "succeeded",
        refundedCents: 1_990,
        amountCents: 1_990,
        costCents,
      });
    });

    test("requested again under the same id is paid once", async () => {
      const charge = await paid();
      const request = { refundId: testId(), providerChargeId: charge.id, amountCents: 500 };
      const [first, second] = [await provider.refund(request), await provider.refund(request)];
      expect(second.id).toBe(first.id);
      expect((await provider.chargeById(charge.id)).refundedCents).toBe(500);
    });

    test("of more than the rest, or of an unpaid charge, is refused", async () => {
      const charge = await paid();
      await expect(
        provider.refund({ refundId: testId(), providerChargeId: charge.id, amountCents: 1_991 }),
      ).rejects.toBeInstanceOf(ProviderRefused);
      const waiting = await provider.createPixCharge(pixSale(harness));
      await expect(
        provider.refund({ refundId: testId(), providerChargeId: waiting.id, amountCents: 1 }),
      ).rejects.toBeInstanceOf(ProviderRefused);
    });

    test("with an unknown reference is null", async () => {
      const charge = await paid();
      expect(
        await provider.refundByReference({ refundId: testId(), providerChargeId: charge.id }),
      ).toBeNull();
    });
  });

  test.each([
    ["won", 1_990],
    ["lost", 1_990],
    ["lost", 500],
  ] as const)("a dispute opens and is %s, of %i centavos", async (status, amountCents) => {
    const charge = await paid();
    const id = await harness.dispute(charge.id, amountCents);
    expect(await provider.disputeById(id)).toMatchObject({
      id,
      chargeId: charge.id,
      status: "needs_response",
      amountCents,
    });
    await harness.decide(id, status);
    const decided = await provider.disputeById(id);
    expect(decided).toMatchObject({ status });
    expect(isCostKnownOrNot(decided)).toBe(true);
  });

  async function disputed() {
    return await harness.dispute((await paid()).id);
  }

  describeIf(provider.can.has("dispute_evidence"))("an answer to a dispute", () => {
    const answerTo = (disputeId: string): EvidenceRequest => ({
      disputeId,
      answerId: testId(),
      text: "Bruno assinou e leu.",
      product: "Camarim, de Ana Lira",
      customerName: payer.name,
      customerEmail: payer.email,
      boughtAt: harness.now(),
      accessLog: "Curtiu 2 publicações.",
      files: [
        {
          id: testId(),
          kind: "receipt",
          name: "recibo.pdf",
          contentType: "application/pdf",
          bytes: async () => new TextEncoder().encode("%PDF-1.7\n%%EOF\n").buffer,
        },
        {
          id: testId(),
          kind: "other",
          name: "conversa.png",
          contentType: "image/png",
          bytes: async () =>
            new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).buffer,
        },
      ],
    });

    test("is accepted with its files before the deadline, and puts the dispute under the bank's review", async () => {
      const id = await disputed();
      const before = await provider.disputeById(id);
      expect(before.respondBy).toBeGreaterThan(harness.now());
      expect(await provider.submitEvidence(answerTo(id))).toMatchObject({
        id,
        status: "under_review",
      });
      expect(await provider.disputeById(id)).toMatchObject({ status: "under_review" });
    });

    test("sent again under the same id is submitted once", async () => {
      const answer = answerTo(await disputed());
      const [first, second] = [
        await provider.submitEvidence(answer),
        await provider.submitEvidence(answer),
      ];
      expect(second).toEqual(first);
    });

    test("to a decided dispute, or to an unknown one, is refused", async () => {
      const id = await disputed();
      await harness.decide(id, "lost");
      await expect(provider.submitEvidence(answerTo(id))).rejects.toBeInstanceOf(ProviderRefused);
      await expect(provider.submitEvidence(answerTo("dp_none"))).rejects.toBeInstanceOf(
        ProviderRefused,
      );
    });
  });

  testIf(!provider.can.has("dispute_evidence"))(
    "an answer to a dispute is refused by name",
    async () => {
      const nothing = {
        text: "",
        product: "",
        customerName: "",
        customerEmail: null,
        boughtAt: 1,
        accessLog: "",
        files: [],
      };
      await expect(
        provider.submitEvidence({ disputeId: "dp", answerId: testId(), ...nothing }),
      ).rejects.toEqual(new ProviderUnsupported("dispute_evidence"));
    },
  );

  testIf(provider.can.has("dispute_acceptance"))(
    "a dispute that is given up is lost, and giving up twice is fine",
    async () => {
      const id = await disputed();
      expect(await provider.acceptDispute(id)).toMatchObject({ id, status: "lost" });
      expect(await provider.acceptDispute(id)).toMatchObject({ id, status: "lost" });
    },
  );

  testIf(!provider.can.has("dispute_acceptance"))(
    "giving a dispute up is refused by name",
    async () => {
      await expect(provider.acceptDispute("dp")).rejects.toEqual(
        new ProviderUnsupported("dispute_acceptance"),
      );
    },
  );

  describeIf(provider.can.has("transfer_to_pix_key"))("a transfer", () => {
    const toKey = () => ({
      payoutId: testId(),
      amountCents: 12_345,
      pixKeyKind: "email" as const,
      pixKey: "ana@coreto.test",
    });

    test("to a Pix key is pending, then paid, and is one however often it is requested", async () => {
      const request = toKey();
      const made = await provider.transfer(request);
      expect(made).toMatchObject({
        reference: request.payoutId,
        status: "processing",
        amountCents: 12_345,
      });
      expect((await provider.transfer(request)).id).toBe(made.id);
      await harness.receive(made.id, "paid");
      const paid = await provider.transferById(made.id);
      expect(paid).toMatchObject({ status: "paid", failureCode: null });
      expect([made, paid].every(isCostKnownOrNot)).toBe(true);
      expect(paid.costCents).toBeGreaterThan(0);
      expect(await provider.transferByReference(request.payoutId)).toMatchObject({
        id: made.id,
        status: "paid",
      });
    });

    test("that the bank rejects fails with a reason", async () => {
      const made = await provider.transfer({ ...toKey(), pixKey: "falha@coreto.test" });
      await harness.receive(made.id, "failed");
      const failed = await provider.transferById(made.id);
      expect(failed.status).toBe("failed");
      expect(failed.failureCode).not.toBeNull();
    });

    test("returns null for an unknown reference of ours and refuses an unknown id", async () => {
      expect(await provider.transferByReference(testId())).toBeNull();
      await expect(provider.transferById("none")).rejects.toBeInstanceOf(ProviderRefused);
    });
  });

  testIf(provider.can.has("transfer_to_bank_account"))("a transfer to a bank account", async () => {
    const made = await provider.transfer({
      payoutId: testId(),
      amountCents: 12_345,
      bankAccount: account,
    });
    await harness.receive(made.id, "paid");
    expect(await provider.transferById(made.id)).toMatchObject({
      status: "paid",
      amountCents: 12_345,
    });
  });

  for (const kind of ["checking", "savings", "payment"] as const)
    testIf(provider.can.has("transfer_to_bank_account"))(
      `a transfer to an account of kind ${kind} is one however often it is asked for`,
      async () => {
        const request = {
          payoutId: testId(),
          amountCents: 100,
          bankAccount: { ...account, accountDigit: "X", kind },
        };
        const made = await provider.transfer(request);
        expect([
          made.reference,
          (await provider.transfer(request)).id,
          (await provider.transferByReference(request.payoutId))?.id,
        ]).toEqual([request.payoutId, made.id, made.id]);
      },
    );

  testIf(provider.can.has("transfer_to_bank_account"))(
    "an account that the bank does not know fails with a reason",
    async () => {
      const made = await provider.transfer({
        payoutId: testId(),
        amountCents: 100,
        bankAccount: {
          ...account,
          bankCode: "001",
          branch: "0001",
          account: "999999",
          accountDigit: "9",
        },
      });
      await harness.receive(made.id, "failed");
      const failed = await provider.transferById(made.id);
      expect([failed.status, failed.failureCode === null]).toEqual(["failed", false]);
    },
  );

  testIf(!provider.can.has("transfer_to_pix_key"))("transfers are refused by name", async () => {
    const lacks = new ProviderUnsupported("transfer_to_pix_key");
    await expect(
      provider.transfer({
        payoutId: testId(),
        amountCents: 1,
        pixKeyKind: "email",
        pixKey: "ana@coreto.test",
      }),
    ).rejects.toEqual(lacks);
    await expect(provider.transferById("tr")).rejects.toEqual(lacks);
  });

  describeIf(provider.can.has("pix_key_owner"))("whose a Pix key is", () => {
    const expected = { name: payer.name, taxId: payer.taxId ?? "" };
    const told = (kind: "email" | "phone", key: string) =>
      provider.pixKeyOwner({ kind, key, expected });

    test.each([
      ["email", "ana@coreto.test"],
      ["phone", "+5511987654321"],
    ] as const)(
      "names the owner, with enough digits of the tax id to recognize them (%s)",
      async (kind, key) => {
        const owner = await told(kind, key);
        expect(owner && isMatchingOwner(owner, expected)).toBe(true);
      },
    );

    test("reports another person's key as theirs, and an unknown key as null", async () => {
      const other = await told("email", "de-outra@coreto.test");
      expect(other && isMatchingOwner(other, expected)).toBe(false);
      expect(await told("email", "nao-existe@coreto.test")).toBeNull();
    });
  });

  testIf(!provider.can.has("pix_key_owner"))("whose a Pix key is is refused by name", async () => {
    await expect(
      provider.pixKeyOwner({
        kind: "email",
        key: "ana@coreto.test",
        expected: { name: "Ana", taxId: "" },
      }),
    ).rejects.toEqual(new ProviderUnsupported("pix_key_owner"));
  });

  test("the balance is in whole centavos", async () => {
    const { availableCents, pendingCents } = await provider.balance();
    expect([Number.isInteger(availableCents), Number.isInteger(pendingCents)]).toEqual([
      true,
      true,
    ]);
  });
}
