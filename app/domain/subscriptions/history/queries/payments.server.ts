import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";

/** A payment of a subscription, or an attempt: of a period, or of a plan change's difference. */
export type SubscriptionPayment = {
  id: string;
  kind: "subscription" | "plan_change";
  /** When it was paid; for an unpaid attempt, when it was made. */
  at: Instant;
  amountCents: Cents;
  refundedCents: Cents;
  method: PaymentMethod;
  recurringPixId: string | null;
  status: ChargeStatus;
  /** Whether it was ever paid, also if it was refunded since. */
  hasReceipt: boolean;
};

const LINES = 12;

/**
 * The statement of the last payments of a subscription by its fan, newest first. The fan does not
 * see another payer's. Amounts in centavos. Source: issue 5, "history with receipts".
 */
export const subscriptionPaymentsStatement = (
  { db }: Pick<Context, "db">,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
) =>
  db
    .select({
      id: charges.id,
      kind: sql<SubscriptionPayment["kind"]>`${charges.purchaseKind}`.as("kind"),
      at: sql<Instant>`COALESCE(${charges.succeededAt}, ${charges.createdAt})`.as("happened_at"),
      amountCents: charges.amountCents,
      refundedCents: charges.refundedCents,
      method: charges.method,
      recurringPixId: charges.recurringPixId,
      status: sql<ChargeStatus>`${charges.status}`.as("state"),
      succeededAt: charges.succeededAt,
    })
    .from(charges)
    .where(
      and(
        inArray(charges.purchaseKind, ["subscription", "plan_change"]),
        eq(charges.purchaseId, subscriptionId),
        eq(charges.payerId, fanId),
      ),
    )
    .orderBy(desc(sql`happened_at`), desc(charges.id))
    .limit(LINES);

type SubscriptionPaymentRow = Awaited<ReturnType<typeof subscriptionPaymentsStatement>>[number];

export const toSubscriptionPayment = ({
  succeededAt,
  ...row
}: SubscriptionPaymentRow): SubscriptionPayment => ({
  ...row,
  hasReceipt: succeededAt !== null,
});
