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

/** More refund transfers than any payer has. */
const MOST_OF_A_PAYER = 200;

/**
 * Builds the statements that restrict open refund transfers to the payer's own CPF or CNPJ after
 * their account is erased. A keyed digest of that number stays with each refund while it may be
 * sent, or sent again. None if no number was saved. Source:
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
  // Matches by refund: an attempt that fails meanwhile creates another row.
  return digests.map(({ refundId, digest }) =>
    ctx.db
      .update(refundTransfers)
      .set({ payerDigest: digest })
      .where(and(eq(refundTransfers.refundId, refundId), mayGo)),
  );
}

/** Deletes the digests of payers whose Pix can no longer be returned by the bank. */
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
