import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { authOutsideAttempts } from "#drizzle/schema/local-outside.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { signedUp, usernameOf } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { TEST_ORIGIN } from "#tests/support/call-route.ts";
import { fakeOidc } from "#tests/support/fake-oidc.ts";
import type { FakeOidc, Lies } from "#tests/support/fake-oidc.ts";
import {
  CONNECTIONS,
  personWithExternalAccount,
  redirectOf,
  startSignIn,
  newExternalPerson,
  externalAccountsOf,
  signInRoundTrip,
  refusalShownIn,
  takeSession,
  enableSecondFactor,
} from "#tests/support/external-accounts.ts";
import { externalSignInBrowser } from "#tests/support/external-browser.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
let oidc: FakeOidc;

beforeAll(async () => {
  oidc = await fakeOidc("empresa");
});
beforeEach(() => newExternalPerson(oidc));

describe("redirect to the external provider", () => {
  test("asks for a code with PKCE, state and nonce, and the scopes openid, email and profile", async () => {
    const address = new URL(redirectOf(await startSignIn(externalSignInBrowser(oidc.env))) ?? "");
    expect(address.origin + address.pathname).toBe(`${oidc.issuer}/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: "client-of-empresa",
      redirect_uri: `${TEST_ORIGIN}/auth/outside/empresa/callback`,
      response_type: "code",
      scope: "openid email profile",
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("exchanges the code with its PKCE verifier and the client's secret", async () => {
    const browser = externalSignInBrowser(oidc.env);
    const location = redirectOf(await startSignIn(browser));
    await browser.get(oidc.agree(location));
    const sent = oidc.asked.at(-1);
    const hash = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode(sent?.body.get("code_verifier") ?? ""),
    );
    expect(Buffer.from(hash).toString("base64url")).toBe(
      new URL(location ?? "").searchParams.get("code_challenge"),
    );
    expect(sent?.body.get("grant_type")).toBe("authorization_code");
    const [id, secret] = Buffer.from(sent?.authorization?.replace("Basic ", "") ?? "", "base64")
      .toString()
      .split(":");
    expect(
      [id, secret].map((text) => decodeURIComponent(text?.replaceAll("+", " ") ?? "")),
    ).toEqual(["client-of-empresa", "secret of empresa/+:%"]);
  });

  test("sends the secret in the body when the provider announces `client_secret_post`", async () => {
    const other = await fakeOidc("corpo", {
      metadata: {
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      },
    });
    const browser = externalSignInBrowser(other.env);
    await browser.get(other.agree(redirectOf(await browser.post("/auth/outside/corpo", {}))));
    expect(other.asked.at(-1)?.authorization).toBeNull();
    expect(other.asked.at(-1)?.body.get("client_secret")).toBe("secret of corpo/+:%");
  });

  test("answers 404 for a provider that is not configured, and shows no button for it", async () => {
    const nobody = externalSignInBrowser({});
    expect((await startSignIn(nobody)).status).toBe(404);
    expect((await nobody.get("/auth/outside/empresa/callback?code=x&state=y")).status).toBe(404);
    expect(await (await nobody.get("/auth/login")).json()).toMatchObject({ outside: [] });
    expect(await (await externalSignInBrowser(oidc.env).get("/auth/login")).json()).toMatchObject({
      outside: [{ id: "empresa", name: "Empresa" }],
    });
  });

  test("reports a provider that is down before the redirect", async () => {
    const silent = await fakeOidc("silenciosa");
    for (const health of ["down", "broken"] as const) {
      silent.health = health;
      const answer = await externalSignInBrowser(silent.env).post("/auth/outside/silenciosa", {});
      expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
        503,
        IDENTITY_MESSAGES.oauth_provider_unavailable,
      ]);
    }
  });

  test("does not start by a GET request", async () => {
    const answer = await externalSignInBrowser(oidc.env).get("/auth/outside/empresa");
    expect(answer.headers.get("Location")).toBeNull();
  });
});

describe("member with a connected external account", () => {
  test("is signed in and returns to the page they came from", async () => {
    const { person } = await personWithExternalAccount(oidc);
    const elsewhere = externalSignInBrowser(oidc.env);
    const answer = await signInRoundTrip(oidc, elsewhere, "sign-in", "?to=%2Fevents");
    expect(redirectOf(answer)).toBe("/events");
    expect(await usernameOf(elsewhere)).toBe(person.username);
  });

  test("with a second factor must type its code first", async () => {
    const { person } = await personWithExternalAccount(oidc);
    await enableSecondFactor(person.email);
    const elsewhere = externalSignInBrowser(oidc.env);
    const answer = await signInRoundTrip(oidc, elsewhere, "sign-in", "?to=%2Fevents");
    expect(redirectOf(answer)).toBe("/auth/second-factor?to=%2Fevents");
    expect(await usernameOf(elsewhere)).toBeNull();
  });

  test("is stored without any token of the provider", async () => {
    const { person } = await personWithExternalAccount(oidc);
    expect(await externalAccountsOf(person.email)).toEqual([
      expect.objectContaining({
        providerId: "oidc:empresa",
        accountId: oidc.person.sub,
        label: oidc.person.email,
        accessToken: null,
        refreshToken: null,
        idToken: null,
        password: null,
      }),
    ]);
  });

  test("who is suspended reads why", async () => {
    const { person } = await personWithExternalAccount(oidc);
    await testEnv.DB.prepare("UPDATE people SET banned_at = 1 WHERE email = ?")
      .bind(person.email)
      .run();
    const answer = await signInRoundTrip(oidc, externalSignInBrowser(oidc.env));
    expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
      403,
      "Esta conta está suspensa. Fale com o suporte.",
    ]);
  });
});

describe("external account not connected to a member", () => {
  const pendingOf = async () =>
    db
      .select()
      .from(authPendingRegistrations)
      .where(eq(authPendingRegistrations.accountId, String(oidc.person.sub)))
      .get();

  test("starts a registration with the e-mail verified by the provider", async () => {
    const answer = await signInRoundTrip(
      oidc,
      externalSignInBrowser(oidc.env),
      "sign-in",
      "?to=%2Fevents",
    );
    expect(redirectOf(answer)).toMatch(/^\/auth\/register\/profile/);
    expect(answer.headers.getSetCookie().join()).toContain("__Host-coreto-registration=");
    expect(await pendingOf()).toMatchObject({
      providerId: "oidc:empresa",
      email: oidc.person.email,
      isEmailProven: true,
      name: "Lia de Fora",
      returnTo: "/events",
    });
  });

  test.each([[false], ["true"], [undefined]])(
    "an e-mail with email_verified %j is not verified",
    async (verified) => {
      oidc.person.email_verified = verified;
      await signInRoundTrip(oidc, externalSignInBrowser(oidc.env));
      expect(await pendingOf()).toMatchObject({ email: oidc.person.email, isEmailProven: false });
    },
  );

  test("reads claims missing from the ID token at the provider's userinfo", async () => {
    const { email } = oidc.person;
    delete oidc.person.email;
    oidc.lies = { userInfo: { email, email_verified: true } };
    await signInRoundTrip(oidc, externalSignInBrowser(oidc.env));
    expect(await pendingOf()).toMatchObject({ email, isEmailProven: true });
  });

  test("refuses a userinfo answer with another subject", async () => {
    delete oidc.person.email;
    oidc.lies = { userInfo: { sub: "another", email: "vitima@fora.test", email_verified: true } };
    expect(
      (await refusalShownIn(await signInRoundTrip(oidc, externalSignInBrowser(oidc.env)))).message,
    ).toBe(IDENTITY_MESSAGES.oauth_answer_refused);
  });

  test("with a member's verified e-mail is told so, and nothing is connected", async () => {
    const { person } = await signedUp();
    oidc.person.email = person.email.toUpperCase();
    const browser = externalSignInBrowser(oidc.env);
    const answer = await signInRoundTrip(oidc, browser);
    expect(await refusalShownIn(answer)).toMatchObject({ taken: person.email, message: null });
    expect(await usernameOf(browser)).toBeNull();
    expect(await externalAccountsOf(person.email)).toEqual([]);
  });

  test("with an unverified e-mail is not told that a member has it", async () => {
    const { person } = await signedUp();
    Object.assign(oidc.person, { email: person.email, email_verified: false });
    expect(redirectOf(await signInRoundTrip(oidc, externalSignInBrowser(oidc.env)))).toMatch(
      /^\/auth\/register\/profile/,
    );
  });

  test("after signing in to the account and accepting the offer, signs in directly", async () => {
    const { browser: plain, person } = await signedUp();
    oidc.person.email = person.email;
    const browser = externalSignInBrowser(oidc.env);
    await signInRoundTrip(oidc, browser);
    takeSession(browser, plain);
    expect(await (await browser.get(CONNECTIONS)).json()).toMatchObject({
      accounts: [],
      offered: "Empresa",
    });
    expect(await (await browser.get(`${CONNECTIONS}/offer`)).json()).toMatchObject({
      name: "Empresa",
      label: person.email,
      username: person.username,
    });
    expect(await externalAccountsOf(person.email)).toEqual([]);
    expect(redirectOf(await browser.post(`${CONNECTIONS}/offer`, { accept: "true" }))).toBe(
      CONNECTIONS,
    );
    expect(
      (await refusalShownIn(await browser.post(`${CONNECTIONS}/offer`, { accept: "true" })))
        .message,
    ).toBe(IDENTITY_MESSAGES.oauth_offer_gone);
    const elsewhere = externalSignInBrowser(oidc.env);
    await signInRoundTrip(oidc, elsewhere);
    expect(await usernameOf(elsewhere)).toBe(person.username);
  });

  test("is not offered to another member who signs in in the same browser", async () => {
    const [{ person }, stranger] = [await signedUp(), await signedUp()];
    oidc.person.email = person.email;
    const browser = externalSignInBrowser(oidc.env);
    await signInRoundTrip(oidc, browser);
    takeSession(browser, stranger.browser);
    expect(await (await browser.get(CONNECTIONS)).json()).toMatchObject({ offered: null });
    expect(redirectOf(await browser.get(`${CONNECTIONS}/offer`))).toBe(CONNECTIONS);
    expect(
      (await refusalShownIn(await browser.post(`${CONNECTIONS}/offer`, { accept: "true" })))
        .message,
    ).toBe(IDENTITY_MESSAGES.oauth_offer_gone);
    expect(await externalAccountsOf(stranger.person.email)).toEqual([]);
  });

  test("the offer is valid in its own browser only, and declining removes it", async () => {
    const { browser: plain, person } = await signedUp();
    oidc.person.email = person.email;
    await signInRoundTrip(oidc, externalSignInBrowser(oidc.env));
    const own = externalSignInBrowser(oidc.env, plain.cookies);
    expect(redirectOf(await own.get(`${CONNECTIONS}/offer`))).toBe(CONNECTIONS);
    await signInRoundTrip(oidc, own);
    expect(redirectOf(await own.post(`${CONNECTIONS}/offer`, { accept: "false" }))).toBe(
      CONNECTIONS,
    );
    expect(redirectOf(await own.get(`${CONNECTIONS}/offer`))).toBe(CONNECTIONS);
    expect(await externalAccountsOf(person.email)).toEqual([]);
  });
});

const seconds = (offset: number) => Math.floor(testClock.now() / 1000) + offset;
const FORGED: [string, () => Lies][] = [
  ["of another issuer", () => ({ claims: { iss: "https://evil.test" } })],
  ["for another client", () => ({ claims: { aud: "client-of-somebody" } })],
  [
    "for two clients without saying for whom",
    () => ({ claims: { aud: ["client-of-empresa", "other"] } }),
  ],
  [
    "for us by another authorised party",
    () => ({ claims: { aud: ["client-of-empresa", "other"], azp: "other" } }),
  ],
  ["with the nonce of another sign-in", () => ({ claims: { nonce: "f".repeat(64) } })],
  ["without a nonce", () => ({ claims: { nonce: undefined } })],
  ["that expired", () => ({ claims: { exp: seconds(-31) } })],
  ["that is not valid yet", () => ({ claims: { nbf: seconds(60) } })],
  ["without a subject", () => ({ claims: { sub: undefined } })],
  ["with an empty subject", () => ({ claims: { sub: "" } })],
  ["signed by a stranger's key", () => ({ isForged: true })],
  ["with alg none", () => ({ isUnsigned: true })],
  ["with alg HS256", () => ({ header: { alg: "HS256" } })],
  ["with a key that was never published", () => ({ header: { kid: "key-2" } })],
  ["that is refused at the token endpoint", () => ({ error: "invalid_grant" })],
];

describe("callback of the external provider", () => {
  test.each(FORGED)("with an ID token %s is refused", async (_, lies) => {
    await personWithExternalAccount(oidc);
    oidc.lies = lies();
    const browser = externalSignInBrowser(oidc.env);
    const answer = await signInRoundTrip(oidc, browser);
    expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
      401,
      IDENTITY_MESSAGES.oauth_answer_refused,
    ]);
    expect(await usernameOf(browser)).toBeNull();
  });

  test("an ID token expired by less than 30 seconds is accepted", async () => {
    const { person } = await personWithExternalAccount(oidc);
    oidc.lies = { claims: { exp: seconds(-20) } };
    const browser = externalSignInBrowser(oidc.env);
    await signInRoundTrip(oidc, browser);
    expect(await usernameOf(browser)).toBe(person.username);
  });

  test.each<[string, Record<string, string | null>]>([
    ["of another issuer (mix-up)", { iss: "https://evil.test" }],
    ["that does not say its issuer", { iss: null }],
    ["with a token in the address", { id_token: "x.y.z" }],
  ])("an answer %s is refused", async (_, changes) => {
    await personWithExternalAccount(oidc);
    const browser = externalSignInBrowser(oidc.env);
    const answer = await browser.get(oidc.agree(redirectOf(await startSignIn(browser)), changes));
    expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
      401,
      IDENTITY_MESSAGES.oauth_answer_refused,
    ]);
  });

  test.each<[string, string, Record<string, string | null>]>([
    [
      "a refusal by the person",
      IDENTITY_MESSAGES.oauth_access_denied__other,
      { error: "access_denied", code: null },
    ],
    [
      "an unavailable provider",
      IDENTITY_MESSAGES.oauth_provider_unavailable,
      { error: "temporarily_unavailable", code: null },
    ],
    [
      "any other error",
      IDENTITY_MESSAGES.oauth_answer_refused,
      { error: "invalid_scope", code: null },
    ],
  ])("%s has its own message", async (_, message, changes) => {
    const browser = externalSignInBrowser(oidc.env);
    expect(
      (
        await refusalShownIn(
          await browser.get(oidc.agree(redirectOf(await startSignIn(browser)), changes)),
        )
      ).message,
    ).toBe(message);
  });

  test("a refused consent at Google shows the message of the specification", async () => {
    const google = await fakeOidc("google");
    const browser = externalSignInBrowser(google.env);
    const location = redirectOf(await browser.post("/auth/outside/google", {}));
    const answer = await browser.get(
      google.agree(location, { error: "access_denied", code: null }),
    );
    expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
      403,
      "O acesso à sua conta Google não foi concedido.",
    ]);
  });

  test("reports a provider that goes down before the callback", async () => {
    const browser = externalSignInBrowser(oidc.env);
    const back = oidc.agree(redirectOf(await startSignIn(browser)));
    oidc.health = "down";
    expect((await refusalShownIn(await browser.get(back))).message).toBe(
      IDENTITY_MESSAGES.oauth_provider_unavailable,
    );
  });

  test("is accepted once", async () => {
    await personWithExternalAccount(oidc);
    const browser = externalSignInBrowser(oidc.env);
    const back = oidc.agree(redirectOf(await startSignIn(browser)));
    expect(redirectOf(await browser.get(back))).toBe("/");
    const again = await browser.get(back);
    expect([again.status, (await refusalShownIn(again)).message]).toEqual([
      409,
      IDENTITY_MESSAGES.oauth_attempt_used,
    ]);
  });

  test("is accepted once, also for parallel requests", async () => {
    await personWithExternalAccount(oidc);
    const browser = externalSignInBrowser(oidc.env);
    const back = oidc.agree(redirectOf(await startSignIn(browser)));
    const answers = await Promise.all([browser.get(back), browser.get(back), browser.get(back)]);
    expect(answers.filter((answer) => redirectOf(answer) === "/")).toHaveLength(1);
  });

  test("is refused in another browser, and stays valid in its own", async () => {
    const { person } = await personWithExternalAccount(oidc);
    const browser = externalSignInBrowser(oidc.env);
    const back = oidc.agree(redirectOf(await startSignIn(browser)));
    for (const stranger of [
      externalSignInBrowser(oidc.env),
      externalSignInBrowser(oidc.env, new Map([["__Host-coreto-client", "a".repeat(64)]])),
    ]) {
      const answer = await stranger.get(back);
      expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
        403,
        IDENTITY_MESSAGES.oauth_client_mismatch,
      ]);
      expect(await usernameOf(stranger)).toBeNull();
    }
    await browser.get(back);
    expect(await usernameOf(browser)).toBe(person.username);
  });

  test("is refused after ten minutes", async () => {
    await personWithExternalAccount(oidc);
    const browser = externalSignInBrowser(oidc.env);
    const back = oidc.agree(redirectOf(await startSignIn(browser)));
    await db
      .update(authOutsideAttempts)
      .set({ expiresAt: testClock.now() })
      .where(eq(authOutsideAttempts.purpose, "sign-in"));
    const answer = await browser.get(back);
    expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
      409,
      IDENTITY_MESSAGES.oauth_attempt_expired,
    ]);
  });

  test("is refused at another provider's path", async () => {
    const other = await fakeOidc("outra");
    const env = { ...oidc.env, ...other.env, OIDC_PROVIDERS: "empresa,outra" };
    const browser = externalSignInBrowser(env);
    const back = oidc.agree(redirectOf(await startSignIn(browser))).replace("/empresa/", "/outra/");
    expect((await refusalShownIn(await browser.get(back))).message).toBe(
      IDENTITY_MESSAGES.oauth_attempt_used,
    );
  });

  test("is refused without a state or with an unknown one", async () => {
    const browser = externalSignInBrowser(oidc.env);
    for (const query of ["?code=x", `?code=x&state=${"a".repeat(64)}`, "?error=access_denied"]) {
      expect(
        (await refusalShownIn(await browser.get(`/auth/outside/empresa/callback${query}`))).message,
      ).toBe(IDENTITY_MESSAGES.oauth_attempt_used);
    }
  });
});
