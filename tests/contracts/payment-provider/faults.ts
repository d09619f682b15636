import { describe, expect, test } from "vitest";
import { ProviderUnauthorized, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { Capability, ProviderCharge } from "#app/domain/payments/schema.ts";
import { cardSale, consentRequest, debitSale, payer, pixSale, testId } from "./harness.ts";
import type { Call, PaymentHarness } from "./harness.ts";

const FAULTS = ["no answer", "429", "500", "malformed JSON", "another shape"] as const;

type Case = {
  /** The capability that the call needs, or null where every provider has it. */ needs: Capability | null;
  /** Prepares what the call needs. Returns the call itself. */ ready(
    harness: PaymentHarness,
  ): Promise<() => Promise<unknown>>;
};

const transferOf = () => ({
  payoutId: testId(),
  amountCents: 1_000,
  pixKeyKind: "email" as const,
  pixKey: "ana@coreto.test",
});

async function paid({ provider, pay, ...harness }: PaymentHarness): Promise<ProviderCharge> {
  const charge = await provider.createPixCharge(pixSale({ provider, pay, ...harness }));
  await pay(charge.id);
  return charge;
}

async function authorised(harness: PaymentHarness): Promise<string> {
  const { id } = await harness.provider.createRecurringPix(consentRequest(harness));
  await harness.consent(id, "approve");
  return id;
}

async function ordered(harness: PaymentHarness): Promise<string> {
  const charge = await harness.provider.chargeRecurringPix(
    debitSale(await authorised(harness), harness.day(3)),
  );
  const [order] = await harness.provider.instructionsOf(charge.id);
  return order?.id ?? "";
}

/**
 * Every call except Pix charges and lists, which other tests cover. Each fails before or after its
 * effect, where it can.
 */
const CASES: Partial<Record<Call, Case>> = {
  createCardCharge: {
    needs: "card",
    ready: async (harness) => {
      const cardToken = await harness.cardToken("approves");
      return () => harness.provider.createCardCharge(cardSale(harness, { cardToken }));
    },
  },
  cancelCharge: {
    needs: "pix",
    ready: async ({ provider, ...harness }) => {
      const { id } = await provider.createPixCharge(pixSale({ provider, ...harness }));
      return () => provider.cancelCharge(id);
    },
  },
  saveMethod: {
    needs: "saved_card",
    ready: async ({ provider, cardToken, returnUrl }) => {
      const token = await cardToken("approves");
      return () =>
        provider.saveMethod({ savedMethodId: testId(), cardToken: token, payer, returnUrl });
    },
  },
  refund: {
    needs: null,
    ready: async (harness) => {
      const { id } = await paid(harness);
      return () =>
        harness.provider.refund({ refundId: testId(), providerChargeId: id, amountCents: 500 });
    },
  },
  refundById: {
    needs: null,
    ready: async (harness) => {
      const charge = await paid(harness);
      const { id } = await harness.provider.refund({
        refundId: testId(),
        providerChargeId: charge.id,
        amountCents: 500,
      });
      return () => harness.provider.refundById(id);
    },
  },
  disputeById: {
    needs: null,
    ready: async (harness) => {
      const id = await harness.dispute((await paid(harness)).id);
      return () => harness.provider.disputeById(id);
    },
  },
  submitEvidence: {
    needs: "dispute_evidence",
    ready: async (harness) => {
      const disputeId = await harness.dispute((await paid(harness)).id);
      return () =>
        harness.provider.submitEvidence({
          disputeId,
          answerId: testId(),
          text: "Bruno assinou e leu.",
          product: "Camarim",
          customerName: payer.name,
          customerEmail: payer.email,
          boughtAt: harness.now(),
          accessLog: "Leu.",
          files: [],
        });
    },
  },
  balance: {
    needs: null,
    ready:
      async ({ provider }) =>
      () =>
        provider.balance(),
  },
  transfer: {
    needs: "transfer_to_pix_key",
    ready:
      async ({ provider }) =>
      () =>
        provider.transfer(transferOf()),
  },
  transferById: {
    needs: "transfer_to_pix_key",
    ready: async ({ provider }) => {
      const { id } = await provider.transfer(transferOf());
      return () => provider.transferById(id);
    },
  },
  transfersSince: {
    needs: "transfer_to_pix_key",
    ready:
      async ({ provider, now }) =>
      () =>
        provider.transfersSince({ since: now() - 1_000, cursor: null }),
  },
  pixKeyOwner: {
    needs: "pix_key_owner",
    ready:
      async ({ provider }) =>
      () =>
        provider.pixKeyOwner({
          kind: "email",
          key: "ana@coreto.test",
          expected: { name: payer.name, taxId: payer.taxId ?? "" },
        }),
  },
  createRecurringPix: {
    needs: "recurring_pix",
    ready: async (harness) => () => harness.provider.createRecurringPix(consentRequest(harness)),
  },
  recurringPixById: {
    needs: "recurring_pix",
    ready: async (harness) => {
      const id = await authorised(harness);
      return () => harness.provider.recurringPixById(id);
    },
  },
  recurringPixSince: {
    needs: "recurring_pix",
    ready:
      async ({ provider, now }) =>
      () =>
        provider.recurringPixSince({ since: now() - 1_000, cursor: null }),
  },
  chargeRecurringPix: {
    needs: "recurring_pix",
    ready: async (harness) => {
      const id = await authorised(harness);
      return () => harness.provider.chargeRecurringPix(debitSale(id, harness.day(3)));
    },
  },
  instructionById: {
    needs: "recurring_pix",
    ready: async (harness) => {
      const id = await ordered(harness);
      return () => harness.provider.instructionById(id);
    },
  },
  retryInstruction: {
    needs: "recurring_pix",
    ready: async (harness) => {
      const instructionId = await ordered(harness);
      await harness.debit(instructionId, "refused");
      return () => harness.provider.retryInstruction({ instructionId, dueOn: harness.day(4) });
    },
  },
};

/**
 * The tests of faults during any call. A fault leaves the outcome unclear and is never a refusal. A
 * 429 returns when to retry.
 */
export function faultsContract(harness: PaymentHarness): void {
  const cases = Object.entries(CASES).flatMap(([call, one]) =>
    one.needs === null || harness.provider.can.has(one.needs)
      ? [{ call: call as Call, ...one }]
      : [],
  );
  describe.each(cases)("fault of the $call call", ({ call, ready }) => {
    test("a rejected API key has no effect, and is not a refusal of the request", async () => {
      const ask = await ready(harness);
      await harness.break("a key that is not taken", 7, call);
      await expect(ask()).rejects.toBeInstanceOf(ProviderUnauthorized);
    });

    test.each(FAULTS)("%s is unclear", async (fault) => {
      const ask = await ready(harness);
      await harness.break(fault, 7, call);
      const error: unknown = await ask().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProviderUnclear);
      if (fault === "429") expect((error as ProviderUnclear).retryAfterMs).toBe(7_000);
    });
  });
}
