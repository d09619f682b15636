import { z } from "zod";
import { birthDateSchema } from "#app/domain/identity/registration/schema/birth-date.ts";
import type { TaxId, TaxKind } from "#app/domain/identity/tax-ids/rules.ts";
import { cnpjSchema, cpfSchema } from "#app/domain/identity/tax-ids/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { rejectionCodes } from "#app/domain/documents/reasons/rules.ts";
import { fileKinds } from "./schema/file-kinds.ts";
import type { FileKind } from "./schema/file-kinds.ts";

/**
 * `contested`: another account has the number, and a moderator decides whose it is; until then
 * nothing is sold under these.
 */
const documentsStatuses = ["missing", "submitted", "contested", "approved", "rejected"] as const;
export type DocumentsStatus = (typeof documentsStatuses)[number];

/** A company that sells: its registered name, and its CNPJ as fourteen characters. */
export type SellerCompany = { name: string; cnpj: string };

/**
 * What is kept of a seller's documents. `cpf` (eleven digits), `fullName` and `birthDate` (an ISO
 * date such as `1990-12-31`) are the person's, or those of who is responsible for the company.
 * `sellerName` and `taxId` name who sells: the company where there is one.
 */
export type Documents = {
  personId: string;
  status: Exclude<DocumentsStatus, "missing">;
  cpf: string;
  fullName: string;
  birthDate: string;
  /** An ISO date: what they told before the paper showed another; null for who told the truth. */
  toldBirthDate: string | null;
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
  /** ISO date: the last day of the paper that was approved. */
  expiresOn: string | null;
  remindedAt: Instant | null;
  submittedAt: Instant;
  decidedAt: Instant | null;
  /** Until when rejected documents keep their number (`taxIdHeldUntil`). */
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
 * The registered name of a company: "12.345.678 Ana Lira ME" has numbers in it, and "Lira & Filhos"
 * a sign.
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

/** Who says so keeps their number though another account has it: a moderator looks at both. */
const contestsSchema = z
  .literal("on")
  .optional()
  .transform((said) => said === "on");

const ofPerson = {
  fullName: fullNameSchema,
  cpf: cpfSchema,
  birthDate: birthDateSchema,
  contests: contestsSchema,
};

/**
 * The forms of a person and of a company with who is responsible for it; `more` joins both. Gives
 * `company` as null for a person.
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
 * How a number stands at the Receita Federal. `suspended`: wants something put right; `canceled`:
 * of a company, closed; `dead`: its person died; `not_found`: given to nobody.
 */
const registrySituations = ["regular", "suspended", "canceled", "dead", "not_found"] as const;
export type RegistrySituation = (typeof registrySituations)[number];

/** `name`: whose number it is there; null where the registry does not say. */
export type RegistryAnswer = { situation: RegistrySituation; name: string | null };

/** Who tells how a CPF or CNPJ stands, the alphanumeric CNPJ too. It is given the number alone. */
export type TaxIdRegistry = {
  /** Kept beside each answer. */
  name: string;
  /** Null where no answer came: it is asked again later, and nothing is decided by it. */
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
 * For the `accept` of a file input: who names no HEIC is given a JPG by an iPhone. The bytes
 * decide, not the name.
 */
export const ACCEPTED_PHOTOS = "image/jpeg,image/png,image/webp";
export const ACCEPTED_PDF = "application/pdf,.pdf";

/** One file, and what it shows. */
export const documentFileSchema = z.object({
  kind: z.enum(fileKinds, { error: "Escolha o que o arquivo mostra." }),
  file: z.file({ error: "Escolha o arquivo" }),
});

const dayAheadSchema = z
  .string()
  .optional()
  .transform((text) => (text ?? "").trim())
  .pipe(
    z
      .literal("")
      .transform(() => null)
      .or(birthDateSchema),
  );

/**
 * When the files were that the moderator saw (`filesAt`, 0 for none): a decision of papers is of
 * those that were looked at.
 */
const seenAtSchema = z.coerce.number({ error: "Abra os documentos antes de decidir" }).int();

/** An approval: the last day of the paper, where it has one. */
export const approvalSchema = z.object({
  expiresOn: dayAheadSchema,
  seenAt: seenAtSchema,
  /**
   * Of contested papers: that the number passes to them, and from which as they were seen
   * (`contestVersion`).
   */
  takesFrom: z.string().max(120).optional(),
  /** The moderator looked the numbers up by hand, where the registry gave no answer. */
  lookedUp: z
    .literal("on")
    .optional()
    .transform((said) => said === "on"),
});

/** "Consultar agora". */
export const registryQuerySchema = z.object({});

const NOTE_MAX = 300;

export const rejectionSchema = z
  .object({
    code: z.enum(rejectionCodes, { error: "Escolha o motivo" }),
    note: z
      .string()
      .optional()
      .transform((text) => (text ?? "").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim())
      .refine((text) => Array.from(text).length <= NOTE_MAX, `Use até ${NOTE_MAX} letras`),
    seenAt: seenAtSchema,
    /** The day of birth that the paper shows, where that is the reason. */
    bornOn: dayAheadSchema,
    /** The same day, once the age that it makes was read. */
    confirmedBornOn: dayAheadSchema,
  })
  .refine(({ code, bornOn }) => code === "underage" || bornOn === null, {
    path: ["bornOn"],
    error:
      "O nascimento só vale com o motivo “Tem menos de 18 anos”. Apague a data ou troque o motivo.",
  })
  .refine(({ code, bornOn }) => code !== "underage" || bornOn !== null, {
    path: ["bornOn"],
    error: "Diga o nascimento que está no documento",
  })
  .refine(({ code, note }) => code !== "other" || note.length >= 5, {
    path: ["note"],
    error: "Diga o motivo, para a pessoa saber o que corrigir",
  });
