import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { cleanText } from "#app/domain/text.ts";

/**
 * What can be reported. A further kind is added here. The compiler then names the records that lack
 * it: `SUBJECTS` (rules/subjects.ts), `SUBJECT_READERS` (queries) and `SUBJECT_HOLDS` (commands).
 */
const subjectKinds = ["post", "comment", "profile", "message", "event"] as const;
export type SubjectKind = (typeof subjectKinds)[number];
export type ReportSubject = { kind: SubjectKind; id: string };

export const reportReasons = [
  "spam",
  "scam",
  "harassment",
  "hate",
  "unmarked_adult",
  "child_exploitation",
  "violence",
  "copyright",
  "other",
] as const;
export type ReportReason = (typeof reportReasons)[number];

/** What a moderator decides on a case. */
export const caseDecisions = ["dismiss", "hide", "warn", "suspend", "ban"] as const;
export type CaseDecision = (typeof caseDecisions)[number];

export type EvidenceFile = {
  id: string;
  kind: "image" | "video" | "audio" | "document";
  alt: string;
};

/** A subject as it was at one moment. */
export type Evidence =
  | {
      kind: "post";
      title: string;
      teaser: string;
      content: string;
      isSensitive: boolean;
      editedAt: Instant | null;
      files: EvidenceFile[];
    }
  | {
      kind: "event";
      title: string;
      description: string;
      place: string;
      /** Its link, which only people with a seat see; empty without. */
      link: string;
      startsAt: Instant;
      timeZone: string;
      files: EvidenceFile[];
    }
  | { kind: "comment"; body: string; postId: string; postTitle: string; editedAt: Instant | null }
  | {
      kind: "message";
      body: string;
      conversationId: string;
      seq: number;
      /** It is of the chat of the event with the id of the conversation. */
      isOfEvent?: boolean;
      editedAt: Instant | null;
      /** Missing in copies from before messages had files. */
      files?: EvidenceFile[];
      /** What its file costs (centavos); null for one that is not sold, missing in older copies. */
      priceCents?: Cents | null;
    }
  | {
      kind: "profile";
      name: string;
      username: string;
      craft: string;
      city: string;
      bio: string;
      links: string[];
      files: EvidenceFile[];
    };

export const REPORT_DETAILS_MAX = 2_000;
export const DECISION_REASON_MAX = 1_000;
export const SUSPENSION_DAYS_MAX = 180;

const detailsSchema = z
  .string()
  .default("")
  .transform((typed) => cleanText(typed).trim())
  .pipe(z.string().max(REPORT_DETAILS_MAX, "Use até 2.000 caracteres."));

/** The form "Denunciar". */
export const reportSchema = z
  .object({
    reason: z.enum(reportReasons, { error: "Escolha um motivo." }),
    details: detailsSchema,
  })
  .refine(({ reason, details }) => reason !== "other" || details !== "", {
    path: ["details"],
    message: "Conte o que aconteceu: sem um motivo da lista, precisamos das suas palavras.",
  });

/** The address of a report form. */
export const reportSubjectSchema = z.object({
  kind: z.enum(subjectKinds),
  id: z.string().regex(/^[0-9a-zA-Z-]{1,64}$/),
});

/** A reason that a person reads. */
export const decisionReasonSchema = z
  .string({ error: "Escreva o motivo: a pessoa vai ler." })
  .transform((typed) => cleanText(typed).trim())
  .pipe(
    z
      .string()
      .min(1, "Escreva o motivo: a pessoa vai ler.")
      .max(DECISION_REASON_MAX, "Use até 1.000 caracteres."),
  );

const versionSchema = z.coerce.number().int().min(1);

/** The forms "Assumir" and "Soltar" of a case. */
export const caseActionSchema = z.object({
  version: versionSchema,
  reason: z
    .string()
    .default("")
    .transform((typed) => cleanText(typed).trim())
    .pipe(z.string().max(DECISION_REASON_MAX, "Use até 1.000 caracteres.")),
});

/** The form of a decision. A suspension needs its days, and all but a dismissal a rule. */
export const caseDecisionSchema = z
  .object({
    version: versionSchema,
    reportsSeen: z.coerce.number().int().default(0),
    decision: z.enum(caseDecisions, { error: "Escolha o que fazer." }),
    rule: z
      .enum(reportReasons, { error: "Escolha a regra." })
      .or(z.literal("").transform(() => undefined))
      .optional(),
    days: z
      .union([
        z.literal("").transform(() => undefined),
        z.coerce
          .number({ error: "Escreva os dias em números." })
          .int("Use dias inteiros.")
          .min(1, "Use pelo menos 1 dia.")
          .max(SUSPENSION_DAYS_MAX, `Use até ${SUSPENSION_DAYS_MAX} dias.`),
      ])
      .optional(),
    reason: decisionReasonSchema,
  })
  .refine(({ decision, rule }) => decision === "dismiss" || rule !== undefined, {
    path: ["rule"],
    message: "Escolha a regra que foi quebrada.",
  })
  .refine(({ decision, days }) => decision !== "suspend" || days !== undefined, {
    path: ["days"],
    message: "Diga por quantos dias.",
  });
