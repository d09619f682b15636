import { describe, expect, test } from "vitest";
import { clerkIdentity } from "#app/integrations/clerk/provider.server.ts";
import {
  clerkKeys,
  part,
  SESSION_CATEGORY,
  TEMPLATE_CATEGORY,
} from "#tests/support/clerk-tokens.ts";
import { TEST_ORIGIN } from "#tests/support/call-route.ts";
import { fakeClerk, seconds } from "./clerk.ts";

const clerk = await fakeClerk();
const elsewhere = await clerkKeys();
const {
  CLERK_PUBLISHABLE_KEY: publishableKey = "",
  CLERK_SECRET_KEY: secretKey = "",
  CLERK_JWT_KEY: jwtKey = "",
  CLERK_API_URL: apiUrl = "",
} = clerk.env;
const provider = clerkIdentity({
  publishableKey,
  secretKey,
  jwtKey,
  apiUrl,
  jwtTemplate: "production",
  webhookSecret: "",
  appOrigin: TEST_ORIGIN,
});

const personOf = async (headers: Record<string, string>): Promise<string | null> =>
  (await provider.recognise(new Request(`${TEST_ORIGIN}/explore.data`, { headers }))).vouched
    ?.providerUserId ?? null;
const byToken = (token: string) => personOf({ Authorization: `Bearer ${token}` });
const byCookie = (cookie: string) => personOf({ Cookie: cookie });

const standard = {
  sub: "user_1",
  iss: "https://clerk.coreto.test",
  azp: TEST_ORIGIN,
  iat: seconds(-5),
  nbf: seconds(-15),
  exp: seconds(55),
};

/** Invalid tokens, each tried as a cookie or as a Bearer token. */
const FORGERIES: [what: string, claims: object, header?: object][] = [
  ["of another issuer", { iss: "https://clerk.evil.test" }],
  ["of an issuer that only starts like ours", { iss: "https://clerk.coreto.test.evil.test" }],
  ["of our issuer without https", { iss: "http://clerk.coreto.test" }],
  ["without an issuer", { iss: undefined }],
  ["made for another site", { azp: "https://evil.test" }],
  ["made for no site", { azp: undefined }],
  ["made for our site on another port", { azp: `${TEST_ORIGIN}0` }],
  ["expired a minute ago", { iat: seconds(-180), nbf: seconds(-190), exp: seconds(-60) }],
  ["valid only in a minute", { iat: seconds(60), nbf: seconds(60), exp: seconds(120) }],
  ["issued in the future", { iat: seconds(600) }],
  ["without an end", { exp: undefined }],
  ["nobody's", { sub: undefined }],
  ["with a number for a person", { sub: 1 }],
  ["with an algorithm that we never use", {}, { alg: "HS256" }],
  ["of a machine", {}, { cat: "cl_B7d4PD333AAA" }],
];

describe("session cookie", () => {
  test("identifies its member", async () => {
    expect(await byCookie(await clerk.cookie("user_1"))).toBe("user_1");
  });

  test("may be up to five seconds early or late, because clocks differ", async () => {
    expect(await byCookie(await clerk.cookie("user_1", { nbf: seconds(2), iat: seconds(2) }))).toBe(
      "user_1",
    );
    expect(await byCookie(await clerk.cookie("user_1", { exp: seconds(-2) }))).toBe("user_1");
  });

  test.each(FORGERIES)("%s is rejected", async (_, claims, header) => {
    expect(await byCookie(await clerk.cookie("user_1", claims, header))).toBeNull();
  });

  test("signed by the key of another deployment is rejected", async () => {
    const token = await elsewhere.sign({ ...standard, sid: "sess_1" }, { cat: SESSION_CATEGORY });
    expect(await byCookie(`__session=${token}; __client_uat=${seconds(-60)}`)).toBeNull();
  });

  test("with the token of a template is rejected", async () => {
    expect(
      await byCookie(`__session=${await clerk.token("user_1")}; __client_uat=${seconds(-60)}`),
    ).toBeNull();
  });

  test("that claims a template is rejected", async () => {
    expect(await byCookie(await clerk.cookie("user_1", { tpl: "production" }))).toBeNull();
  });
});

