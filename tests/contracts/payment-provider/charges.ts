import { expect, test } from "vitest";
import { ProviderUnsupported, ProviderRefused } from "#app/domain/payments/errors.ts";
import { cardSale, describeIf, payer, pixSale, testId, testIf } from "./harness.ts";
import type { PaymentHarness } from "./harness.ts";

/** The tests of charges by Pix and by card, for every provider. */
export function chargesContract(harness: PaymentHarness): void {
  const { provider } = harness;
  describeIf(provider.can.has("pix"))("a Pix charge", () => {
    test("is created with a code, is paid, and is found by its id and by ours", async () => {
      const request = pixSale(harness);
      const made = await provider.createPixCharge(request);
      expect(made).toMatchObject({
        reference: request.chargeId,
        status: "awaiting_payment",
        amountCents: 1_990,
        refundedCents: 0,
        failureCode: null,
        recurringPixId: null,
      });
      expect(made.pixCode).toMatch(/^000201.*br\.gov\.bcb\.pix/);
      expect(made.expiresAt).toBeGreaterThan(harness.now());
      await harness.pay(made.id);
      const paid = await provider.chargeById(made.id);
      expect(paid).toMatchObject({
        id: made.id,
        reference: request.chargeId,
        status: "succeeded",
        amountCents: 1_990,
        failureCode: null,
      });
      expect(paid.costCents).toBeGreaterThanOrEqual(0);
      expect(await provider.chargeByReference(request.chargeId)).toMatchObject({
        id: made.id,
        status: "succeeded",
      });
    });

    test("is the same one when requested again under the same id", async () => {
      const request = pixSale(harness);
      const first = await provider.createPixCharge(request);
      const again = await provider.createPixCharge(request);
      expect(again.id).toBe(first.id);
      expect(await harness.chargesUnder(request.chargeId)).toBe(1);
    });

    test("under a used id with another amount creates no second charge", async () => {
      const request = pixSale(harness);
      await provider.createPixCharge(request);
      await provider
        .createPixCharge({ ...request, amountCents: 2_990 })
        .catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      expect(await harness.chargesUnder(request.chargeId)).toBe(1);
      expect((await provider.chargeByReference(request.chargeId))?.amountCents).toBe(1_990);
    });

    test("expires", async () => {
      const made = await provider.createPixCharge(pixSale(harness));
      await harness.expire(made.id);
      expect((await provider.chargeById(made.id)).status).toBe("expired");
    });

    test("is canceled once, and a second cancellation succeeds", async () => {
      const made = await provider.createPixCharge(pixSale(harness));
      expect((await provider.cancelCharge(made.id)).status).toBe("canceled");
      expect((await provider.cancelCharge(made.id)).status).toBe("canceled");
      expect((await provider.chargeById(made.id)).status).toBe("canceled");
    });

    test("that was paid is not canceled", async () => {
      const made = await provider.createPixCharge(pixSale(harness));
      await harness.pay(made.id);
      await expect(provider.cancelCharge(made.id)).rejects.toBeInstanceOf(ProviderRefused);
      expect((await provider.chargeById(made.id)).status).toBe("succeeded");
    });

    test("keeps an amount with centavos exactly", async () => {
      for (const amountCents of [501, 1_999, 2_907, 500_000]) {
        const made = await provider.createPixCharge(pixSale(harness, amountCents));
        expect((await provider.chargeById(made.id)).amountCents).toBe(amountCents);
      }
    });
  });

  test("an unknown reference returns null, an unknown id is refused", async () => {
    expect(await provider.chargeByReference(testId())).toBeNull();
    await expect(provider.chargeById("ch_none")).rejects.toBeInstanceOf(ProviderRefused);
  });

  describeIf(provider.can.has("card"))("a card", () => {
    test("that approves is charged at once, and saved with consent", async () => {
      const request = cardSale(harness, { cardToken: await harness.cardToken("approves") });
      const charge = await provider.createCardCharge(request);
      expect(charge).toMatchObject({
        reference: request.chargeId,
        status: "succeeded",
        amountCents: 1_990,
        pixCode: null,
        nextActionUrl: null,
      });
      expect(charge.savedMethodId).not.toBeNull();
    });

    test("that is declined returns a failed charge with the bank's code", async () => {
      const request = cardSale(harness, { cardToken: await harness.cardToken("declines") });
      const charge = await provider.createCardCharge(request);
      expect(charge).toMatchObject({
        reference: request.chargeId,
        status: "failed",
        savedMethodId: null,
      });
      expect(charge.failureCode).toMatch(/^\w+$/);
      expect((await provider.chargeById(charge.id)).status).toBe("failed");
    });

    test("that needs bank authentication waits for it, is resumed, and is paid", async () => {
      const request = cardSale(harness, { cardToken: await harness.cardToken("asks_3ds") });
      const charge = await provider.createCardCharge(request);
      expect(charge.status).toBe("requires_action");
      const resumed = await provider.confirmCharge({
        id: charge.id,
        returnUrl: `${request.returnUrl}?again=1`,
      });
      expect(resumed).toMatchObject({ id: charge.id, status: "requires_action" });
      await harness.answer(resumed.nextActionUrl ?? "", "approve");
      expect(
        await provider.confirmCharge({ id: charge.id, returnUrl: request.returnUrl }),
      ).toMatchObject({ status: "succeeded", nextActionUrl: null });
    });

    test("whose owner refuses the bank authentication returns a failed charge", async () => {
      const charge = await provider.createCardCharge(
        cardSale(harness, { cardToken: await harness.cardToken("asks_3ds") }),
      );
      await harness.answer(charge.nextActionUrl ?? "", "refuse");
      expect((await provider.chargeById(charge.id)).status).toBe("failed");
    });

    test("may be typed on the provider's own page", async () => {
      const request = cardSale(harness);
      const charge = await provider.createCardCharge(request);
      expect(charge).toMatchObject({ reference: request.chargeId, status: "requires_action" });
      expect(URL.canParse(charge.nextActionUrl ?? "")).toBe(true);
      expect((await provider.cancelCharge(charge.id)).status).toMatch(/^(canceled|expired)$/);
    });

    test("is charged once when requested again under the same id", async () => {
      const request = cardSale(harness, { cardToken: await harness.cardToken("approves") });
      const [first, second] = [
        await provider.createCardCharge(request),
        await provider.createCardCharge(request),
      ];
      expect(second.id).toBe(first.id);
      expect(await harness.chargesUnder(request.chargeId)).toBe(1);
    });
  });

  describeIf(provider.can.has("saved_card"))("a saved card", () => {
    test("pays a renewal, until it is removed", async () => {
      const bought = await provider.createCardCharge(
        cardSale(harness, { cardToken: await harness.cardToken("approves") }),
      );
      const savedMethodId = bought.savedMethodId ?? "";
      expect(await provider.savedMethodById(savedMethodId)).toMatchObject({
        id: savedMethodId,
        status: "ready",
        last4: "4242",
      });
      const renewal = await provider.createCardCharge(cardSale(harness, { savedMethodId }));
      expect(renewal).toMatchObject({ status: "succeeded", savedMethodId });
      expect(await provider.removeSavedMethod(savedMethodId)).toMatchObject({ status: "removed" });
      expect(await provider.removeSavedMethod(savedMethodId)).toMatchObject({ status: "removed" });
      await expect(
        provider.createCardCharge(cardSale(harness, { savedMethodId })),
      ).rejects.toBeInstanceOf(ProviderRefused);
    });

    test("is saved once, without a charge", async () => {
      const request = {
        savedMethodId: testId(),
        cardToken: await harness.cardToken("approves"),
        payer,
        returnUrl: harness.returnUrl,
      };
      const saved = await provider.saveMethod(request);
      expect(saved).toMatchObject({ status: "ready", last4: "4242", nextActionUrl: null });
      expect((await provider.saveMethod(request)).id).toBe(saved.id);
      expect(
        await provider.createCardCharge(cardSale(harness, { savedMethodId: saved.id })),
      ).toMatchObject({ status: "succeeded" });
    });

    test("that needs bank authentication is ready once its owner approves", async () => {
      const saved = await provider.saveMethod({
        savedMethodId: testId(),
        cardToken: await harness.cardToken("asks_3ds"),
        payer,
        returnUrl: harness.returnUrl,
      });
      expect(saved.status).toBe("requires_action");
      await harness.answer(saved.nextActionUrl ?? "", "approve");
      expect(await provider.savedMethodById(saved.id)).toMatchObject({
        status: "ready",
        nextActionUrl: null,
      });
    });

    test("whose owner refuses the bank authentication is not saved", async () => {
      const saved = await provider.saveMethod({
        savedMethodId: testId(),
        cardToken: await harness.cardToken("declines"),
        payer,
        returnUrl: harness.returnUrl,
      });
      expect(saved.status).toBe("failed");
      expect(saved.failureCode).toMatch(/^\w+$/);
    });
  });

  test("wallets beside a card are not offered, because no adapter takes them yet", () => {
    expect(provider.can.has("card_wallets")).toBe(false);
  });

  testIf(!provider.can.has("card"))("cards are refused by name", async () => {
    await expect(provider.createCardCharge(cardSale(harness))).rejects.toEqual(
      new ProviderUnsupported("card"),
    );
  });

  testIf(!provider.can.has("saved_card"))("saved cards are refused by name", async () => {
    await expect(
      provider.saveMethod({
        savedMethodId: testId(),
        cardToken: "t",
        payer,
        returnUrl: harness.returnUrl,
      }),
    ).rejects.toEqual(new ProviderUnsupported("saved_card"));
    await expect(provider.savedMethodById("pm")).rejects.toEqual(
      new ProviderUnsupported("saved_card"),
    );
    await expect(provider.removeSavedMethod("pm")).rejects.toEqual(
      new ProviderUnsupported("saved_card"),
    );
  });
}
