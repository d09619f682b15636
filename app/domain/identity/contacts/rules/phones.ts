import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { PhoneNumber } from "libphonenumber-js/max";

/** The country of a number without a country code. */
const HOME = "BR";
/** Countries that share +1 cannot distinguish mobile from fixed numbers. */
const GETS_MESSAGES = new Set<string | undefined>(["MOBILE", "FIXED_LINE_OR_MOBILE"]);
/** What people type between and before the digits. */
const PHONE_LETTERS = /^\+?[\d\s().-]+$/;

export type TypedPhone =
  | { ok: true; phone: string }
  | { ok: false; problem: "invalid" | "impossible" | "no_messages" };

/**
 * Parses a typed phone to E.164. Without a country code it is Brazilian: "(11) 91234-5678" is
 * "+5511912345678". `invalid`: not a number. `impossible`: in no country. `no_messages`: no code
 * can be sent to it (a fixed line, 0800).
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
 * Returns the E.164 of an identifier that may be a phone, whoever's it is. Null for anything else,
 * such as an e-mail or a username.
 */
export function phoneOfIdentifier(identifier: string): string | null {
  const parsed = parsedPhone(identifier);
  return parsed?.isValid() ? parsed.number : null;
}

/** Formats a phone: "+55 (11) 91234-5678", "+351 912 345 678". */
export function formatPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone);
  if (!parsed) return phone;
  return parsed.country === HOME
    ? `+${parsed.countryCallingCode} ${parsed.formatNational()}`
    : parsed.formatInternational();
}

/** Formats a typed identifier: a phone in its usual format, anything else as it is. */
export const formatIdentifier = (identifier: string): string =>
  /^\+\d+$/.test(identifier) ? formatPhone(identifier) : identifier;

function parsedPhone(typed: string): PhoneNumber | undefined {
  const text = typed.trim();
  return PHONE_LETTERS.test(text)
    ? parsePhoneNumberFromString(text, { defaultCountry: HOME, extract: false })
    : undefined;
}
