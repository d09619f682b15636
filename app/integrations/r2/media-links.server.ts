import type { LinkSigner, SignedLink } from "#app/domain/media/schema.ts";
import { hmac } from "#app/integrations/hmac.server.ts";

/** Implements LinkSigner by HMAC under the product's own secret. */
export function mediaLinkSigner(secret: string): LinkSigner {
  const signer = hmac(secret, "coreto media link 1");
  return {
    sign: (link) => signer.sign(signedText(link)),
    isGenuine: (link, signature) => signer.isGenuine(signedText(link), signature),
  };
}

function signedText({ mediaId, variant, personId, expiresAt }: SignedLink): string {
  return [mediaId, variant, personId, String(expiresAt)].join("\n");
}
