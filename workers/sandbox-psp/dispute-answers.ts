import { and, eq, inArray, isNull } from "drizzle-orm";
import type { z } from "zod";
import { mustChangeOne } from "#app/db/client.server.ts";
import { disputeAnswer, fileAnswer } from "./answers.ts";
import { eventStatements } from "./events.ts";
import { runIdempotent } from "./idempotency.ts";
import type { IdempotentEffect } from "./idempotency.ts";
import { digest } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { PspRefusal } from "./refusal.ts";
import type { evidenceRequest } from "./requests.ts";
import { decideDispute, disputeById } from "./refunds-and-disputes.ts";
import { disputes, files } from "./tables.ts";
import type { SandboxDisputeRow, FileRow } from "./tables.ts";

export const FILE_LIMIT_BYTES = 5 * 1_048_576;

/** The first bytes of each accepted file type. */
const MAGIC: Record<string, readonly number[]> = {
  "application/pdf": [0x25, 0x50, 0x44, 0x46, 0x2d],
  "image/jpeg": [0xff, 0xd8, 0xff],
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
};

/** Handles `POST /v1/files`: accepts one file and stores its description. */
export async function storeEvidenceFile(psp: Psp, request: Request): Promise<Response> {
  const key = request.headers.get("idempotency-key") ?? "";
  const contentType = request.headers.get("content-type") ?? "";
  const bytes = new Uint8Array(await request.arrayBuffer());
  const magic = MAGIC[contentType];
  if (bytes.byteLength > FILE_LIMIT_BYTES)
    throw new PspRefusal(413, "file_too_large", "A file has at most 5 MiB.");
  if (!magic || magic.some((byte, index) => bytes[index] !== byte))
    throw new PspRefusal(422, "file_invalid", "A PDF, a JPG or a PNG, as its Content-Type says.");
  const sha256 = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const name = decodeURIComponent(request.headers.get("x-file-name") ?? "").slice(0, 200);
  const file: FileRow = {
    id: `file_${await digest(`file ${key}`, 28)}`,
    name,
    contentType,
    sizeBytes: bytes.byteLength,
    sha256,
    createdAt: psp.now(),
  };
  return runIdempotent(psp, request, { name, contentType, sha256 }, async () => ({
    answer: fileAnswer(file),
    writes: [psp.db.insert(files).values(file)],
  }));
}

/** Submits the only answer of a dispute, before its deadline. */
export async function answerDispute(
  psp: Psp,
  id: string,
  body: z.infer<typeof evidenceRequest>,
): Promise<IdempotentEffect> {
  const dispute = await disputeById(psp, id);
  if (dispute.status !== "open")
    throw new PspRefusal(409, "dispute_decided", "This dispute was decided before.");
  if (dispute.answeredAt !== null)
    throw new PspRefusal(409, "dispute_answered", "This dispute was answered before.");
  if (psp.now() >= dispute.respondBy)
    throw new PspRefusal(409, "dispute_too_late", "The time to answer is over.");
  const ids = body.files.map(({ file }) => file);
  const outcome =
    ids.length === 0
      ? []
      : await psp.db.select({ id: files.id }).from(files).where(inArray(files.id, ids));
  if (outcome.length !== new Set(ids).size)
    throw new PspRefusal(404, "file_not_found", "No such file.");
  const answered: SandboxDisputeRow = {
    ...dispute,
    answeredAt: psp.now(),
    evidence: JSON.stringify(body),
  };
  return {
    answer: disputeAnswer(answered),
    staleCode: "dispute_answered",
    writes: [
      mustChangeOne(
        psp.db
          .update(disputes)
          .set({ answeredAt: answered.answeredAt, evidence: answered.evidence })
          .where(
            and(eq(disputes.id, id), eq(disputes.status, "open"), isNull(disputes.answeredAt)),
          ),
      ),
      ...(await eventStatements(psp, "dispute.under_review", "dispute", id)),
    ],
  };
}

/** Concedes a dispute. */
export async function acceptDispute(psp: Psp, id: string): Promise<SandboxDisputeRow> {
  const dispute = await disputeById(psp, id);
  return dispute.status === "lost" ? dispute : decideDispute(psp, id, "lost");
}
