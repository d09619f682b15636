import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

/** To the holder of a contested tax id: a contest starts, and it ends without their loss. */
const aboutContest = z.object({ personId: z.string(), taxKind: z.enum(["cpf", "cnpj"]) });

export const documentMessages = {
  "documents.decided": z.object({
    personId: z.string(),
    decision: z.enum(["approved", "rejected"]),
    reason: z.string(),
    decidedAt: z.number(),
    /** What became of an earlier approval: it lasts until this ISO date, or it was revoked. */
    approval: z.union([z.object({ until: z.string() }), z.literal("taken_back")]).optional(),
  }),
  "documents.deadline": z.object({
    personId: z.string(),
    deadlineAt: z.number(),
    /** Files are missing, so nobody can review the documents yet. */
    isMissing: z.boolean(),
  }),
  "documents.ending": z.object({ personId: z.string(), expiresOn: z.string() }),
  "documents.ended": z.object({
    personId: z.string(),
    deadlineAt: z.number(),
    /** A complete new document waits for us. */
    isSent: z.boolean().optional(),
  }),
  "documents.contest_comes": aboutContest,
  "documents.contest_over": aboutContest,
  "documents.contest_late": z.object({
    moderatorIds: z.array(z.string()),
    /** The contestant. */
    personId: z.string(),
    answerBy: z.number(),
  }),
};

export type DocumentMessage = MessageOf<typeof documentMessages>;
