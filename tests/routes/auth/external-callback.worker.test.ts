import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { authOutsideAttempts } from "#drizzle/schema/local-outside.ts";
import { usernameOf } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { fakeOidc } from "#tests/support/fake-oidc.ts";
import type { FakeOidc, Lies } from "#tests/support/fake-oidc.ts";
import {
  personWithExternalAccount,
  redirectOf,
  startSignIn,
  newExternalPerson,
  signInRoundTrip,
  refusalShownIn,
} from "#tests/support/external-accounts.ts";
import { externalSignInBrowser } from "#tests/support/external-browser.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
let oidc: FakeOidc;

beforeAll(async () => {
  oidc = await fakeOidc("empresa");
});
beforeEach(() => newExternalPerson(oidc));

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
