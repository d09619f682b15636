import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import type { Issuer, PlatformCompany } from "#app/domain/fiscal/schema/company.ts";

/**
 * The fictional company of a local machine. The CNPJ is the Receita Federal's own example of the
 * alphanumeric form, assigned to no company.
 */
export const EXAMPLE_COMPANY: PlatformCompany = {
  name: "Coreto Pagamentos e Publicações Ltda.",
  cnpj: "12.ABC.345/01DE-35",
  address: "Rua da Aurora, 295, sala 1204, Boa Vista, Recife/PE, CEP 50050-000",
  email: "atendimento@coreto.app",
  privacyEmail: "privacidade@coreto.app",
};

/** The issuer of a local machine, fictional too. */
export const EXAMPLE_ISSUER: Issuer = {
  municipalId: "00000000",
  serviceCode: "06298",
  issBasisPoints: 290,
};

type CompanyVariables = { readonly [name: string]: unknown };
/** `issuer` is null while no invoices are issued. `company` is null if there are problems. */
type CompanyResult = { company: PlatformCompany | null; issuer: Issuer | null; problems: string[] };

const COMPANY = [
  "COMPANY_NAME",
  "COMPANY_CNPJ",
  "COMPANY_ADDRESS",
  "COMPANY_EMAIL",
  "COMPANY_PRIVACY_EMAIL",
] as const;
/** The variables that an invoice needs. */
export const FISCAL_VARIABLES = [
  "FISCAL_MUNICIPAL_ID",
  "FISCAL_SERVICE_CODE",
  "FISCAL_ISS_PERCENTAGE",
] as const;
const LONGEST = 200;

/**
 * Reads the company and the issuer of its invoices: each complete or not at all. Only a local build
 * uses an example. A deployed product does not start without a company, and issues no invoices
 * until it has an issuer. Pure; reports every problem in Portuguese. Source: Decreto 7.962/2013
 * (art. 2); issue 6, "Payouts";
 * docs/decisions/money/fix-the-fee-at-the-sale-and-invoice-sealed-months.md.
 */
export function readCompany(source: CompanyVariables): CompanyResult {
  const value = (name: string): string =>
    typeof source[name] === "string" ? source[name].trim() : "";
  const problems = [
    ...missingCompany(value),
    ...halves(COMPANY, value),
    ...halves(FISCAL_VARIABLES, value),
    ...companyProblems(value),
    ...fiscalProblems(value),
  ];
  if (problems.length > 0) return { company: null, issuer: null, problems };
  return {
    company:
      value("COMPANY_NAME") !== ""
        ? {
            name: value("COMPANY_NAME"),
            cnpj: written(value("COMPANY_CNPJ")),
            address: value("COMPANY_ADDRESS"),
            email: value("COMPANY_EMAIL"),
            privacyEmail: value("COMPANY_PRIVACY_EMAIL"),
          }
        : __LOCAL__
          ? EXAMPLE_COMPANY
          : null,
    issuer:
      value("FISCAL_MUNICIPAL_ID") !== ""
        ? {
            municipalId: value("FISCAL_MUNICIPAL_ID"),
            serviceCode: value("FISCAL_SERVICE_CODE"),
            issBasisPoints: Math.round(Number(value("FISCAL_ISS_PERCENTAGE")) * 100),
          }
        : __LOCAL__
          ? EXAMPLE_ISSUER
          : null,
    problems,
  };
}

type Value = (name: string) => string;

function missingCompany(value: Value): string[] {
  if (__LOCAL__ || COMPANY.some((name) => value(name) !== "")) return [];
  return COMPANY.map(
    (name) => `${name}: falta um valor; cada oferta, recibo e termo diz quem opera o produto`,
  );
}

function halves(names: readonly string[], value: Value): string[] {
  const missing = names.filter((name) => value(name) === "");
  return missing.length === names.length
    ? []
    : missing.map(
        (name) =>
          `${name}: falta um valor; os ${names.length} vêm juntos, ou nenhum: ${names.join(", ")}`,
      );
}

function companyProblems(value: Value): string[] {
  const long = COMPANY.filter((name) => value(name).length > LONGEST).map(
    (name) => `${name}: use até ${LONGEST} letras`,
  );
  const cnpj =
    value("COMPANY_CNPJ") !== "" && !isValidCnpj(bare(value("COMPANY_CNPJ")), { version: 2 })
      ? ["COMPANY_CNPJ: os dígitos do CNPJ não batem"]
      : [];
  const mails = ["COMPANY_EMAIL", "COMPANY_PRIVACY_EMAIL"].filter(
    (name) => value(name) !== "" && !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value(name)),
  );
  return [...long, ...cnpj, ...mails.map((name) => `${name}: precisa ser um e-mail`)];
}

function fiscalProblems(value: Value): string[] {
  const wrong = (name: (typeof FISCAL_VARIABLES)[number], form: RegExp, says: string): string[] =>
    value(name) === "" || form.test(value(name)) ? [] : [`${name}: ${says}`];
  const iss = Number(value("FISCAL_ISS_PERCENTAGE"));
  return [
    ...wrong("FISCAL_MUNICIPAL_ID", /^\d{8}$/, "precisa ter 8 números"),
    ...wrong("FISCAL_SERVICE_CODE", /^\d{5}$/, "precisa ter 5 números"),
    // The law limits the tax to 2% to 5% (Lei Complementar 116/2003, art. 8 and 8-A).
    ...(value("FISCAL_ISS_PERCENTAGE") === "" ||
    (/^\d(\.\d{1,2})?$/.test(value("FISCAL_ISS_PERCENTAGE")) && iss >= 2 && iss <= 5)
      ? []
      : ["FISCAL_ISS_PERCENTAGE: precisa ser de 2 a 5, como 2.9"]),
  ];
}

const bare = (text: string): string => text.replaceAll(/[\s./-]/g, "").toUpperCase();
const written = (text: string): string =>
  bare(text).replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");
