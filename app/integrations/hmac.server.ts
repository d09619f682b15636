const ALGORITHM = { name: "HMAC", hash: "SHA-256" } as const;

export type Hmac = {
  sign(text: string): Promise<string>;
  isGenuine(text: string, signature: string): Promise<boolean>;
};

/**
 * HMAC-SHA-256 in base64url under the product's own secret. `purpose` is signed too, so that a
 * signature for one purpose is invalid for another.
 */
export function hmac(secret: string, purpose: string): Hmac {
  let key: Promise<CryptoKey> | null = null;
  const importedKey = () =>
    (key ??= crypto.subtle.importKey("raw", new TextEncoder().encode(secret), ALGORITHM, false, [
      "sign",
      "verify",
    ]));
  const bytesOf = (text: string) => new TextEncoder().encode(`${purpose}\n${text}`);
  return {
    async sign(text) {
      return base64Url(
        new Uint8Array(
          await crypto.subtle.sign(ALGORITHM.name, await importedKey(), bytesOf(text)),
        ),
      );
    },
    async isGenuine(text, signature) {
      const bytes = fromBase64Url(signature);
      return (
        bytes !== null &&
        (await crypto.subtle.verify(ALGORITHM.name, await importedKey(), bytes, bytesOf(text)))
      );
    },
  };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]{1,128}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
  } catch {
    return null;
  }
}
