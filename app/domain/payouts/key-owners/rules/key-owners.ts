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

/** What the Pix directory directoryOwner of a key, and when. Without a name, nobody has the key. */
export type KeyLookupResult = { name: string | null; taxId: string | null; askedAt: Instant };

/** The owner of the money, by their documents. */
export type DocumentOwner = { owner: TaxId | null; ownerName: string | null };

/**
 * Whether a destination belongs to the owner of the documents: theirs, somebody else's, a key that
 * nobody has, or not looked up yet.
 */
export type KeyVerdict = "own" | "other" | "not_found" | "unasked";

/**
 * Whether only the Pix directory knows the owner. A CPF or CNPJ key names its owner, and the bank
 * compares the owner of an account.
 */
export const needsKeyLookup = (place: Destination): place is KeyDestination =>
  place.kind === "email" || place.kind === "phone" || place.kind === "evp";

export type KeyDestination = { kind: "email" | "phone" | "evp"; key: string };

/** How long a matching answer stays valid: an e-mail or a number may pass to somebody else. */
export const KEY_LOOKUP_VALID_MS = 90 * DAY_MS;
/**
 * When a key that did not match is looked up again: its owner may have moved it to their own
 * account.
 */
export const KEY_LOOKUP_REPEAT_MS = DAY_MS;
/**
 * How long a payout waits after a lookup without an answer. It is shorter than the time between two
 * runs, so that the next run includes it.
 */
export const KEY_LOOKUP_RETRY_MS = MINUTE_MS / 2;
/**
 * Waiting payouts examined per minute. The directory answers as many keys, and failed lookups use
 * up the limit. Source: Asaas, "Consultar chave Pix".
 */
export const KEY_LOOKUPS_PER_MINUTE = 5;

/**
 * Compares the owner of a destination with the documents, by its kind or by the directory's
 * `answer`.
 *
 * INVARIANT: no payout is claimed for a destination that is known to belong to somebody else than
 * the person of the approved documents. Source: issue 6, "owner must match the approved documents";
 * docs/decisions/money/verify-who-owns-a-pix-key.md.
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

/** Fewer visible characters of a tax id identify nobody. */
const TELLING = 4;

/**
 * Whether the owner that a bank names is the owner of the documents.
 *
 * A whole tax id decides alone, because names are written in many ways. The visible part of a
 * masked tax id must match; then the name only must not differ. If the tax id shows too little, the
 * whole name must match.
 */
export function isMatchingOwner(directoryOwner: PixKeyOwner, documentOwner: PixKeyOwner): boolean {
  const number = directoryOwner.taxId
    .toUpperCase()
    .replace(/[^0-9A-Z*•]/g, "")
    .replaceAll("•", "*");
  const shown = number.replaceAll("*", "");
  if (shown !== "" && !fits(number, documentOwner.taxId)) return false;
  if (shown === documentOwner.taxId) return true;
  return shown.length >= TELLING
    ? isPossiblySameName(directoryOwner.name, documentOwner.name)
    : isSameNameTruncated(directoryOwner.name, documentOwner.name);
}

/**
 * Matches a masked tax id. Each star hides one character; if the length differs, the stars hide any
 * number.
 */
function fits(masked: string, taxId: string): boolean {
  const hidden = masked.length === taxId.length ? "." : ".*";
  return new RegExp(
    `^${masked.replace(masked.length === taxId.length ? /\*/g : /\*+/g, hidden)}$`,
  ).test(taxId);
}

/** "Ana M. L.": recognisable to those who know the person. */
const shortName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word, index) => (index === 0 ? word : `${word.slice(0, 1)}.`))
    .join(" ");

/** Formats an owner as staff see them: never the whole name, nor a person's whole tax id. */
export function maskOwner({ name, taxId }: PixKeyOwner): string {
  const letters = taxId.replace(/[^0-9A-Za-z]/g, "");
  if (taxId === "") return shortName(name);
  if (/^\d{11}$/.test(letters))
    return `${shortName(name)}, ${formatPublicTaxId({ taxKind: "cpf", taxId: letters })}`;
  return `${shortName(name)}, ${letters.length === 14 ? `CNPJ ${formatTaxId({ taxKind: "cnpj", taxId: letters })}` : taxId}`;
}
