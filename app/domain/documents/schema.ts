import { z } from "zod";
import { birthDateSchema } from "#app/domain/identity/registration/schema/birth-date.ts";
import type { TaxId, TaxKind } from "#app/domain/identity/tax-ids/rules.ts";
import { cnpjSchema, cpfSchema } from "#app/domain/identity/tax-ids/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { fileKinds } from "#app/domain/documents/schema/file-kinds.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";

/**
 * `contested`: another account has the tax id, and a moderator decides whose it is. Until then
 * nothing is sold under these documents.
 */
const documentsStatuses = ["missing", "submitted", "contested", "approved", "rejected"] as const;
export type DocumentsStatus = (typeof documentsStatuses)[number];

/** A company that sells: its registered name, and its CNPJ as fourteen characters. */
export type SellerCompany = { name: string; cnpj: string };

/**
 * The stored documents of a seller. `cpf` has eleven digits, `birthDate` is an ISO date such as
 * `1990-12-31`. They and `fullName` are the person's, or those of the person responsible for the
 * company. `sellerName` and `taxId` name the seller: the company where there is one.
 */
export type Documents = {
  personId: string;
  status: Exclude<DocumentsStatus, "missing">;
  cpf: string;
  fullName: string;
  birthDate: string;
  /**
   * An ISO date: the declared one, before the document showed another. Null for a person who told
   * the truth.
   */
  statedBirthDate: string | null;
  cnpj: string | null;
  companyName: string | null;
  sellerName: string;
  taxKind: TaxKind;
  taxId: string;
  rejectionReason: string | null;
  /** One of `REJECTION_REASONS`, or `CONTEST_WITHDRAWN_CODE`; null before any. */
  rejectionCode: string | null;
  /** When a file last changed; null before the first. */
  filesAt: Instant | null;
  /** ISO date: the last day of the approved document. */
  expiresOn: string | null;
  remindedAt: Instant | null;
  submittedAt: Instant;
  decidedAt: Instant | null;
  /** Until when rejected documents reserve their tax id (`taxIdHeldUntil`). */
  numberUntil: Instant | null;
};

export const fullNameSchema = z
  .string({ error: "Informe o nome completo" })
  .trim()
  .min(1, "Informe o nome completo")
  .max(120, "Use até 120 letras")
  .regex(/^[\p{L}\p{M}'’.\- ]+$/u, "Use só letras, como no documento")
  .transform((text) => text.replace(/\s+/g, " "))
  .refine((text) => text.includes(" "), "Escreva nome e sobrenome, como no documento");

/**
 * The registered name of a company. It may have digits ("12.345.678 Ana Lira ME") and signs ("Lira
 * & Filhos").
 */
const companyNameSchema = z
  .string({ error: "Informe a razão social" })
  .transform((text) => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim())
  .refine((text) => text !== "", "Informe a razão social")
  .refine((text) => Array.from(text).length <= 120, "Use até 120 letras")
  .refine(
    (text) => text === "" || /^[\p{L}\p{M}\p{N}'’.,&/()°ºª+\- ]+$/u.test(text),
    "Use só letras e números, como no cartão CNPJ",
  );

/** The person claims a tax id that another account has. A moderator compares both. */
const contestsSchema = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

const ofPerson = {
  fullName: fullNameSchema,
  cpf: cpfSchema,
  birthDate: birthDateSchema,
  contests: contestsSchema,
};

/**
 * Builds the forms of a person, and of a company with its responsible person. `more` is added to
 * both. Parses `company` as null for a person.
 */
export function documentsFormSchema<More extends z.ZodRawShape>(more: More) {
  return z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("person").optional(), ...ofPerson, ...more }),
    z.object({
      kind: z.literal("company"),
      companyName: companyNameSchema,
      cnpj: cnpjSchema,
      ...ofPerson,
      ...more,
    }),
  ]);
}

/**
 * The status of a tax id at the Receita Federal. `suspended`: something must be corrected.
 * `canceled`: the company is closed. `dead`: the person died. `not_found`: assigned to nobody.
 */
const registrySituations = ["regular", "suspended", "canceled", "dead", "not_found"] as const;
export type RegistrySituation = (typeof registrySituations)[number];

/** `name`: the owner's name in the registry; null where it gives none. */
export type RegistryAnswer = { situation: RegistrySituation; name: string | null };

/** Looks up a CPF or CNPJ, also an alphanumeric CNPJ. It receives the tax id alone. */
export type TaxIdRegistry = {
  /** Stored with each answer. */
  name: string;
  /** Returns null without an answer: it is asked again later, and nothing is decided by it. */
  ask(number: TaxId): Promise<RegistryAnswer | null>;
};

export type DocumentFile = {
  id: string;
  personId: string;
  kind: FileKind;
  contentType: "application/pdf" | "image/webp";
  sizeBytes: number;
  createdAt: Instant;
};

export const DOCUMENT_FILE_MAX_BYTES = 10 * 1_048_576;
/**
 * For the `accept` of a file input. Without HEIC in the list, an iPhone sends a JPG. The bytes
 * decide, not the name.
 */
export const ACCEPTED_PHOTOS = "image/jpeg,image/png,image/webp";
export const ACCEPTED_PDF = "application/pdf,.pdf";

/** One file, and what it shows. */
export const documentFileSchema = z.object({
  kind: z.enum(fileKinds, { error: "Escolha o que o arquivo mostra." }),
  file: z.file({ error: "Escolha o arquivo" }),
});

/** "Consultar agora". */
export const registryQuerySchema = z.object({});
