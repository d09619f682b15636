import { cpf as cpfNumber } from "cpf-cnpj-validator";
import { z } from "zod";
import { birthDateSchema } from "#app/domain/identity/schema/birth-date.ts";
import type { Instant } from "#app/domain/time.ts";

export const documentsStatuses = ["missing", "submitted", "approved", "rejected"] as const;
export type DocumentsStatus = (typeof documentsStatuses)[number];

/** What is kept of a seller's documents. `cpf` is eleven digits, `birthDate` an ISO date such as `1990-12-31`. */
export type Documents = {
  personId: string;
  status: Exclude<DocumentsStatus, "missing">;
  cpf: string;
  fullName: string;
  birthDate: string;
  rejectionReason: string | null;
  submittedAt: Instant;
  decidedAt: Instant | null;
};

/** CPF as typed, dots and dash or not, to eleven digits; its check digits must hold (eleven equal digits are refused). */
export const cpfSchema = z
  .string({ error: "Informe o CPF" })
  .trim()
  .min(1, "Informe o CPF")
  .regex(/^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/, "O CPF tem 11 números")
  .refine((text) => cpfNumber.isValid(text), "Confira o CPF: os números não batem")
  .transform((text) => text.replace(/\D/g, ""));

export const fullNameSchema = z
  .string({ error: "Informe o nome completo" })
  .trim()
  .min(1, "Informe o nome completo")
  .max(120, "Use até 120 letras")
  .regex(/^[\p{L}\p{M}'’.\- ]+$/u, "Use só letras, como no documento")
  .transform((text) => text.replace(/\s+/g, " "))
  .refine((text) => text.includes(" "), "Escreva nome e sobrenome, como no documento");

export const documentsSchema = z.object({
  fullName: fullNameSchema,
  cpf: cpfSchema,
  birthDate: birthDateSchema,
});

export const rejectionSchema = z.object({
  reason: z
    .string({ error: "Diga o motivo" })
    .trim()
    .min(5, "Diga o motivo, para a pessoa saber o que corrigir")
    .max(300, "Use até 300 letras"),
});
