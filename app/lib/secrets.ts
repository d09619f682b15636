const CODES = 1_000_000;
/** The largest multiple of CODES in 32 bits: above it a remainder would favour small codes. */
const UNBIASED_BELOW = Math.floor(2 ** 32 / CODES) * CODES;
const TOKEN_BYTES = 32;

/** Returns six random digits, every code equally likely. */
export function randomCode(): string {
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < UNBIASED_BELOW) return String(drawn % CODES).padStart(6, "0");
  }
}

/** Returns 256 random bits, for a URL. */
export function randomToken(): string {
  return hexadecimal(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}

/**
 * Returns the HMAC-SHA256 of `parts` in hexadecimal: a million codes are too few for a hash without
 * a key.
 */
export async function keyedHash(secret: string, ...parts: readonly string[]): Promise<string> {
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    text.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return hexadecimal(
    new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(JSON.stringify(parts)))),
  );
}

/** Compares two hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
