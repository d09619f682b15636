import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { appealOutcomes } from "#app/domain/moderation/appeals/schema.ts";
import { caseDecisions } from "#app/domain/moderation/reports/schema.ts";

export const moderationMessages = {
  "person.banned": z.object({ personId: z.string(), reason: z.string() }),
  "person.unbanned": z.object({ personId: z.string() }),
  /** To each reporter of a decided case. `subject` names what they reported. */
  "report.decided": z.object({
    personId: z.string(),
    subject: z.string(),
    isUpheld: z.boolean(),
  }),
  /** To each reporter, when the author's appeal was decided. */
  "report.appealed": z.object({
    personId: z.string(),
    subject: z.string(),
    outcome: z.enum(appealOutcomes),
  }),
  /** To the author of what a moderator acted on. */
  "content.moderated": z.object({
    personId: z.string(),
    decision: z.enum(caseDecisions).exclude(["dismiss"]),
    effect: z.string(),
    rule: z.string(),
    reason: z.string(),
    appealPath: z.string(),
    appealUrl: z.string(),
    appealUntil: z.number(),
  }),
  "appeal.decided": z.object({
    personId: z.string(),
    outcome: z.enum(appealOutcomes),
    subject: z.string(),
    reason: z.string(),
    path: z.string(),
  }),
};

export type ModerationMessage = MessageOf<typeof moderationMessages>;
