import type { Signer } from "#app/domain/identity/signing/schema.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { hmac } from "./hmac.server.ts";
import type { Hmac } from "./hmac.server.ts";

/** Implements Signer by HMAC under the product's own secret. */
export function productSigner(secret: string): Signer {
  // Importing a key takes longer than signing with it.
  const cached = new Map<string, Hmac>();
  const of = (purpose: string): Hmac => {
    const made = cached.get(purpose) ?? hmac(secret, purpose);
    cached.set(purpose, made);
    return made;
  };
  return {
    sign: (purpose, text) => of(purpose).sign(text),
    isGenuine: (purpose, text, signature) => of(purpose).isGenuine(text, signature),
    digest: sha256Hex,
  };
}
