import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils/get-pix-key-info";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import type { Destination, PixKey } from "#app/domain/payouts/schema/destinations.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";

/**
 * A mobile as people write it (bare, with spaces and signs, with 55 or +55 before it), as the
 * directory has it; text with letters is none.
 */
const asMobile = (text: string): string =>
  /[^\d()+.\s-]/.test(text) ? "" : `+55${text.replace(/\D/g, "").replace(/^55(?=\d{11}$)/, "")}`;

/** A random key as banks show it, with its signs left out or in capitals. */
const asRandomKey = (text: string): string =>
  text.replace(/^(\w{8})-?(\w{4})-?(\w{4})-?(\w{4})-?(\w{12})$/, "$1-$2-$3-$4-$5").toLowerCase();

/**
 * A key as typed by who says its kind, canonical; null where it is none of that kind. The kind
 * decides: eleven digits are a CPF or a mobile as it says.
 */
export function parsePixKey(kind: PixKeyKind, text: string): PixKey | null {
  const info = getPixKeyInfo(
    kind === "phone" ? asMobile(text) : kind === "evp" ? asRandomKey(text) : text,
  );
  return info?.type === kind ? { kind, key: info.value } : null;
}

/**
 * Whether a key that is a CPF or CNPJ is not the very number of who sells, as their documents say:
 * money of a company never goes to the CPF of who is responsible for it, nor a person's to a
 * company. Of other kinds the bank alone knows the owner, and of an account it is told who that
 * must be. Source: domain rules, "Payouts";
 * docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export const isOthersDocument = ({ kind, key }: Destination, owner: TaxId | null): boolean =>
  (kind === "cpf" || kind === "cnpj") && (kind !== owner?.taxKind || key !== owner.taxId);
