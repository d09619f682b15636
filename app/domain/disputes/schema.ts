import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import { evidenceKinds } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Instant } from "#app/domain/time.ts";
import { cleanLine, cleanText } from "#app/domain/text.ts";

export const EVIDENCE_TEXT_MAX = 2_000;
export const LARGEST_EVIDENCE_BYTES = 5 * 1_048_576;
/** For the `accept` of a file input. The bytes decide, not the name. */
export const ACCEPTED_EVIDENCE = "application/pdf,image/jpeg,image/png,.pdf,.jpg,.jpeg,.png";
const FILENAME_MAX = 200;

/**
 * The saved part of an answer: its text, and perhaps one more file, which replaces any other of its
 * kind.
 */
export const evidenceSchema = z.object({
  text: z
    .string()
    .default("")
    .transform(cleanText)
    .pipe(
      z
        .string()
        .trim()
        .max(EVIDENCE_TEXT_MAX, `Use até ${EVIDENCE_TEXT_MAX.toLocaleString("pt-BR")} letras.`),
    ),
  kind: z
    .enum(evidenceKinds, { error: "Escolha o que o arquivo mostra." })
    .or(z.literal("").transform(() => undefined))
    .optional(),
  file: z.union([z.literal("").transform(() => undefined), z.file()]).optional(),
});

/**
 * Cleans a file name and keeps its end, where the extension is. Removes characters that turn the
 * text direction: they would show `gnp.exe` as `exe.png`.
 */
export const evidenceFileName = (name: string): string =>
  Array.from(cleanLine(name.replaceAll(/[/\\]/g, "")))
    .slice(-FILENAME_MAX)
    .join("") || "arquivo";

/** A dispute's status as its seller sees it. `under_review`: the bank examines the answer. */
export type DisputeState = "needs_response" | "under_review" | "too_late" | "won" | "lost";

/**
 * What we know of a sale that supports it. It never says where somebody was or what they read: that
 * is private to the reader.
 */
export type SaleEvidence = {
  description: string;
  payerName: string;
  paidAt: Instant;
  amountCents: Cents;
  method: PaymentMethod;
  /** The period of a subscription that the charge paid for. */
  period: { startsAt: Instant; endsAt: Instant } | null;
  /** Earlier payments of the same subscription that were never disputed. */
  earlierPayments: number;
  canceledAt: Instant | null;
  refundedCents: Cents;
  /** The disputed amount, which may be a part of the charge. */
  disputedCents: Cents;
  /** The seller's posts that the payer liked, commented on or voted in, between payment and dispute. */
  activity: { posts: number; firstAt: Instant; lastAt: Instant } | null;
};
