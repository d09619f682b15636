/** The number by which Brazil knows a person (CPF) or a company (CNPJ). */
export type TaxKind = "cpf" | "cnpj";
/** `taxId` is its characters alone: eleven digits, or fourteen letters and digits. */
export type TaxId = { taxKind: TaxKind; taxId: string };

/** `123.456.789-09`. */
export const formatCpf = (cpf: string): string =>
  cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4");

/** `***.456.789-**`: enough to recognise, as Brazilian public records show it. */
export const maskCpf = (cpf: string): string =>
  cpf.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, "***.$1.$2-**");

/** `12.ABC.345/01DE-35`. */
export const formatCnpj = (cnpj: string): string =>
  cnpj.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");

/** `529.982.247-25` or `12.ABC.345/01DE-35`. */
export const formatTaxId = ({ taxKind, taxId }: TaxId): string =>
  taxKind === "cpf" ? formatCpf(taxId) : formatCnpj(taxId);

/** Which of the two a whole number is, given its characters alone: only a CNPJ has fourteen. */
export const toTaxId = (taxId: string): TaxId => ({
  taxKind: taxId.length === 11 ? "cpf" : "cnpj",
  taxId,
});

/** "CPF" or "CNPJ". */
export const taxIdLabel = (taxKind: TaxKind): string => taxKind.toUpperCase();

/**
 * "CPF ***.982.247-**" or "CNPJ 12.ABC.345/01DE-35": a company's number is public (Receita
 * Federal), a person's is theirs.
 */
export const formatPublicTaxId = ({ taxKind, taxId }: TaxId): string =>
  `${taxIdLabel(taxKind)} ${taxKind === "cpf" ? maskCpf(taxId) : formatCnpj(taxId)}`;

/**
 * Who sells as Decreto 7.962/2013 (art. 2, I) asks every offer to name them, with
 * `formatPublicTaxId`.
 */
export type PublicSeller = { name: string; taxIdShown: string };

/** What a join with documents gives of who sells: null where none were sent. */
export type SellerRow = {
  sellerName: string | null;
  taxKind: TaxKind | null;
  taxId: string | null;
};

/**
 * Who sells, with the number whole, which does not leave the server but for papers; null while no
 * documents were sent.
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

/** Who sells as everybody may read it. */
export function publicSeller(row: SellerRow): PublicSeller | null {
  const seller = sellerWithTaxId(row);
  return seller && { name: seller.name, taxIdShown: formatPublicTaxId(seller) };
}
