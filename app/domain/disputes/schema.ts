import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import { evidenceKinds } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { cleanLine, cleanText } from "#app/domain/text.ts";

export const EVIDENCE_TEXT_MAX = 2_000;
export const LARGEST_EVIDENCE_BYTES = 5 * 1_048_576;
/** For the `accept` of a file input. The bytes decide, not the name. */
export const ACCEPTED_EVIDENCE = "application/pdf,image/jpeg,image/png,.pdf,.jpg,.jpeg,.png";
const FILENAME_MAX = 200;

/**
 * What is kept of an answer before it is handed in: its text, and perhaps one more file, which
 * takes the place of any of its kind.
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
 * Its last letters, which say what it is: what turns the direction of text would show `gnp.exe` as
 * `exe.png`.
 */
export const evidenceFileName = (name: string): string =>
  Array.from(cleanLine(name.replaceAll(/[/\\]/g, "")))
    .slice(-FILENAME_MAX)
    .join("") || "arquivo";

/** A dispute as its seller reads it. `under_review`: the bank looks at what was answered. */
export type DisputeState = "needs_response" | "under_review" | "too_late" | "won" | "lost";

/**
 * What we know of a sale that speaks for it. Nothing of it says where somebody was or what they
 * read: reading is the reader's alone.
 */
export type SaleEvidence = {
  description: string;
  payerName: string;
  paidAt: Instant;
  amountCents: Cents;
  method: PaymentMethod;
  /** The period of a subscription that it paid for. */
  period: { startsAt: Instant; endsAt: Instant } | null;
  /** Payments of the same subscription that were made before and never disputed. */
  earlierPayments: number;
  canceledAt: Instant | null;
  refundedCents: Cents;
  /** What the dispute is over, which may be a part. */
  disputedCents: Cents;
  /**
   * Posts of the seller that the payer liked, commented on or voted in, between the payment and the
   * dispute.
   */
  activity: { posts: number; firstAt: Instant; lastAt: Instant } | null;
};
