import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { signedUp, usernameOf } from "#tests/support/account-browser.ts";
import { TEST_ORIGIN } from "#tests/support/call-route.ts";
import { fakeOidc } from "#tests/support/fake-oidc.ts";
import type { FakeOidc } from "#tests/support/fake-oidc.ts";
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
