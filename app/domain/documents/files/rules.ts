import { inspectFile } from "#app/domain/media/rules/files.ts";
import { DOCUMENT_FILE_MAX_BYTES } from "#app/domain/documents/schema.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { approvalDeadline } from "#app/domain/documents/rules.ts";
import { addDays, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * The width of stored photos, in pixels: the small print of an RG is legible, and the file stays
 * small.
 */
export const DOCUMENT_WIDTH_PIXELS = 2_400;
/**
 * How long the URL of a file works, for the one moderator it was signed for. Source: issue 6,
 * "Documents".
 */
export const DOCUMENT_LINK_MS = 5 * 60_000;
/** The kind of the log entry for a view of the details of documents, not of a file. */
export const DETAILS_VIEW = "details";
/** How long one such log entry covers every view of the same moderator. */
export const DETAILS_VIEW_WINDOW_MS = 60 * 60_000;
/** Days before expiry in which a new document can be sent while the old one still counts. */
export const RENEWAL_DAYS = 30;

/**
 * What a person still has to send. `identity` while nothing of it came; one side while the other
 * came.
 */
export type MissingFile = "identity" | "id_front" | "id_back" | "selfie" | "company_card";

/**
 * Returns what is missing before an approval. Identity: both sides of an RG or CNH, or a passport,
 * or the digital document as PDF. Always a selfie. For a company also its card. A trigger refuses
 * any approval without them. Source: domain rules, "Documents".
 */
export function missingFiles(kinds: readonly FileKind[], isCompany: boolean): MissingFile[] {
  const has = (kind: FileKind) => kinds.includes(kind);
  const missing: MissingFile[] = [];
  if (!has("passport") && !has("id_pdf")) {
    if (!has("id_front") && !has("id_back")) missing.push("identity");
    else if (!has("id_front")) missing.push("id_front");
    else if (!has("id_back")) missing.push("id_back");
  }
  if (!has("selfie")) missing.push("selfie");
  if (isCompany && !has("company_card")) missing.push("company_card");
  return missing;
}

/**
 * Returns when selling stops because files are missing, or null. Only documents that nobody decided
 * yet have a deadline: approved ones allow sales without one.
 */
export const salesEndWithoutFiles = (
  documents: Pick<Documents, "status" | "submittedAt"> | null,
  missing: readonly MissingFile[],
): Instant | null =>
  documents?.status === "submitted" && missing.length > 0
    ? approvalDeadline(documents.submittedAt)
    : null;

/**
 * Files can change until the decision, and again in the 30 days before the approved document
 * expires.
 */
export function canChangeFiles(
  documents: Pick<Documents, "status" | "expiresOn"> | null,
  now: Instant,
): boolean {
  if (documents?.status === "submitted" || documents?.status === "contested") return true;
  return (
    documents?.status === "approved" &&
    documents.expiresOn !== null &&
    documents.expiresOn <= renewalCutoff(now)
  );
}

/** Returns the last ISO expiry date for which a new document is accepted at `now`. */
export const renewalCutoff = (now: Instant): string => isoDay(addDays(now, RENEWAL_DAYS));

export type DocumentFileProblem = "too_heavy" | "unknown_type" | "broken" | "not_here";

const IMAGES = ["image/jpeg", "image/png", "image/webp"];
const MAY_BE_PDF: readonly FileKind[] = ["id_pdf", "company_card"];
const MAY_BE_IMAGE = (kind: FileKind): boolean => kind !== "id_pdf";

/**
 * Detects the type of a file by its bytes alone: JPG, PNG or WEBP, or PDF for the kinds that allow
 * it, of at most 10 MB. Refuses a file that is broken, or of two types at once.
 */
export function inspectDocumentFile(
  kind: FileKind,
  bytes: Uint8Array,
): { ok: true; isImage: boolean } | { ok: false; why: DocumentFileProblem } {
  if (bytes.byteLength > DOCUMENT_FILE_MAX_BYTES) return { ok: false, why: "too_heavy" };
  const reading = inspectFile(bytes.byteLength);
  let step = reading.next();
  while (!step.done)
    step = reading.next(bytes.subarray(step.value.offset, step.value.offset + step.value.length));
  if (!step.value.ok)
    return {
      ok: false,
      why: ["unknown_type", "heic"].includes(step.value.why) ? "unknown_type" : "broken",
    };
  const { contentType } = step.value;
  const isImage = IMAGES.includes(contentType);
  if (!isImage && contentType !== "application/pdf") return { ok: false, why: "unknown_type" };
  return (isImage ? MAY_BE_IMAGE(kind) : MAY_BE_PDF.includes(kind))
    ? { ok: true, isImage }
    : { ok: false, why: "not_here" };
}
