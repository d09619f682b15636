import { FISCAL_VARIABLES } from "#app/configuration/company.ts";
import type { Issuer } from "#app/domain/fiscal/schema/company.ts";
import type { InvoiceIssuer } from "#app/domain/fiscal/schema.ts";
import type { MediaStore } from "#app/domain/media/schema.ts";
import { latinBytes, rpsText } from "./rps-layout.ts";

const TYPE = "text/plain; charset=iso-8859-1";

const keyOf = ({ month, part }: { month: string; part: number }): string =>
  `fiscal/${month}/${part + 1}.txt`;

/**
 * Stores RPS files in the private bucket; a person uploads them to the city hall's site. Without an
 * `issuer` it writes none, and returns the existing ones.
 */
export function rpsFiles(
  store: Pick<MediaStore, "put" | "get" | "delete">,
  issuer: Issuer | null,
): InvoiceIssuer {
  return {
    missing: issuer === null ? FISCAL_VARIABLES : [],
    async handIn(batch) {
      if (issuer === null) throw new Error("nobody issues these invoices");
      await store.put(keyOf(batch), latinBytes(rpsText(batch, issuer)), TYPE);
    },
    async forget(names) {
      await store.delete(names.map(keyOf));
    },
    async file(name) {
      const object = await store.get(keyOf(name));
      return (
        object && {
          body: object.body,
          contentType: TYPE,
          sizeBytes: object.sizeBytes,
          filename: `coreto-rps-${name.month}-${name.part + 1}.txt`,
        }
      );
    },
  };
}
