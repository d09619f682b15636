import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils";
import type { TaxId } from "#app/domain/identity/rules/tax-ids.ts";
import { isOthersDocument } from "#app/domain/payouts/rules.ts";
import type { Destination, PixKey } from "#app/domain/payouts/schema.ts";

/**
 * What was meant by a place that was typed: one mobile number in a hundred, DDD and all, has the check digits of a CPF. As the CPF of somebody else it would be
 * refused; so it is the mobile. A number's own CPF stays what it is.
 */
export function meantBy<Place extends Destination>(place: Place, owner: TaxId | null): Place | PixKey {
  if (place.kind !== "cpf" || !isOthersDocument(place, owner)) return place;
  const phone = getPixKeyInfo(`+55${place.key}`);
  return phone?.type === "phone" ? { kind: "phone", key: phone.value } : place;
}
