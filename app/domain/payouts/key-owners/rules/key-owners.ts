import {
  isSameNameTruncated,
  isPossiblySameName,
} from "#app/domain/identity/registration/rules/names.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { formatTaxId, formatPublicTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import type { PixKeyOwner } from "#app/domain/payments/schema.ts";
import { isOthersDocument } from "#app/domain/payouts/destinations/rules/keys.ts";
import type { Destination } from "#app/domain/payouts/schema/destinations.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** What the directory of Pix said of a key and when; without a name, that nobody has it. */
export type KeyLookupResult = { name: string | null; taxId: string | null; askedAt: Instant };

/** Whose money it is, by the papers. */
export type DocumentOwner = { owner: TaxId | null; ownerName: string | null };

/**
 * Whose a place is, against the papers: theirs, somebody else's, a key that nobody has, or nobody
 * was asked yet.
 */
export type KeyVerdict = "own" | "other" | "not_found" | "unasked";

/**
 * Whether only the directory of Pix knows whose it is: a CPF or CNPJ says so itself, and of an
 * account its bank compares the owner.
 */
export const needsKeyLookup = (place: Destination): place is KeyDestination =>
  place.kind === "email" || place.kind === "phone" || place.kind === "evp";

export type KeyDestination = { kind: "email" | "phone" | "evp"; key: string };

/**
 * How long what was told of a key stands, once it fits: an e-mail or a number may come to be
 * somebody else's.
 */
export const KEY_LOOKUP_VALID_MS = 90 * DAY_MS;
/**
 * When a key that did not fit is asked about again: its owner may have moved it to an account of
 * theirs.
 */
export const KEY_LOOKUP_REPEAT_MS = DAY_MS;
/**
 * How long a payout waits for an answer that nobody gave: less than lies between two looks, so that
 * it is there for the next.
 */
export const KEY_LOOKUP_RETRY_MS = MINUTE_MS / 2;
/**
 * How many that wait are looked at in a minute: the directory tells of as many keys, and what asks
 * in vain takes up its turns at nothing. Source: Asaas, "Consultar chave Pix".
 */
export const KEY_LOOKUPS_PER_MINUTE = 5;

/**
 * Whose the place is where money goes, by what its kind or the directory (`textResponse`) says,
 * against the papers. INVARIANT: no payout is claimed for a place that is known to be of somebody
 * else than the person of the approved papers. Source: issue 6, "owner must match the approved
 * documents"; docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
export function keyVerdict(
  place: Destination,
  { owner, ownerName }: DocumentOwner,
  answer: KeyLookupResult | null,
): KeyVerdict {
  if (place.kind === "bank_account") return "own";
  if (!needsKeyLookup(place)) return isOthersDocument(place, owner) ? "other" : "own";
  if (!answer) return "unasked";
  if (answer.name === null) return "not_found";
  return owner !== null &&
    isMatchingOwner(
      { name: answer.name, taxId: answer.taxId ?? "" },
      { name: ownerName ?? "", taxId: owner.taxId },
    )
    ? "own"
    : "other";
}

/** Whether the directory is asked (again) at `now`. */
export function isKeyLookupDue(
  verdict: KeyVerdict,
  answer: KeyLookupResult | null,
  now: Instant,
): boolean {
  if (!answer) return verdict === "unasked";
  return now - answer.askedAt >= (verdict === "own" ? KEY_LOOKUP_VALID_MS : KEY_LOOKUP_REPEAT_MS);
}

/** Fewer letters and digits of a number tell nobody apart. */
const TELLING = 4;

/**
 * Whether the owner that a bank names is the one of the papers. A whole number decides alone, since
 * names are written in many ways. What a mask leaves of it must fit, and then the name only has to
 * be no other's; of a number that tells nothing the name must say it all.
 */
export function isMatchingOwner(said: PixKeyOwner, papers: PixKeyOwner): boolean {
  const number = said.taxId
    .toUpperCase()
    .replace(/[^0-9A-Z*•]/g, "")
    .replaceAll("•", "*");
  const shown = number.replaceAll("*", "");
  if (shown !== "" && !fits(number, papers.taxId)) return false;
  if (shown === papers.taxId) return true;
  return shown.length >= TELLING
    ? isPossiblySameName(said.name, papers.name)
    : isSameNameTruncated(said.name, papers.name);
}

/** Each star hides one character; where there are more or fewer of them than are hidden, any number. */
function fits(masked: string, taxId: string): boolean {
  const hidden = masked.length === taxId.length ? "." : ".*";
  return new RegExp(
    `^${masked.replace(masked.length === taxId.length ? /\*/g : /\*+/g, hidden)}$`,
  ).test(taxId);
}

/** "Ana M. L.": who is meant, to who knows them. */
const shortName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word, index) => (index === 0 ? word : `${word.slice(0, 1)}.`))
    .join(" ");

/** An owner as the staff sees them: never the whole name, nor a person's whole number. */
export function maskOwner({ name, taxId }: PixKeyOwner): string {
  const letters = taxId.replace(/[^0-9A-Za-z]/g, "");
  if (taxId === "") return shortName(name);
  if (/^\d{11}$/.test(letters))
    return `${shortName(name)}, ${formatPublicTaxId({ taxKind: "cpf", taxId: letters })}`;
  return `${shortName(name)}, ${letters.length === 14 ? `CNPJ ${formatTaxId({ taxKind: "cnpj", taxId: letters })}` : taxId}`;
}
