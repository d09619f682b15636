import { vi } from "vitest";
import { part } from "./clerk-tokens.ts";
import { testClock } from "./clock.ts";

/**
 * A double of an external OpenID Connect provider behind a stubbed `fetch`. It signs whatever the
 * test says, true or not.
 */
export type FakeOidc = {
  issuer: string;
  env: Record<`OIDC_${string}`, string>;
  /** What the next ID token claims instead of the truth. */
  lies: Lies;
  /** The person who signs in there. */
  person: Record<string, unknown>;
  /** "yes" answers, "down" loses the connection, "broken" answers 500. */
  health: "yes" | "down" | "broken";
  /** Requests to the token endpoint, newest last. */
  asked: { body: URLSearchParams; authorization: string | null }[];
  /** The return path after the person consented, for the authorization URL `location`. */
  agree(location: string | null, changes?: Record<string, string | null>): string;
};

export type Lies = {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signed by a key that the provider never published. */
  isForged?: boolean;
  isUnsigned?: boolean;
  /** Answers with an error of the token endpoint. */
  error?: string;
  userInfo?: Record<string, unknown>;
};

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const KEY_ID = "key-1";
/** Key pairs by issuer. They are reused, because the product caches published keys for minutes. */
const keyPairs = new Map<string, Promise<CryptoKeyPair>>();

function pairOf(id: string): Promise<CryptoKeyPair> {
  const keyPair = keyPairs.get(id) ?? pair();
  keyPairs.set(id, keyPair);
  return keyPair;
}

/** Creates a provider with its own keys. `id` is its name in the configuration. */
export async function fakeOidc(
  id: string,
  { metadata = {} }: { metadata?: object } = {},
): Promise<FakeOidc> {
  const [own, stranger] = await Promise.all([pairOf(id), pair()]);
  const issuer = `https://${id}.outside.test`;
  const prefix = `OIDC_${id.toUpperCase()}` as const;
  const nonces = new Map<string, string>();
  const oidc: FakeOidc = {
    issuer,
    env: {
      ...(id === "google" ? {} : { OIDC_PROVIDERS: id }),
      [`${prefix}_ISSUER`]: issuer,
      [`${prefix}_CLIENT_ID`]: `client-of-${id}`,
      [`${prefix}_CLIENT_SECRET`]: `secret of ${id}/+:%`,
      [`${prefix}_NAME`]: id === "google" ? "Google" : "Empresa",
    },
    lies: {},
    person: { sub: crypto.randomUUID() },
    health: "yes",
    asked: [],
    agree(location, changes = {}) {
      const sent = new URL(location ?? "");
      const code = crypto.randomUUID();
      nonces.set(code, sent.searchParams.get("nonce") ?? "");
      const back = new URL(sent.searchParams.get("redirect_uri") ?? "");
      const answer = { code, state: sent.searchParams.get("state"), iss: issuer, ...changes };
      for (const [name, value] of Object.entries(answer))
        if (value !== null) back.searchParams.set(name, value);
      return back.pathname + back.search;
    },
  };
  const published = {
    keys: [
      {
        ...(await crypto.subtle.exportKey("jwk", own.publicKey)),
        kid: KEY_ID,
        alg: "RS256",
        use: "sig",
      },
    ],
  };
  const endpoints = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/me`,
    authorization_response_iss_parameter_supported: true,
    ...metadata,
  };
  async function answered(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (oidc.health === "broken") return new Response("", { status: 500 });
    if (pathname === "/.well-known/openid-configuration") return Response.json(endpoints);
    if (pathname === "/keys") return Response.json(published);
    if (pathname === "/me") return Response.json({ sub: oidc.person.sub, ...oidc.lies.userInfo });
    const body = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
    oidc.asked.push({ body, authorization: request.headers.get("Authorization") });
    const code = body.get("code") ?? "";
    const nonce = nonces.get(code);
    nonces.delete(code);
    if (oidc.lies.error !== undefined || nonce === undefined)
      return Response.json({ error: oidc.lies.error ?? "invalid_grant" }, { status: 400 });
    const now = Math.floor(testClock.now() / 1000);
    const claims = {
      iss: issuer,
      aud: `client-of-${id}`,
      iat: now,
      exp: now + 300,
      nonce,
      ...oidc.person,
      ...oidc.lies.claims,
    };
    const token = await signed(oidc.lies.isForged ? stranger : own, claims, oidc.lies);
    return Response.json({
      access_token: "opaque",
      token_type: "Bearer",
      expires_in: 300,
      id_token: token,
    });
  }
  listening.set(issuer, (request) => {
    if (oidc.health === "down") throw new TypeError("network");
    return answered(request);
  });
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const listener = listening.get(new URL(request.url).origin);
    if (!listener) throw new TypeError("network");
    return listener(request);
  });
  return oidc;
}

const listening = new Map<string, (request: Request) => Promise<Response>>();

async function pair(): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
}

async function signed(
  { privateKey }: CryptoKeyPair,
  claims: object,
  { header = {}, isUnsigned = false }: Lies,
): Promise<string> {
  const said = `${part({ alg: isUnsigned ? "none" : "RS256", kid: KEY_ID, ...header })}.${part(claims)}`;
  if (isUnsigned) return `${said}.`;
  const signature = await crypto.subtle.sign(
    ALGORITHM.name,
    privateKey,
    new TextEncoder().encode(said),
  );
  return `${said}.${Buffer.from(signature).toString("base64url")}`;
}
