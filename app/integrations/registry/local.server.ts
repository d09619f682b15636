import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import type { TaxIdRegistry, RegistryAnswer } from "#app/domain/documents/schema.ts";

/**
 * Numbers of nobody by which development and tests meet every answer; docs/limits.md lists them.
 * Null: no answer comes.
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
 * Registry for development and tests. It knows what a number alone tells: check digits that do not
 * hold are nobody's, and those on the list stand as the list says. Of any other number it cannot
 * know whether it was ever given to anybody, whose it is, or whether they live: it says `regular`,
 * and no name. In no deployed build.
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
