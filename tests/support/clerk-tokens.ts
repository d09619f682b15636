/** An RSA key pair of the test, with which it signs tokens as Clerk does. */
export type ClerkKeys = {
  publicPem: string;
  sign(claims: object, header?: object): Promise<string>;
};

export const CLERK_HOST = "clerk.coreto.test";
export const SESSION_CATEGORY = "cl_B7d4PD111AAA";
export const TEMPLATE_CATEGORY = "cl_B7d4PD222AAA";

export const publishableKeyOf = (host: string): string => `pk_live_${btoa(`${host}$`)}`;

/** Creates a key pair for RS256, with the public key as SPKI PEM, as Clerk's dashboard shows it. */
export async function clerkKeys(): Promise<ClerkKeys> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const spki = (await crypto.subtle.exportKey("spki", pair.publicKey)) as ArrayBuffer;
  const lines = base64(new Uint8Array(spki)).match(/.{1,64}/g) ?? [];
  return {
    publicPem: ["-----BEGIN PUBLIC KEY-----", ...lines, "-----END PUBLIC KEY-----"].join("\n"),
    async sign(claims, header = {}) {
      const signed = `${part({ alg: "RS256", typ: "JWT", kid: "ins_test", ...header })}.${part(claims)}`;
      const signature = await crypto.subtle.sign(
        algorithm.name,
        pair.privateKey,
        new TextEncoder().encode(signed),
      );
      return `${signed}.${url(base64(new Uint8Array(signature)))}`;
    },
  };
}

/** One part of a token. */
export const part = (value: object): string =>
  url(base64(new TextEncoder().encode(JSON.stringify(value))));

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""));
const url = (text: string): string =>
  text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
