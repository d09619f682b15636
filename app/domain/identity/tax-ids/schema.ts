import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import { z } from "zod";
import type { TaxId } from "./rules.ts";

/**
 * CPF as typed, dots and dash or not, to eleven digits; its check digits must hold (eleven equal
 * digits are refused).
 */
export const cpfSchema = z
  .string({ error: "Informe o CPF" })
  .trim()
  .min(1, "Informe o CPF")
  .regex(/^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/, "O CPF tem 11 números")
  .refine((text) => isValidCpf(text), "Confira o CPF: os números não batem")
  .transform((text) => text.replace(/\D/g, ""));

const bare = (text: string): string => text.replaceAll(/[\s./-]/g, "").toUpperCase();

const CPF = /^\d{11}$/;
/** Numbers, and since July 2026 letters too, but for the two check digits (IN RFB 2.229/2024). */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

const BROKEN_CNPJ = "Confira o CNPJ: os dígitos do fim não batem";
const isUnlessCnpj = (text: string): boolean =>
  !CNPJ.test(text) || isValidCnpj(text, { version: 2 });

/**
 * CNPJ as typed, dots, slash and dash or not, of numbers alone or with letters, to its fourteen
 * characters in capitals; its check digits must hold.
 */
export const cnpjSchema = z
  .string({ error: "Informe o CNPJ" })
  .max(30, "O CNPJ tem 14 letras ou números")
  .transform(bare)
  .refine((text) => text !== "", "Informe o CNPJ")
  .refine((text) => text === "" || CNPJ.test(text), "O CNPJ tem 14 letras ou números")
  .refine(isUnlessCnpj, BROKEN_CNPJ);

/**
 * CPF or CNPJ as a person types it, with its check digits; gives which it is and its characters
 * alone.
 */
export const taxIdSchema = z
  .string({ error: "Informe o CPF ou o CNPJ" })
  .max(30, "O CPF tem 11 números; o CNPJ, 14 letras ou números")
  .transform(bare)
  .refine((text) => text !== "", "Informe o CPF ou o CNPJ")
  .refine(
    (text) => text === "" || CPF.test(text) || CNPJ.test(text),
    "O CPF tem 11 números; o CNPJ, 14 letras ou números",
  )
  .refine((text) => !CPF.test(text) || isValidCpf(text), "Confira o CPF: os números não batem")
  .refine(isUnlessCnpj, BROKEN_CNPJ)
  .transform((text): TaxId => ({ taxKind: CPF.test(text) ? "cpf" : "cnpj", taxId: text }));
