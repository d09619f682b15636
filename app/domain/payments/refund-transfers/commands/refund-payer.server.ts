import { and, eq, gt, inArray, isNotNull, lt, or } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { payerDigest, payerTaxId } from "#app/domain/payments/refund-transfers/queries.server.ts";
import {
  OPEN_TRANSFERS,
  PAYER_DIGEST_RETENTION_DAYS,
} from "#app/domain/payments/refund-transfers/rules.ts";
import { addDays } from "#app/domain/time.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";

/** More than anybody waits for. */
const MOST_OF_A_PAYER = 200;

/**
 * The statements by which what is set aside for somebody goes to their own CPF or CNPJ alone after
 * their account, and with it that number, is erased: a keyed digest stays with each refund while it
 * may have to be sent (again). None for who gave no number. Source:
 * docs/decisions/money/refund-an-old-pix-by-a-transfer.md.
 */
export async function retainedPayerDigestStatements(
  ctx: Context,
  { personId }: { personId: string },
): Promise<BatchWrite[]> {
  const owner = await payerTaxId(ctx, { payerId: personId });
  if (!owner) return [];
  const mayGo = or(
    inArray(refundTransfers.status, [...OPEN_TRANSFERS]),
    and(
      eq(refundTransfers.status, "paid"),
      gt(refundTransfers.settledAt, addDays(ctx.now(), -PAYER_DIGEST_RETENTION_DAYS)),
    ),
  );
  const rows = await ctx.db
    .selectDistinct({ refundId: refundTransfers.refundId })
    .from(refundTransfers)
    .where(and(eq(refundTransfers.payerId, personId), mayGo))
    .limit(MOST_OF_A_PAYER);
  const digests = await Promise.all(
    rows.map(async ({ refundId }) => ({
      refundId,
      digest: await payerDigest(ctx, { refundId, owner }),
    })),
  );
  // By its refund: a try that fails meanwhile makes another row.
  return digests.map(({ refundId, digest }) =>
    ctx.db
      .update(refundTransfers)
      .set({ payerDigest: digest })
      .where(and(eq(refundTransfers.refundId, refundId), mayGo)),
  );
}

/** Forgets by what a payer was known whose Pix cannot come back any more. */
export async function forgetPayerDigests(ctx: Context): Promise<void> {
  await ctx.db
    .update(refundTransfers)
    .set({ payerDigest: null })
    .where(
      and(
        isNotNull(refundTransfers.payerDigest),
        lt(refundTransfers.settledAt, addDays(ctx.now(), -PAYER_DIGEST_RETENTION_DAYS)),
      ),
    );
}
