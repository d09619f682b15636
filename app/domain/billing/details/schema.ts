import { z } from "zod";
import { STATES } from "./rules.ts";
import type { State } from "./rules.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { taxIdSchema } from "#app/domain/identity/tax-ids/schema.ts";

/**
 * The payer, as receipts show them. `taxId` has its characters alone, `cep` eight digits.
 * `complement` may be empty. The whole address is empty when only a checkout asked for the tax id.
 */
export type BillingDetails = TaxId & {
  name: string;
  cep: string;
  street: string;
  number: string;
  complement: string;
  district: string;
  city: string;
  state: string;
};

/** No control characters, which no document can show. Spaces are collapsed. */
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
  .refine(
    (text) => text === "" || (/^\d{8}$/.test(text) && !/^0{8}$/.test(text)),
    "O CEP tem 8 números, como 50050-000",
  );

const stateSchema = z
  .string({ error: "Escolha o estado" })
  .refine((text): text is State => STATES.some(([code]) => code === text), "Escolha o estado");

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
  /** Sellers may see name and tax id, to issue an invoice. An unticked box is not sent. */
  wantsInvoice: z
    .string()
    .optional()
    .transform((text) => text === "yes"),
});
