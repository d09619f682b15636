import type { z } from "zod";
import type { keyLookupRequest } from "#workers/sandbox-psp/requests.ts";

type Named = { name: string; tax_id: string };

/** Keys with a different owner than expected; null if the key does not exist. */
export const knownKeys: readonly { key: string; owner: Named | null; says: string }[] = [
  {
    key: "de-outra@coreto.test",
    owner: { name: "OTÁVIA PRADO", tax_id: "***.444.777-**" },
    says: "Está no nome de outra pessoa.",
  },
  {
    key: "+5511900000001",
    owner: { name: "OTÁVIA PRADO", tax_id: "***.444.777-**" },
    says: "Celular (11) 90000-0001: está no nome de outra pessoa.",
  },
  { key: "nao-existe@coreto.test", owner: null, says: "Ninguém tem esta chave." },
];

/** Masks a CPF as the directory does; a company's number is public. */
const maskedTaxId = (taxId: string): string =>
  taxId.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, "***.$1.$2-**");

/**
 * Looks up the owner of a key. An unlisted key belongs to the expected owner, with the name in
 * capitals as banks write it.
 */
export function lookUpKey({ kind, key, expected_owner }: z.infer<typeof keyLookupRequest>) {
  const testKey = knownKeys.find((one) => one.key === key);
  const owner = testKey
    ? testKey.owner
    : { name: expected_owner.name.toUpperCase(), tax_id: maskedTaxId(expected_owner.tax_id) };
  return { object: "pix_key", kind, owner };
}
