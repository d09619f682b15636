import { cnpj as cnpjNumber, cpf as cpfNumber } from "cpf-cnpj-validator";
import { z } from "zod";
import { STATES } from "#app/domain/billing/rules/details.ts";
import type { State } from "#app/domain/billing/rules/details.ts";

/** Who pays, as receipts name them. `taxId` is its characters alone, `cep` eight digits; `complement` may be empty, and so is the whole address of who told a checkout only the number. */
export type BillingDetails = {
  taxKind: "cpf" | "cnpj";
  taxId: string;
  name: string;
  cep: string;
  street: string;
  number: string;
  complement: string;
  district: string;
  city: string;
  state: string;
};

const bare = (text: string): string => text.replaceAll(/[\s./-]/g, "").toUpperCase();

const CPF = /^\d{11}$/;
/** Numbers, and since July 2026 letters too, but for the two check digits (IN RFB 2.229/2024). */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/** CPF or CNPJ as a person types it, with its check digits; gives which it is and its characters alone. */
export const taxIdSchema = z
  .string({ error: "Informe o CPF ou o CNPJ" })
  .max(30, "O CPF tem 11 números; o CNPJ, 14 letras ou números")
  .transform(bare)
  .refine((text) => text !== "", "Informe o CPF ou o CNPJ")
  .refine((text) => text === "" || CPF.test(text) || CNPJ.test(text), "O CPF tem 11 números; o CNPJ, 14 letras ou números")
  .refine((text) => !CPF.test(text) || cpfNumber.isValid(text), "Confira o CPF: os números não batem")
  .refine((text) => !CNPJ.test(text) || cnpjNumber.isValid(text), "Confira o CNPJ: os dígitos do fim não batem")
  .transform((text) => ({ taxKind: CPF.test(text) ? ("cpf" as const) : ("cnpj" as const), taxId: text }));

/** No control characters, which no paper shows; spaces as one. */
function line(label: string, most: number) {
  return z
    .string({ error: label })
    .transform((text) => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim())
    .refine((text) => text !== "", label)
    .refine((text) => Array.from(text).length <= most, `Use até ${most} letras`);
}

const cepSchema = z
  .string({ error: "Informe o CEP" })
  .transform((text) => text.replaceAll(/[\s.-]/g, ""))
  .refine((text) => text !== "", "Informe o CEP")
  .refine((text) => text === "" || (/^\d{8}$/.test(text) && !/^0{8}$/.test(text)), "O CEP tem 8 números, como 50050-000");

const stateSchema = z.string({ error: "Escolha o estado" }).refine((text): text is State => STATES.some(([code]) => code === text), "Escolha o estado");

export const billingDetailsSchema = z.object({
  taxId: taxIdSchema,
  name: line("Informe o nome ou a razão social", 120),
  cep: cepSchema,
  street: line("Informe a rua", 120),
  number: line("Informe o número, ou S/N", 20),
  complement: z
    .string()
    .optional()
    .transform((text) => (text ?? "").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim())
    .refine((text) => Array.from(text).length <= 80, "Use até 80 letras"),
  district: line("Informe o bairro", 80),
  city: line("Informe a cidade", 80),
  state: stateSchema,
});
