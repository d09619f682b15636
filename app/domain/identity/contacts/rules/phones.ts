import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { PhoneNumber } from "libphonenumber-js/max";

/** Where a number without a country's code is. */
const HOME = "BR";
/** Countries that share +1 cannot tell their kinds apart. */
const GETS_MESSAGES = new Set<string | undefined>(["MOBILE", "FIXED_LINE_OR_MOBILE"]);
/** What people type between and before the digits. */
const PHONE_LETTERS = /^\+?[\d\s().-]+$/;

export type TypedPhone =
  | { ok: true; phone: string }
  | { ok: false; problem: "invalid" | "impossible" | "no_messages" };

/**
 * A phone as it was typed, in E.164. Without a country's code it is Brazilian: "(11) 91234-5678" is
 * "+5511912345678". What is no number is `invalid`, what no country has is `impossible`, and one to
 * which no code can be sent (a fixed line, 0800) is `no_messages`.
 */
export function parsePhone(typed: string): TypedPhone {
  const parsed = parsedPhone(typed);
  if (!parsed) return { ok: false, problem: "invalid" };
  if (!parsed.isValid()) return { ok: false, problem: "impossible" };
  return GETS_MESSAGES.has(parsed.getType())
    ? { ok: true, phone: parsed.number }
    : { ok: false, problem: "no_messages" };
}

/**
 * The E.164 of what may be a phone, whoever's it is; null for anything else, such as an e-mail or a
 * username.
 */
export function phoneOfIdentifier(identifier: string): string | null {
  const parsed = parsedPhone(identifier);
  return parsed?.isValid() ? parsed.number : null;
}

/** As people write it: "+55 (11) 91234-5678", "+351 912 345 678". */
export function formatPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone);
  if (!parsed) return phone;
  return parsed.country === HOME
    ? `+${parsed.countryCallingCode} ${parsed.formatNational()}`
    : parsed.formatInternational();
}

/** What somebody typed to be found, as it is shown back: a phone as people write it. */
export const formatIdentifier = (identifier: string): string =>
  /^\+\d+$/.test(identifier) ? formatPhone(identifier) : identifier;

function parsedPhone(typed: string): PhoneNumber | undefined {
  const text = typed.trim();
  return PHONE_LETTERS.test(text)
    ? parsePhoneNumberFromString(text, { defaultCountry: HOME, extract: false })
    : undefined;
}
