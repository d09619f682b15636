import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils";
import { z } from "zod";
import { documentsSchema } from "#app/domain/documents/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const payoutStatuses = ["requested", "held", "claimed", "sent", "paid", "failed", "returned", "canceled"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutSchedules = ["manual", "weekly", "monthly"] as const;
export type PayoutSchedule = (typeof payoutSchedules)[number];

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

const OWNER_MISMATCH = "A chave CPF precisa ser a sua: o dinheiro só vai para quem enviou os documentos";

/** The minimal form that a seller fills before the first plan is active. */
export const sellerDetailsSchema = documentsSchema.extend({ pixKey: pixKeySchema }).refine(
  ({ cpf, pixKey }) => pixKey.kind !== "cpf" || pixKey.key === cpf,
  { path: ["pixKey"], message: OWNER_MISMATCH },
);

export const withdrawalMethodSchema = z.object({ pixKey: pixKeySchema });

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
};

export type WithdrawalMethod = {
  pixKeyKind: PixKeyKind;
  pixKey: string;
  schedule: PayoutSchedule;
  holdUntil: Instant | null;
  updatedAt: Instant;
};
