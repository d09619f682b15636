import { z } from "zod";
import { SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Env } from "#app/env.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { PAYER_FIELD } from "#app/lib/payer-field.ts";

const NAME = "__Host-coreto-unsent";
const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";
const LIFE_SECONDS = 30 * 60;
const IV_BYTES = 12;
const GONE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/**
 * What a person types or chooses in the forms of the payment pages; the pages say the rest
 * themselves. Nothing of a card is ever kept.
 */
const TYPED = [
  "amount",
  "other",
  "message",
  "recipientName",
  "recipientEmail",
  "deliverOn",
  "taxId",
  "method",
];
/** A way of paying, but no saved card. */
const isKept = (name: string, value: string | undefined): boolean =>
  Boolean(value) && (name !== "method" || /^[a-z]+$/.test(value ?? ""));
/**
 * What a browser surely keeps of a cookie. The longest that the forms let anybody type is half of
 * it.
 */
const LONGEST_COOKIE = 4_000;

const keptSchema = z.object({
  page: z.string(),
  payerId: z.string(),
  until: z.number(),
  values: z.record(z.string(), z.string()),
});

type DraftFormPlace = { env: Env; path: string; now: Instant };

/**
 * The cookie that keeps what a member typed while their session was over, until they signed in
 * again; null where the form does not say for whom it was shown. The next to sign in may be another
 * person at the same computer, and a gift's message is nobody else's: it is sealed, of this page
 * and half an hour, and opens for its own person alone.
 */
export async function saveDraftForm(
  { env, path, now }: DraftFormPlace,
  sent: Record<string, string>,
): Promise<string | null> {
  const payerId = sent[PAYER_FIELD];
  const values = Object.fromEntries(
    TYPED.flatMap((name) => (isKept(name, sent[name]) ? [[name, sent[name] ?? ""]] : [])),
  );
  if (!payerId || Object.keys(values).length === 0) return null;
  const kept: z.infer<typeof keptSchema> = {
    page: await sha256Hex(path),
    payerId,
    until: now + LIFE_SECONDS * SECOND_MS,
    values,
  };
  const cookie = `${NAME}=${await sealed(env, JSON.stringify(kept))}; ${ATTRIBUTES}; Max-Age=${LIFE_SECONDS}`;
  return cookie.length > LONGEST_COOKIE ? null : cookie;
}

/**
 * What `payerId` typed at this page before their session was found over, to be given back once:
 * `cookie` ends it, as it does for anybody else. Null while nothing is kept for here.
 */
export async function restoreDraftForm(
  { env, path, now }: DraftFormPlace,
  request: Request,
  payerId: string,
): Promise<{ values: Record<string, string> | null; cookie: string } | null> {
  const text = requestCookie(request, NAME);
  if (text === null) return null;
  const kept = await unsealed(env, text);
  if (kept?.payerId !== payerId || kept.until <= now) return { values: null, cookie: GONE };
  return kept.page === (await sha256Hex(path)) ? { values: kept.values, cookie: GONE } : null;
}

async function sealed(env: Env, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = new Uint8Array(
    await crypto.subtle.encrypt(
      { name: "AES-GCM", iv },
      await keyOf(env),
      new TextEncoder().encode(text),
    ),
  );
  return btoa(String.fromCharCode(...iv, ...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Null for what we did not seal, or cannot open any more. */
async function unsealed(env: Env, text: string): Promise<z.infer<typeof keptSchema> | null> {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) },
      await keyOf(env),
      bytes.slice(IV_BYTES),
    );
    return keptSchema.parse(JSON.parse(new TextDecoder().decode(opened)));
  } catch {
    return null;
  }
}

/** The product's own secret, made into a key for this alone. */
async function keyOf(env: Env): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(env.AUTH_SECRET || (env.CLERK_SECRET_KEY ?? "")),
    "HKDF",
    false,
    ["deriveKey"],
  );
  const of = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode("coreto unsent 1"),
  };
  return await crypto.subtle.deriveKey(of, secret, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}
