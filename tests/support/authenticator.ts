/** A WebAuthn authenticator in software, with honest answers or forged ones (`Lies`). */
export type SoftAuthenticator = {
  id: string;
  make(offered: { challenge: string }, lies?: Lies): Promise<string>;
  use(offered: { challenge: string }, lies?: Lies): Promise<string>;
};

export type Lies = { origin?: string; rpId?: string; flags?: number; counter?: number };

const PRESENT_AND_VERIFIED = 0x05;
const WITH_CREDENTIAL = 0x40;
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const text = (value: string) => new TextEncoder().encode(value);

export async function softAuthenticator(origin: string): Promise<SoftAuthenticator> {
  const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const point = new Uint8Array(
    (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer,
  );
  const credentialId = crypto.getRandomValues(new Uint8Array(16));
  const id = base64url(credentialId);
  // COSE_Key { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }
  const coseKey = joined(
    [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32],
    point.slice(1, 33),
    [0x22, 0x58, 32],
    point.slice(33),
  );

  const clientData = (type: string, challenge: string, lies: Lies) =>
    text(JSON.stringify({ type, challenge, origin: lies.origin ?? origin, crossOrigin: false }));
  const authData = async (flags: number, lies: Lies, rest: Uint8Array) => {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, lies.counter ?? 0);
    return joined(
      await sha256(text(lies.rpId ?? new URL(origin).hostname)),
      [lies.flags ?? flags],
      counter,
      rest,
    );
  };
  return {
    id,
    async make({ challenge }, lies = {}) {
      const attested = joined(new Uint8Array(16), [0, credentialId.length], credentialId, coseKey);
      const data = await authData(PRESENT_AND_VERIFIED | WITH_CREDENTIAL, lies, attested);
      // { "fmt": "none", "attStmt": {}, "authData": bytes }
      const attestation = joined(
        [0xa3, 0x63],
        text("fmt"),
        [0x64],
        text("none"),
        [0x67],
        text("attStmt"),
        [0xa0, 0x68],
        text("authData"),
        [0x58, data.length],
        data,
      );
      const response = {
        clientDataJSON: base64url(clientData("webauthn.create", challenge, lies)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
      };
      return JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response,
      });
    },
    async use({ challenge }, lies = {}) {
      const client = clientData("webauthn.get", challenge, lies);
      const data = await authData(PRESENT_AND_VERIFIED, lies, new Uint8Array());
      const raw = new Uint8Array(
        await crypto.subtle.sign(
          { name: "ECDSA", hash: "SHA-256" },
          pair.privateKey,
          joined(data, await sha256(client)),
        ),
      );
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(derOf(raw)),
      };
      return JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response,
      });
    },
  };
}

function joined(...parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** Converts a WebCrypto signature (two raw halves) to the ASN.1 of authenticators. */
function derOf(raw: Uint8Array): Uint8Array {
  const whole = joined(integer(raw.slice(0, 32)), integer(raw.slice(32)));
  return joined([0x30, whole.length], whole);
}

function integer(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.slice(Math.max(0, start));
  const signed = (short[0] ?? 0) >= 0x80 ? joined([0], short) : short;
  return joined([2, signed.length], signed);
}
