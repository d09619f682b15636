import { z } from "zod";
import { memberSchema } from "#app/domain/identity/schema.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { readBookmark } from "#app/http/bookmark.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { keyedHash, sameHash } from "#app/lib/secrets.ts";

const NAME = "__Host-coreto-member";
const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";
/**
 * How late a suspension may take effect. Source: issue 3, "Numbers": a minute, with the session's
 * own cache.
 */
const LIFE_SECONDS = 30;

const cookieSchema = z.object({
  account: z.string(),
  bookmark: z.string().nullable(),
  until: z.number(),
  member: memberSchema,
});

/** The provider's user of the cookie, verified by this request's session. */
export type ProviderAccountRef = { provider: string; providerUserId: string };

/**
 * Reads the member as of at most 30 seconds ago, so that a page needs no query for them; null if it
 * does. A write of this person changes the bookmark, which invalidates older cookies.
 */
export async function readMemberCookie(
  env: Env,
  request: Request,
  account: ProviderAccountRef,
): Promise<Member | null> {
  const [text, hash] = (requestCookie(request, NAME) ?? "").split(".");
  if (!text || !hash || !sameHash(hash, await hashOf(env, text))) return null;
  const cookie = cookieSchema.safeParse(JSON.parse(decoded(text)));
  if (!cookie.success || cookie.data.account !== nameOf(account)) return null;
  const { bookmark, until, member } = cookie.data;
  return Date.now() < until && bookmark === readBookmark(request) ? member : null;
}

/** The cookie that saves the next pages the query. */
export async function writeMemberCookie(
  env: Env,
  request: Request,
  account: ProviderAccountRef,
  member: Member,
): Promise<string> {
  const cookie: z.infer<typeof cookieSchema> = {
    account: nameOf(account),
    bookmark: readBookmark(request),
    until: Date.now() + LIFE_SECONDS * 1_000,
    member,
  };
  const text = encoded(JSON.stringify(cookie));
  return `${NAME}=${text}.${await hashOf(env, text)}; ${ATTRIBUTES}; Max-Age=${LIFE_SECONDS}`;
}

/**
 * Clears the cookie after anything that this person may have changed; null for a browser without
 * it.
 */
export function clearMemberCookie(request: Request): string | null {
  return requestCookie(request, NAME) === null ? null : `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;
}

const nameOf = ({ provider, providerUserId }: ProviderAccountRef): string =>
  `${provider}:${providerUserId}`;
const hashOf = (env: Env, text: string): Promise<string> =>
  keyedHash(env.AUTH_SECRET || (env.CLERK_SECRET_KEY ?? ""), "member", text);
const encoded = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const decoded = (text: string): string =>
  new TextDecoder().decode(
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    ),
  );
