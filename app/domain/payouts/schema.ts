import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils";
import { z } from "zod";
import { taxIdOf } from "#app/domain/documents/rules.ts";
import { documentsFormOf } from "#app/domain/documents/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { isOthersDocument } from "./rules.ts";

export const payoutStatuses = ["requested", "held", "claimed", "sent", "paid", "failed", "returned", "canceled"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutSchedules = ["manual", "weekly", "monthly"] as const;
export type PayoutSchedule = (typeof payoutSchedules)[number];

/** Why a payout waits: papers not approved, a key that changed, a moderator, an amount above the limit. */
export type HeldReason = "documents" | "changed_method" | "moderation" | "approval";

export type PixKey = { kind: PixKeyKind; key: string };

/** A Pix key as typed (CPF, CNPJ, e-mail, phone, random key), to its canonical form; check digits must hold. */
export const pixKeySchema = z
  .string({ error: "Informe a chave Pix" })
  .trim()
  .min(1, "Informe a chave Pix")
  .max(77, "Uma chave Pix tem até 77 letras")
  .transform((text, check): PixKey => {
    const info = getPixKeyInfo(text);
    if (info) return { kind: info.type, key: info.value };
    check.addIssue({ code: "custom", message: "Confira a chave: CPF, CNPJ, e-mail, celular com DDD ou chave aleatória" });
    return z.NEVER;
  });

const PERSON_MISMATCH = "A chave CPF precisa ser a sua, e a CNPJ só vale para empresa: o dinheiro vai para quem enviou os documentos";
const COMPANY_MISMATCH = "A chave precisa ser o CNPJ da empresa, ou um e-mail, celular ou chave aleatória da conta dela";

/** The minimal form that a seller fills before the first plan is active; gives `company` as null for a person. */
export const sellerDetailsSchema = documentsFormOf({ pixKey: pixKeySchema })
  .transform(({ fullName, cpf, birthDate, pixKey, ...rest }) => ({ fullName, cpf, birthDate, pixKey, company: rest.kind === "company" ? { name: rest.companyName, cnpj: rest.cnpj } : null }))
  .superRefine(({ pixKey, ...details }, check) => {
    if (isOthersDocument(pixKey, taxIdOf(details))) check.addIssue({ code: "custom", path: ["pixKey"], message: details.company ? COMPANY_MISMATCH : PERSON_MISMATCH });
  });

/** The two forms of the page: another key, or another schedule. */
export const withdrawalMethodSchema = z.preprocess(
  (fields) => ({ ...Object(fields), form: Object.hasOwn(Object(fields), "schedule") ? "schedule" : "key" }),
  z.discriminatedUnion("form", [z.object({ form: z.literal("key"), pixKey: pixKeySchema }), z.object({ form: z.literal("schedule"), schedule: z.enum(payoutSchedules, { error: "Escolha quando sacar" }) })]),
);

const reasonSchema = z.string({ error: "Escreva o motivo" }).trim().min(1, "Escreva o motivo").max(300, "O motivo tem até 300 letras");

/** What a moderator does at the desk of a payout; `seenCents` is the amount that they saw, in centavos. */
export const deskSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("approve"), seenCents: z.coerce.number().int().positive() }),
  z.object({ act: z.literal("hold"), reason: reasonSchema }),
  z.object({ act: z.literal("release") }),
  z.object({ act: z.literal("cancel"), reason: reasonSchema }),
  z.object({ act: z.literal("retry") }),
  z.object({ act: z.literal("ask") }),
]);

export type Payout = {
  id: string;
  creatorId: string;
  batchId: string | null;
  amountCents: Cents;
  status: PayoutStatus;
  pixKeyKind: PixKeyKind;
  pixKey: string;
  provider: string;
  providerTransferId: string | null;
  failureCode: string | null;
  requestedAt: Instant;
  claimedAt: Instant | null;
  sentAt: Instant | null;
  settledAt: Instant | null;
  actedBy: string | null;
  heldReason: HeldReason | null;
  heldUntil: Instant | null;
  approvedBy: string | null;
  approvedCents: Cents | null;
};

export type WithdrawalMethod = {
  pixKeyKind: PixKeyKind;
  pixKey: string;
  schedule: PayoutSchedule;
  holdUntil: Instant | null;
  updatedAt: Instant;
};
