import { TERMS_VERSION, termsDay } from "#app/domain/identity/rules/terms.ts";

/**
 * Who runs the platform, as Decreto 7.962/2013 (art. 2) asks every offer and receipt to say. The CNPJ is the Receita Federal's own
 * example of the alphanumeric form, which is given to nobody: whoever operates the product puts theirs here.
 */
export const COMPANY = {
  name: "Coreto Pagamentos e Publicações Ltda.",
  cnpj: "12.ABC.345/01DE-35",
  address: "Rua da Aurora, 295, sala 1204, Boa Vista, Recife/PE, CEP 50050-000",
  email: "atendimento@coreto.app",
  privacyEmail: "privacidade@coreto.app",
};

/** The day of the four documents under /terms. */
export const TERMS_DATE = termsDay(TERMS_VERSION);
