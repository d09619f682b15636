import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import { z } from "zod";
import type { TaxId } from "./rules.ts";

/**
 * Parses a typed CPF, with or without dots and dash, to eleven digits. Its check digits must match.
 * Eleven equal digits are refused.
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
/** Digits, and since July 2026 letters too, except in the two check digits (IN RFB 2.229/2024). */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

const BROKEN_CNPJ = "Confira o CNPJ: os dígitos do fim não batem";
const isUnlessCnpj = (text: string): boolean =>
  !CNPJ.test(text) || isValidCnpj(text, { version: 2 });

/**
 * Parses a typed CNPJ, numeric or alphanumeric, with or without dots, slash and dash. Gives its
 * fourteen characters in capitals. Its check digits must match.
 */
export const cnpjSchema = z
  .string({ error: "Informe o CNPJ" })
  .max(30, "O CNPJ tem 14 letras ou números")
  .transform(bare)
  .refine((text) => text !== "", "Informe o CNPJ")
  .refine((text) => text === "" || CNPJ.test(text), "O CNPJ tem 14 letras ou números")
  .refine(isUnlessCnpj, BROKEN_CNPJ);

/** Parses a typed CPF or CNPJ, with its check digits. Gives its kind and its characters alone. */
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
