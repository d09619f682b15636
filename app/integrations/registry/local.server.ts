import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import type { TaxIdRegistry, RegistryAnswer } from "#app/domain/documents/schema.ts";

/**
 * Unassigned numbers for each registry answer in development and tests; docs/limits.md lists them.
 * Null means no answer.
 */
export const LISTED: Readonly<Record<string, RegistryAnswer | null>> = {
  "90000000175": { situation: "suspended", name: null },
  "90000000256": { situation: "canceled", name: null },
  "90000000337": { situation: "dead", name: null },
  "90000000418": { situation: "not_found", name: null },
  "90000000507": null,
  "90000000680": { situation: "regular", name: "JOANA PEREIRA DE OUTRO NOME" },
  SUSPENSA000167: { situation: "suspended", name: null },
  BAIXADA0000112: { situation: "canceled", name: null },
  NAOACHADA00103: { situation: "not_found", name: null },
  SEMRESPOSTA170: null,
  OUTRONOME00100: { situation: "regular", name: "OUTRO NOME COMERCIO DE DISCOS LTDA" },
};

/**
 * The registry for development and tests. Invalid check digits mean an unassigned number, and
 * listed numbers have the listed answer. For any other number it cannot know the holder, or whether
 * they are alive. It answers `regular`, without a name. In no deployed build.
 */
export function localRegistry(): TaxIdRegistry {
  return {
    name: "local",
    async ask({ taxKind, taxId }) {
      const listed = LISTED[taxId];
      if (listed !== undefined) return listed;
      const holds = taxKind === "cpf" ? isValidCpf(taxId) : isValidCnpj(taxId, { version: 2 });
      return { situation: holds ? "regular" : "not_found", name: null };
    },
  };
}
