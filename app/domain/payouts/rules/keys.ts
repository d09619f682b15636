import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils";
import type { TaxId } from "#app/domain/identity/rules/tax-ids.ts";
import { isOthersDocument } from "#app/domain/payouts/rules.ts";
import type { Destination, PixKey } from "#app/domain/payouts/schema.ts";

/** A mobile number, DDD and all, for eleven bare digits that are one; null of others. */
const mobileOf = (digits: string): PixKey | null => {
  const phone = /^\d{11}$/.test(digits) ? getPixKeyInfo(`+55${digits}`) : null;
  return phone?.type === "phone" ? { kind: "phone", key: phone.value } : null;
};

/** A key as typed, canonical; null where it is none. One mobile number in a hundred, typed bare, has the check digits of a CPF: it may be either. */
export function typedKey(text: string): PixKey | null {
  const info = getPixKeyInfo(text);
  if (!info) return null;
  const key: PixKey = { kind: info.type, key: info.value };
  return key.kind === "cpf" && mobileOf(text) ? { ...key, mayBePhone: true } : key;
}

/** What was meant by a key that may be a CPF or a mobile: as the CPF of somebody else it would be refused, so it is the mobile. One's own CPF stays what it is. */
export function meantBy<Place extends Destination>(place: Place, owner: TaxId | null): Place | PixKey {
  if (!place.mayBePhone || !isOthersDocument(place, owner)) return place;
  return mobileOf(place.key) ?? place;
}
