import type { AnswerProblem, EvidenceFileProblem } from "#app/domain/disputes/errors.ts";
import { LARGEST_EVIDENCE_BYTES } from "#app/domain/disputes/schema.ts";
import type { DisputeState } from "#app/domain/disputes/schema.ts";
import { inspectFile } from "#app/domain/media/rules/files.ts";
import { evidenceTypes } from "#app/domain/payments/schema.ts";
import type { EvidenceType } from "#app/domain/payments/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long before its deadline a seller is reminded of a dispute. */
export const DISPUTE_REMINDER_LEAD_MS = 2 * DAY_MS;

export type DisputeStateInput = {
  status: "open" | "won" | "lost";
  respondBy: Instant | null;
  underReviewAt: Instant | null;
};

export function disputeStateOf(
  { status, respondBy, underReviewAt }: DisputeStateInput,
  now: Instant,
): DisputeState {
  if (status !== "open") return status;
  if (underReviewAt !== null) return "under_review";
  return respondBy !== null && respondBy <= now ? "too_late" : "needs_response";
}

export type AnswerStatus = "draft" | "submitted" | "by_hand" | "sent" | "refused";

/** Returns why an answer can be neither edited nor submitted at `now`, or null. */
export function evidenceEditProblem(
  dispute: DisputeStateInput,
  answer: { status: AnswerStatus } | null,
  now: Instant,
): AnswerProblem | null {
  const state = disputeStateOf(dispute, now);
  if (state === "won" || state === "lost") return "decided";
  if (answer !== null && answer.status !== "draft") return "answered";
  if (state === "under_review") return "reviewing";
  return state === "too_late" ? "too_late" : null;
}

/** Returns why a saved answer cannot be submitted, or null: `evidenceEditProblem` and more. */
export function evidenceSubmitProblem(
  dispute: DisputeStateInput,
  answer: { status: AnswerStatus; text: string } | null,
  filesCount: number,
  now: Instant,
): AnswerProblem | null {
  return (
    evidenceEditProblem(dispute, answer, now) ??
    (answer === null || (answer.text === "" && filesCount === 0) ? "empty" : null)
  );
}

/**
 * Detects the type of an evidence file by its bytes alone: PDF, JPG or PNG, of at most 5 MB.
 * Refuses a file that is broken, or of two types at once.
 */
export function detectEvidenceType(
  bytes: Uint8Array,
): { ok: true; contentType: EvidenceType } | { ok: false; why: EvidenceFileProblem } {
  if (bytes.byteLength > LARGEST_EVIDENCE_BYTES) return { ok: false, why: "too_heavy" };
  const reading = inspectFile(bytes.byteLength);
  let step = reading.next();
  while (!step.done)
    step = reading.next(bytes.subarray(step.value.offset, step.value.offset + step.value.length));
  if (!step.value.ok)
    return { ok: false, why: step.value.why === "unknown_type" ? "unknown_type" : "broken" };
  const { contentType } = step.value;
  const evidenceType = evidenceTypes.find((type) => type === contentType);
  return evidenceType
    ? { ok: true, contentType: evidenceType }
    : { ok: false, why: "unknown_type" };
}
