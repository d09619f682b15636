import type { FiscalDesk } from "#app/domain/fiscal/schema.ts";
import type { MediaStore } from "#app/domain/media/schema.ts";
import { latinBytes, rpsText } from "./rps-layout.ts";
import type { Issuer } from "./rps-layout.ts";

const TYPE = "text/plain; charset=iso-8859-1";

/** Whoever operates the product puts theirs here, beside the company of app/components/shell/company.ts. These are nobody's. */
export const ISSUER: Issuer = { municipalId: "00000000", serviceCode: "06298", issBasisPoints: 290 };

const keyOf = ({ month, part }: { month: string; part: number }): string => `fiscal/${month}/${part + 1}.txt`;

/** FiscalDesk by files in the private bucket, which a person takes to the city hall's site. */
export function rpsFiles(store: Pick<MediaStore, "put" | "get">, issuer: Issuer = ISSUER): FiscalDesk {
  return {
    async handIn(batch) {
      await store.put(keyOf(batch), latinBytes(rpsText(batch, issuer)), TYPE);
    },
    async file(name) {
      const object = await store.get(keyOf(name));
      return object && { body: object.body, contentType: TYPE, sizeBytes: object.sizeBytes, filename: `coreto-rps-${name.month}-${name.part + 1}.txt` };
    },
  };
}
