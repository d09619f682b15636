import { z } from "zod";
import { SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Env } from "#app/configuration/env.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { PAYER_FIELD } from "#app/lib/payer-field.ts";

const NAME = "__Host-coreto-unsent";
const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";
const LIFE_SECONDS = 30 * 60;
const IV_BYTES = 12;
const GONE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/**
 * The fields that a person types or chooses in payment forms; the pages set the others. Card data
 * is never stored.
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
/** Whether a field is saved: a payment method, but no saved card. */
const isStorable = (name: string, value: string | undefined): boolean =>
  Boolean(value) && (name !== "method" || /^[a-z]+$/.test(value ?? ""));
/** The cookie size that every browser stores. The longest possible input is half of it. */
const LONGEST_COOKIE = 4_000;

const draftSchema = z.object({
  page: z.string(),
  payerId: z.string(),
  until: z.number(),
  values: z.record(z.string(), z.string()),
});

type DraftFormPlace = { env: Env; path: string; now: Instant };

/**
 * The cookie that saves a member's input when their session had expired, until they sign in again.
 * Null if the form does not say for whom it was shown. Another person may sign in next at the same
 * computer, and a gift's message is private. So it is encrypted for this page, this member and half
 * an hour.
 */
export async function saveDraftForm(
  { env, path, now }: DraftFormPlace,
  sent: Record<string, string>,
): Promise<string | null> {
  const payerId = sent[PAYER_FIELD];
  const values = Object.fromEntries(
    TYPED.flatMap((name) => (isStorable(name, sent[name]) ? [[name, sent[name] ?? ""]] : [])),
  );
  if (!payerId || Object.keys(values).length === 0) return null;
  const draft: z.infer<typeof draftSchema> = {
    page: await sha256Hex(path),
    payerId,
    until: now + LIFE_SECONDS * SECOND_MS,
    values,
  };
  const cookie = `${NAME}=${await sealed(env, JSON.stringify(draft))}; ${ATTRIBUTES}; Max-Age=${LIFE_SECONDS}`;
  return cookie.length > LONGEST_COOKIE ? null : cookie;
}

/**
 * Restores once what `payerId` typed at this page before their session expired. `cookie` clears it,
 * also for anybody else. Null if nothing is saved for this page.
 */
export async function restoreDraftForm(
  { env, path, now }: DraftFormPlace,
  request: Request,
  payerId: string,
): Promise<{ values: Record<string, string> | null; cookie: string } | null> {
  const text = requestCookie(request, NAME);
  if (text === null) return null;
  const draft = await unsealed(env, text);
  if (draft?.payerId !== payerId || draft.until <= now) return { values: null, cookie: GONE };
  return draft.page === (await sha256Hex(path)) ? { values: draft.values, cookie: GONE } : null;
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

/** Decrypts the cookie; null if it is not ours, or can no longer be decrypted. */
async function unsealed(env: Env, text: string): Promise<z.infer<typeof draftSchema> | null> {
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
    return draftSchema.parse(JSON.parse(new TextDecoder().decode(opened)));
  } catch {
    return null;
  }
}

/** Derives a key for this purpose from the product's own secret. */
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
