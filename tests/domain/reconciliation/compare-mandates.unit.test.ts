import { describe, expect, test } from "vitest";
import type { ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { compareMandate } from "#app/domain/reconciliation/rules/compare.ts";
import type { OurMandate } from "#app/domain/reconciliation/rules/compare.ts";

describe("comparing a Pix mandate", () => {
  const agreed = (
    status: ProviderPixMandate["status"],
    more: Partial<ProviderPixMandate> = {},
  ): ProviderPixMandate => ({
    id: "rp_1",
    reference: "a",
    status,
    interval: "monthly",
    amountCents: 1_990,
    pixCode: null,
    expiresAt: null,
    firstChargeId: null,
    ...more,
  });
  const row = (status: OurMandate["status"], amountCents: number | null = 1_990): OurMandate => ({
    status,
    amountCents,
  });
  const none = (kind: string) => ({ kind, isMoney: false, gapCents: 0 });
  test.each([
    ["active on both sides", row("active"), agreed("active"), null],
    ["open on both sides", row("created"), agreed("created"), null],
    ["approved there, open here", row("created"), agreed("active"), none("state")],
    ["refused there, open here", row("created"), agreed("rejected"), none("state")],
    ["ended there, active here", row("active"), agreed("canceled"), none("state")],
    ["open there again, active here", row("active"), agreed("created"), none("state")],
    ["closed here, still active there", row("expired"), agreed("active"), none("state")],
    ["closed here, its code still open there", row("expired"), agreed("created"), null],
    ["other statuses for closed", row("canceled"), agreed("expired"), null],
    ["of another amount", row("active"), agreed("active", { amountCents: 1_991 }), none("amount")],
    ["of one amount there, of any here", row("active", null), agreed("active"), none("amount")],
    [
      "of any amount on both sides",
      row("active", null),
      agreed("active", { amountCents: null }),
      null,
    ],
    [
      "of another amount, and closed",
      row("canceled"),
      agreed("canceled", { amountCents: 1 }),
      null,
    ],
    ["active here, unknown there", row("active"), null, none("theirs_missing")],
    ["closed here, unknown there", row("canceled"), null, null],
    [
      "active there, without a row here",
      null,
      agreed("active", { reference: null }),
      none("ours_missing"),
    ],
    [
      "open there under our reference, without a row here",
      null,
      agreed("created"),
      none("ours_missing"),
    ],
    ["open there under another reference", null, agreed("created", { reference: null }), null],
    ["closed there, without a row here", null, agreed("expired"), null],
  ] as const)("%s", (_, one, other, difference) => {
    expect(compareMandate(one, other)).toEqual(difference);
  });

  test("both sides agree whether a bank debits a payer, or there is a difference", () => {
    const statuses = ["created", "active", "rejected", "canceled", "expired"] as const;
    const sides = [null, ...statuses].flatMap((one) =>
      [null, ...statuses].map((other) => ({ one, other })),
    );
    const unlike = sides.filter(({ one, other }) => (one === "active") !== (other === "active"));
    expect(
      unlike.filter(
        ({ one, other }) => compareMandate(one && row(one), other && agreed(other)) === null,
      ),
    ).toEqual([]);
  });
});
