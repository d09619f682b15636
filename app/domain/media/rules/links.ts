import { mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaVariant, SignedLink } from "#app/domain/media/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";

/** Long enough to press play. A player with a session continues without it. */
export const MEDIA_LINK_LIFETIME_MS = 15 * MINUTE_MS;

/** A picture of an email: people read emails late. */
export const EMAIL_PICTURE_LIFETIME_MS = 90 * DAY_MS;

/** How far in the future a link may end. Only pictures have links for long. */
const longestLifetimeMs = (variant: MediaVariant): number =>
  variant === "640" ? EMAIL_PICTURE_LIFETIME_MS : MEDIA_LINK_LIFETIME_MS;

/** Returns the URL of a signed link. */
export function linkUrl(
  { mediaId, variant, personId, expiresAt }: SignedLink,
  signature: string,
): string {
  return `${mediaUrl(mediaId, variant)}?${new URLSearchParams({ until: String(expiresAt), for: personId, signature })}`;
}

/**
 * Parses the link that a request claims to have. Null when it claims none, or when the link expired
 * at `now`.
 */
export function parseMediaLink(
  search: URLSearchParams,
  { mediaId, variant, now }: { mediaId: string; variant: MediaVariant; now: number },
): { link: SignedLink; signature: string } | null {
  const [until, personId, signature] = [
    search.get("until") ?? "",
    search.get("for"),
    search.get("signature"),
  ];
  if (!/^\d{1,15}$/.test(until) || !personId || !signature) return null;
  const expiresAt = Number(until);
  return expiresAt > now && expiresAt <= now + longestLifetimeMs(variant)
    ? { link: { mediaId, variant, personId, expiresAt }, signature }
    : null;
}
