import { approvalDeadline, documentsStatus } from "#app/domain/documents/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * How far a seller's documents are: nothing sent, photos missing, under review, rejected, contested
 * or approved. `sellsUntil` is when selling stops without an approval. `isOver`: it has stopped.
 */
export type DocumentsProgress =
  | { kind: "missing" | "contested" | "approved" }
  | { kind: "rejected"; reason: string | null }
  | { kind: "files_missing" | "in_review"; sellsUntil: Instant; isOver: boolean };

/** Returns how far `documents` are at `now`. `hasAllFiles`: no photo is missing. */
export function documentsProgress(
  documents: Pick<Documents, "status" | "submittedAt" | "rejectionCode" | "rejectionReason"> | null,
  { hasAllFiles, now }: { hasAllFiles: boolean; now: Instant },
): DocumentsProgress {
  const status = documentsStatus(documents);
  if (documents === null || status === "missing") return { kind: "missing" };
  if (status === "rejected") return { kind: "rejected", reason: documents.rejectionReason };
  if (status !== "submitted") return { kind: status };
  const sellsUntil = approvalDeadline(documents.submittedAt);
  return {
    kind: hasAllFiles ? "in_review" : "files_missing",
    sellsUntil,
    isOver: now >= sellsUntil,
  };
}
