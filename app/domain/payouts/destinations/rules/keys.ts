import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils/get-pix-key-info";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import type { Destination, PixKey } from "#app/domain/payouts/schema/destinations.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";

/**
 * Normalises a mobile number to the format of the Pix directory. It may have spaces, signs, 55 or
 * +55. Returns "" for text with letters.
 */
const asMobile = (text: string): string =>
  /[^\d()+.\s-]/.test(text) ? "" : `+55${text.replace(/\D/g, "").replace(/^55(?=\d{11}$)/, "")}`;

/** Normalises a random key: adds missing hyphens and lowers the case. */
const asRandomKey = (text: string): string =>
  text.replace(/^(\w{8})-?(\w{4})-?(\w{4})-?(\w{4})-?(\w{12})$/, "$1-$2-$3-$4-$5").toLowerCase();

/**
 * Parses a typed key of a chosen kind into its canonical form; null if it is not of that kind. The
 * kind decides whether eleven digits are a CPF or a mobile.
 */
export function parsePixKey(kind: PixKeyKind, text: string): PixKey | null {
  const info = getPixKeyInfo(
    kind === "phone" ? asMobile(text) : kind === "evp" ? asRandomKey(text) : text,
  );
  return info?.type === kind ? { kind, key: info.value } : null;
}

/**
 * Whether a CPF or CNPJ key differs from the seller's own tax id in their documents.
 *
 * A company's money never goes to the CPF of its representative, nor a person's money to a company.
 * For other kinds only the bank knows the owner. For an account the provider receives the owner's
 * tax id. Source: domain rules, "Payouts";
 * docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export const isOthersDocument = ({ kind, key }: Destination, owner: TaxId | null): boolean =>
  (kind === "cpf" || kind === "cnpj") && (kind !== owner?.taxKind || key !== owner.taxId);
