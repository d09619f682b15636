import { expect, test } from "vitest";
import { ProviderUnsupported, ProviderRefused } from "#app/domain/payments/errors.ts";
import { consentRequest, debitSale, describeIf, testId, testIf } from "./harness.ts";
import type { PaymentHarness } from "./harness.ts";

/** The tests of Pix Automático: the life of a mandate and its debit instructions. */
export function recurringPixContract(harness: PaymentHarness): void {
  const { provider } = harness;

  async function active(amountCents: number | null = 1_990) {
    const made = await provider.createRecurringPix(consentRequest(harness, amountCents));
    await harness.consent(made.id, "approve");
    return provider.recurringPixById(made.id);
  }

  describeIf(provider.can.has("recurring_pix"))("Pix Automático", () => {
    test("one code authorizes the mandate and pays the first charge", async () => {
      const request = consentRequest(harness);
      const made = await provider.createRecurringPix(request);
      expect(made).toMatchObject({
        reference: request.recurringPixId,
        status: "created",
        interval: "monthly",
        amountCents: 1_990,
      });
      expect(made.pixCode).toMatch(/^000201/);
      expect(await provider.recurringPixByReference(request.recurringPixId)).toMatchObject({
        id: made.id,
        status: "created",
      });
      await harness.consent(made.id, "approve");
      const answered = await provider.recurringPixById(made.id);
      expect(answered).toMatchObject({ status: "active", pixCode: null });
      const first = await provider.chargeById(answered.firstChargeId ?? "");
      expect(first).toMatchObject({
        status: "succeeded",
        amountCents: 1_990,
        recurringPixId: made.id,
      });
      // Some providers create that payment themselves, without our reference. Then the mandate
      // identifies it.
      expect([request.firstCharge.chargeId, null]).toContain(first.reference);
    });

    test("a mandate requested again under the same id is the same one", async () => {
      const request = consentRequest(harness);
      const first = await provider.createRecurringPix(request);
      expect((await provider.createRecurringPix(request)).id).toBe(first.id);
    });

    test.each(["reject", "expire"] as const)("a payer can %s a mandate", async (decision) => {
      const made = await provider.createRecurringPix(consentRequest(harness));
      await harness.consent(made.id, decision);
      expect(await provider.recurringPixById(made.id)).toMatchObject({
        status: decision === "reject" ? "rejected" : "expired",
        pixCode: null,
      });
    });

    test("a payer can end a mandate at the bank at any time, and nothing more is debited", async () => {
      const { id } = await active();
      await harness.consent(id, "cancel");
      expect((await provider.recurringPixById(id)).status).toBe("canceled");
      await expect(
        provider.chargeRecurringPix(debitSale(id, harness.day(3))),
      ).rejects.toBeInstanceOf(ProviderRefused);
    });

    test("the product can end a mandate, and can repeat the request", async () => {
      const { id } = await active();
      expect((await provider.cancelRecurringPix(id)).status).toBe("canceled");
      expect((await provider.cancelRecurringPix(id)).status).toBe("canceled");
    });

    test("a debit is instructed and settled, once however often it is requested", async () => {
      const { id } = await active();
      const request = debitSale(id, harness.day(3));
      const charge = await provider.chargeRecurringPix(request);
      expect(charge).toMatchObject({
        reference: request.chargeId,
        status: "processing",
        recurringPixId: id,
        amountCents: 1_990,
      });
      expect((await provider.chargeRecurringPix(request)).id).toBe(charge.id);
      const [order] = await provider.instructionsOf(charge.id);
      expect(order).toMatchObject({
        chargeId: charge.id,
        recurringPixId: id,
        dueOn: request.dueOn,
        failureCode: null,
      });
      expect(order?.status).toMatch(/^(created|scheduled)$/);
      await harness.debit(order?.id ?? "", "settled");
      expect(await provider.instructionById(order?.id ?? "")).toMatchObject({ status: "settled" });
      expect((await provider.chargeById(charge.id)).status).toBe("succeeded");
    });

    test("a refused debit leaves the mandate active, and is retried on another day", async () => {
      const { id } = await active();
      const charge = await provider.chargeRecurringPix(debitSale(id, harness.day(3)));
      const [order] = await provider.instructionsOf(charge.id);
      await harness.debit(order?.id ?? "", "refused");
      const failed = await provider.chargeById(charge.id);
      expect(failed.status).toBe("failed");
      expect(failed.failureCode).toMatch(/^\w+$/);
      expect((await provider.recurringPixById(id)).status).toBe("active");
      const again = await provider.retryInstruction({
        instructionId: order?.id ?? "",
        dueOn: harness.day(4),
      });
      expect(again).toMatchObject({ chargeId: charge.id, dueOn: harness.day(4) });
      expect((await provider.chargeById(charge.id)).status).toBe("processing");
      expect((await provider.instructionsOf(charge.id)).map(({ id: each }) => each)).toEqual([
        order?.id,
        again.id,
      ]);
      await harness.debit(again.id, "settled");
      expect((await provider.chargeById(charge.id)).status).toBe("succeeded");
    });

    test("a debit is canceled before its day", async () => {
      const { id } = await active();
      const charge = await provider.chargeRecurringPix(debitSale(id, harness.day(5)));
      expect((await provider.cancelCharge(charge.id)).status).toBe("canceled");
      const [order] = await provider.instructionsOf(charge.id);
      expect(order?.status).toBe("canceled");
    });

    test("a mandate of variable amount is debited with the amount of each period", async () => {
      const { id, amountCents } = await active(null);
      expect(amountCents).toBeNull();
      expect(await provider.chargeRecurringPix(debitSale(id, harness.day(3), 1_234))).toMatchObject(
        { amountCents: 1_234, status: "processing" },
      );
    });

    test.each([0, 1, 40])("a debit for %i days ahead is refused", async (days) => {
      const { id } = await active();
      await expect(
        provider.chargeRecurringPix(debitSale(id, harness.day(days))),
      ).rejects.toBeInstanceOf(ProviderRefused);
    });

    test("an unknown mandate returns null by our id and is refused by its own id", async () => {
      expect(await provider.recurringPixByReference(testId())).toBeNull();
      await expect(provider.recurringPixById("none")).rejects.toBeInstanceOf(ProviderRefused);
    });
  });

  testIf(!provider.can.has("recurring_pix"))("Pix Automático is refused by name", async () => {
    const lacks = new ProviderUnsupported("recurring_pix");
    await expect(provider.createRecurringPix(consentRequest(harness))).rejects.toEqual(lacks);
    await expect(provider.chargeRecurringPix(debitSale("rp", harness.day(3)))).rejects.toEqual(
      lacks,
    );
    await expect(provider.instructionsOf("ch")).rejects.toEqual(lacks);
  });
}