describe("template token", () => {
  test("identifies its member", async () => {
    expect(await byToken(await clerk.token("user_1"))).toBe("user_1");
  });

  test.each([
    ...FORGERIES,
    ["of another template", { tpl: "staging" }],
    ["of no template", { tpl: undefined }],
    ["of a session", {}, { cat: SESSION_CATEGORY }],
  ] as typeof FORGERIES)("%s is rejected", async (_, claims, header) => {
    expect(await byToken(await clerk.token("user_1", claims, header))).toBeNull();
  });

  test("without a category is rejected", async () => {
    expect(await byToken(await clerk.keys.sign({ ...standard, tpl: "production" }))).toBeNull();
  });

  test("without a signature is rejected, whatever algorithm it claims", async () => {
    for (const alg of ["none", "None", "NONE", "RS256"]) {
      const unsigned = `${part({ alg, typ: "JWT", cat: TEMPLATE_CATEGORY })}.${part({ ...standard, tpl: "production" })}`;
      for (const signature of ["", ".", ".AAAA"])
        expect(await byToken(unsigned + signature)).toBeNull();
    }
  });

  test("signed with the public key as a shared secret is rejected", async () => {
    const signed = `${part({ alg: "HS256", typ: "JWT", cat: TEMPLATE_CATEGORY })}.${part({ ...standard, tpl: "production" })}`;
    const secret = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(jwtKey),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const mac = new Uint8Array(
      await crypto.subtle.sign("HMAC", secret, new TextEncoder().encode(signed)),
    );
    const signature = btoa(Array.from(mac, (byte) => String.fromCodePoint(byte)).join(""))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
    expect(await byToken(`${signed}.${signature}`)).toBeNull();
  });

  test("signed by another key is rejected", async () => {
    expect(
      await byToken(
        await elsewhere.sign({ ...standard, tpl: "production" }, { cat: TEMPLATE_CATEGORY }),
      ),
    ).toBeNull();
  });

  test("with its claims changed after signing is rejected", async () => {
    const [header, , signature] = (await clerk.token("user_1")).split(".");
    expect(
      await byToken(
        `${header}.${part({ ...standard, sub: "user_2", tpl: "production" })}.${signature}`,
      ),
    ).toBeNull();
  });

  test.each(["ak_live_1", "mt_live_1", "oat_live_1", "", " ", "a.b.c", "....", "é.é.é"])(
    "%j is rejected",
    async (token) => {
      expect(await byToken(encodeURI(token))).toBeNull();
    },
  );

  test("of one megabyte is rejected, also with a valid token inside", async () => {
    const good = await clerk.token("user_1");
    expect(await byToken("a".repeat(1024 * 1024))).toBeNull();
    expect(await byToken(`${good}.${"a".repeat(1024 * 1024)}`)).toBeNull();
    expect(
      await byCookie(`${await clerk.cookie("user_1")}; other=${"a".repeat(1024 * 1024)}`),
    ).toBeNull();
  });

  test("takes precedence: a valid cookie beside an invalid token is rejected", async () => {
    expect(
      await personOf({ Authorization: "Bearer bad", Cookie: await clerk.cookie("user_1") }),
    ).toBeNull();
  });
});

describe("page request with an expired session token", () => {
  const page = (cookie: string) =>
    provider.recognise(
      new Request(`${TEST_ORIGIN}/me`, {
        headers: { Cookie: cookie, Accept: "text/html", "Sec-Fetch-Dest": "document" },
      }),
    );

  test("is redirected through Clerk once, and returns to the requested page", async () => {
    const old = await clerk.cookie("user_1", {
      iat: seconds(-180),
      nbf: seconds(-190),
      exp: seconds(-60),
    });
    const redirect: unknown = await page(old).catch((thrown: unknown) => thrown);
    if (!(redirect instanceof Response)) throw new Error("no redirect");
    expect(redirect.status).toBe(307);
    const to = new URL(redirect.headers.get("Location") ?? "");
    expect(to.origin + to.pathname).toBe("https://clerk.coreto.test/v1/client/handshake");
    expect(to.searchParams.get("redirect_url")).toBe(`${TEST_ORIGIN}/me`);
  });

  test("accepts the cookies that Clerk sends back with it", async () => {
    const fresh = (await clerk.cookie("user_1")).split("; ");
    const handshake = await clerk.keys.sign({
      handshake: fresh.map((pair) => `${pair}; Path=/; Secure; SameSite=Lax`),
    });
    const { vouched, headers } = await page(
      `__clerk_handshake=${handshake}; __client_uat=${seconds(-60)}`,
    );
    expect(vouched?.providerUserId).toBe("user_1");
    expect(headers.getSetCookie().join("\n")).toContain("__session=");
  });

  test("accepts no cookies with a foreign signature", async () => {
    const fresh = (await clerk.cookie("user_1")).split("; ");
    const handshake = await elsewhere.sign({ handshake: fresh.map((pair) => `${pair}; Path=/`) });
    const answer: unknown = await page(
      `__clerk_handshake=${handshake}; __client_uat=${seconds(-60)}`,
    ).catch((thrown: unknown) => thrown);
    expect(answer instanceof Response || (answer as { vouched: unknown }).vouched === null).toBe(
      true,
    );
  });
});

test("token checks make no network request except to check that Clerk is reachable", () => {
  expect(clerk.calls.filter((call) => call !== "HEAD /v1/jwks")).toEqual([]);
});
