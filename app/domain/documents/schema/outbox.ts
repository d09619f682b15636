import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

/** Of whose number somebody contests: it comes, and it ends without them losing it. */
const aboutContest = z.object({ personId: z.string(), taxKind: z.enum(["cpf", "cnpj"]) });

export const documentMessages = {
  "documents.decided": z.object({
    personId: z.string(),
    decision: z.enum(["approved", "rejected"]),
    reason: z.string(),
    decidedAt: z.number(),
    /**
     * What became of an approval that there was: it stands until this ISO date, or it was taken
     * back.
     */
    approval: z.union([z.object({ until: z.string() }), z.literal("taken_back")]).optional(),
  }),
  "documents.deadline": z.object({
    personId: z.string(),
    deadlineAt: z.number(),
    /** Files are missing, so that nobody can look at them yet. */
    isMissing: z.boolean(),
  }),
  "documents.ending": z.object({ personId: z.string(), expiresOn: z.string() }),
  "documents.ended": z.object({
    personId: z.string(),
    deadlineAt: z.number(),
    /** A new paper came whole, and waits for us. */
    isSent: z.boolean().optional(),
  }),
  "documents.contest_comes": aboutContest,
  "documents.contest_over": aboutContest,
  "documents.contest_late": z.object({
    moderatorIds: z.array(z.string()),
    /** Who contests a number. */
    personId: z.string(),
    answerBy: z.number(),
  }),
};

export type DocumentMessage = MessageOf<typeof documentMessages>;
