import { describe, expect, test } from "vitest";
import { ProviderUnclear, WebhookRefused } from "#app/domain/payments/errors.ts";
import type { ListRequest, ProviderPage } from "#app/domain/payments/schema.ts";
import { testClock } from "#tests/support/clock.ts";
import { consentRequest, faults, lists, pixSale, testId, testIf } from "./harness.ts";
import type { PaymentHarness } from "./harness.ts";

const PAGES_LIMIT = 50;

/** The tests of lists, network faults and webhook events, which reconcile us with the provider. */
export function reconciliationContract(harness: PaymentHarness): void {
  const { provider } = harness;

  async function all<Item extends { id: string }>(
    list: (request: ListRequest) => Promise<ProviderPage<Item>>,
    since: number,
  ): Promise<Item[]> {
    const listed: Item[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_LIMIT; page += 1) {
      const { items, next }: ProviderPage<Item> = await list({ since, cursor });
      listed.push(...items);
      if (next === null) return listed;
      cursor = next;
    }
    throw new Error("a list without end");
  }

  const everything = async <Item extends { id: string }>(
    list: (request: ListRequest) => Promise<ProviderPage<Item>>,
    since: number,
  ): Promise<string[]> => (await all(list, since)).map(({ id }) => id);

  test("everything created since a time is listed, page by page, each once", async () => {
    const since = harness.now() - 1_000;
    const made: string[] = [];
    for (let each = 0; each < 7; each += 1)
      made.push((await provider.createPixCharge(pixSale(harness))).id);
    const charges = await everything(provider.chargesSince, since);
    expect(charges).toEqual(expect.arrayContaining(made));
    expect(new Set(charges).size).toBe(charges.length);
    await harness.pay(made[0] ?? "");
    const dispute = await harness.dispute(made[0] ?? "");
    expect(await everything(provider.disputesSince, since)).toContain(dispute);
  });

  test("refunds are listed, page by page, with their reference and their charge", async () => {
    const since = harness.now() - 1_000;
    const made = new Map<string, string>();
    for (let each = 0; each < 4; each += 1) {
      const charge = await provider.createPixCharge(pixSale(harness));
      await harness.pay(charge.id);
      const refundId = testId();
      await provider.refund({ refundId, providerChargeId: charge.id, amountCents: 700 + each });
      made.set(refundId, charge.id);
    }
    const listed = await all(provider.refundsSince, since);
    for (const [refundId, chargeId] of made)
      expect(listed).toContainEqual(
        expect.objectContaining({ reference: refundId, chargeId, status: "succeeded" }),
      );
    expect(listed.find(({ reference }) => reference === [...made.keys()].at(-1))?.amountCents).toBe(
      703,
    );
  });

  test("a list since a future time is empty", async () => {
    const later = { since: harness.now() + 2 * 86_400_000, cursor: null };
    for (const list of [provider.chargesSince, provider.refundsSince, provider.disputesSince])
      expect((await list(later)).items).toEqual([]);
  });

  testIf(provider.can.has("transfer_to_pix_key"))("transfers are listed", async () => {
    const since = harness.now() - 1_000;
    const { id } = await provider.transfer({
      payoutId: testId(),
      amountCents: 1_000,
      pixKeyKind: "email",
      pixKey: "ana@coreto.test",
    });
    expect(await everything(provider.transfersSince, since)).toContain(id);
  });

  testIf(provider.can.has("recurring_pix"))("authorisations are listed", async () => {
    const since = harness.now() - 1_000;
    const { id } = await provider.createRecurringPix(consentRequest(harness));
    expect(await everything(provider.recurringPixSince, since)).toContain(id);
  });

  describe.each(faults)("%s", (fault) => {
    test("in answer to a write is unclear, and a repeated request creates one object", async () => {
      const request = pixSale(harness);
      await harness.break(fault, 7);
      const error: unknown = await provider
        .createPixCharge(request)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProviderUnclear);
      if (fault === "429") expect((error as ProviderUnclear).retryAfterMs).toBe(7_000);
      const made = await provider.createPixCharge(request);
      expect(made.status).toBe("awaiting_payment");
      expect(await harness.chargesUnder(request.chargeId)).toBe(1);
    });

    test("in answer to a read is unclear, and does not tell whether the charge exists", async () => {
      const made = await provider.createPixCharge(pixSale(harness));
      await harness.break(fault, 7);
      await expect(provider.chargeById(made.id)).rejects.toBeInstanceOf(ProviderUnclear);
      expect((await provider.chargeById(made.id)).status).toBe("awaiting_payment");
    });
  });

  test.each(
    lists.flatMap((list) =>
      (["429", "500", "malformed JSON", "another shape"] as const).map((fault) => ({
        list,
        fault,
      })),
    ),
  )(
    "$fault to $list is unclear, and the page is returned when requested again",
    async ({ list, fault }) => {
      const page = { since: harness.now() - 1_000, cursor: null };
      await harness.break(fault, 7, list);
      const error: unknown = await provider[list](page).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProviderUnclear);
      if (fault === "429") expect((error as ProviderUnclear).retryAfterMs).toBe(7_000);
      expect(Array.isArray((await provider[list](page)).items)).toBe(true);
    },
  );

  describe("webhook event", () => {
    const verify = async (delivery: { headers: Headers; rawBody: string }) =>
      provider.verifyWebhook({ ...delivery, at: testClock.now() });

    test.each(["current", "previous"] as const)(
      "signed with the %s secret names the object to look up",
      async (signed) => {
        const charge = await provider.createPixCharge(pixSale(harness));
        const event = await verify(
          await harness.delivery({ type: "charge", id: charge.id }, signed),
        );
        expect(event).toMatchObject({ type: "charge", objectId: charge.id });
        expect(event.id).not.toBe("");
      },
    );

    test("sent twice has the same id", async () => {
      const charge = await provider.createPixCharge(pixSale(harness));
      const delivery = await harness.delivery({ type: "charge", id: charge.id }, "current");
      expect((await verify(delivery)).id).toBe((await verify(delivery)).id);
    });

    test("of a dispute names an id that disputeById accepts", async () => {
      const charge = await provider.createPixCharge(pixSale(harness));
      await harness.pay(charge.id);
      const id = await harness.dispute(charge.id);
      const event = await verify(await harness.delivery({ type: "dispute", id }, "current"));
      expect(event.type).toBe("dispute");
      expect(await provider.disputeById(event.objectId)).toMatchObject({ id, chargeId: charge.id });
    });

    test("with a forged or missing signature is refused", async () => {
      const forged = await harness.delivery({ type: "charge", id: "ch_1" }, "forged");
      await expect(verify(forged)).rejects.toBeInstanceOf(WebhookRefused);
      await expect(verify({ ...forged, headers: new Headers() })).rejects.toBeInstanceOf(
        WebhookRefused,
      );
    });

    test("of an unknown type has the type other, for staff review", async () => {
      expect(await verify(await harness.unknownDelivery())).toMatchObject({ type: "other" });
    });
  });
}
