/** The tax id of a person (CPF) or a company (CNPJ) in Brazil. */
export type TaxKind = "cpf" | "cnpj";
/** `taxId` has its characters alone: eleven digits, or fourteen letters and digits. */
export type TaxId = { taxKind: TaxKind; taxId: string };

/** Formats `123.456.789-09`. */
export const formatCpf = (cpf: string): string =>
  cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4");

/** Masks a CPF as Brazilian public records do: `***.456.789-**`. */
export const maskCpf = (cpf: string): string =>
  cpf.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, "***.$1.$2-**");

/** Formats `12.ABC.345/01DE-35`. */
export const formatCnpj = (cnpj: string): string =>
  cnpj.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");

/** Formats `529.982.247-25` or `12.ABC.345/01DE-35`. */
export const formatTaxId = ({ taxKind, taxId }: TaxId): string =>
  taxKind === "cpf" ? formatCpf(taxId) : formatCnpj(taxId);

/** Returns the kind of a complete tax id, given its characters alone: only a CNPJ has fourteen. */
export const toTaxId = (taxId: string): TaxId => ({
  taxKind: taxId.length === 11 ? "cpf" : "cnpj",
  taxId,
});

/** "CPF" or "CNPJ". */
export const taxIdLabel = (taxKind: TaxKind): string => taxKind.toUpperCase();

/**
 * Formats "CPF ***.982.247-**" or "CNPJ 12.ABC.345/01DE-35". A company's tax id is public (Receita
 * Federal), a person's is not.
 */
export const formatPublicTaxId = ({ taxKind, taxId }: TaxId): string =>
  `${taxIdLabel(taxKind)} ${taxKind === "cpf" ? maskCpf(taxId) : formatCnpj(taxId)}`;

/**
 * The same tax id with a CPF masked, for documents that somebody else than its owner reads.
 * `formatTaxId` leaves the mask as it is.
 */
export const withMaskedCpf = <Masked extends TaxId>(taxId: Masked): Masked =>
  taxId.taxKind === "cpf" ? { ...taxId, taxId: maskCpf(taxId.taxId) } : taxId;

/**
 * The seller as Decreto 7.962/2013 (art. 2, I) requires every offer to name them, with
 * `formatPublicTaxId`.
 */
export type PublicSeller = { name: string; taxIdShown: string };

/** The seller columns of a join with documents; null where none were sent. */
export type SellerRow = {
  sellerName: string | null;
  taxKind: TaxKind | null;
  taxId: string | null;
};

/**
 * Returns the seller with the whole tax id, which leaves the server only in documents. Null while
 * no documents were sent.
 */
export function sellerWithTaxId({
  sellerName,
  taxKind,
  taxId,
}: SellerRow): ({ name: string } & TaxId) | null {
  return sellerName !== null && taxKind !== null && taxId !== null
    ? { name: sellerName, taxKind, taxId }
    : null;
}

/** Returns the seller as everybody may read it. */
export function publicSeller(row: SellerRow): PublicSeller | null {
  const seller = sellerWithTaxId(row);
  return seller && { name: seller.name, taxIdShown: formatPublicTaxId(seller) };
}
