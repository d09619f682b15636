import type { Signer } from "#app/domain/identity/signing/schema.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { hmac } from "./hmac.server.ts";

/** Implements Signer by HMAC under the product's own secret. */
export function productSigner(secret: string): Signer {
  return {
    sign: (purpose, text) => hmac(secret, purpose).sign(text),
    isGenuine: (purpose, text, signature) => hmac(secret, purpose).isGenuine(text, signature),
    digest: sha256Hex,
  };
}
