import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { mailsTo, mailTo, signedUp, usernameOf } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
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
  expireRecentAuth,
  userOf,
  removePassword,
} from "#tests/support/external-accounts.ts";
import { externalSignInBrowser } from "#tests/support/external-browser.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let oidc: FakeOidc;
const seconds = (offset: number) => Math.floor(testClock.now() / 1000) + offset;

beforeAll(async () => {
  oidc = await fakeOidc("empresa");
});
beforeEach(() => newExternalPerson(oidc));

describe("connecting an external account", () => {
  test("requires recent authentication", async () => {
    const { browser: plain, person } = await signedUp();
    await expireRecentAuth(person.email);
    const browser = externalSignInBrowser(oidc.env, plain.cookies);
    expect(redirectOf(await startSignIn(browser, "connect"))).toBe(
      `/auth/confirm?to=${CONNECTIONS}`,
    );
    expect((await startSignIn(externalSignInBrowser(oidc.env), "connect")).status).toBe(401);
  });

  test("notifies the primary e-mail", async () => {
    const { person } = await personWithExternalAccount(oidc);
    const mail = await mailTo(person.email);
    expect(mail.subject).toBe("Empresa: nova forma de entrar na sua conta");
    expect(mail.body).toContain(String(oidc.person.email));
    expect(mail.body).toContain(`${TEST_ORIGIN}${CONNECTIONS}`);
  });

  test("refuses an external account that is already connected, here or elsewhere", async () => {
    const { browser } = await personWithExternalAccount(oidc);
    expect((await refusalShownIn(await signInRoundTrip(oidc, browser, "connect"))).message).toBe(
      IDENTITY_MESSAGES.LINKED_ACCOUNT_ALREADY_EXISTS,
    );
    const { browser: other, person } = await signedUp();
    const answer = await signInRoundTrip(
      oidc,
      externalSignInBrowser(oidc.env, other.cookies),
      "connect",
    );
    expect([answer.status, (await refusalShownIn(answer)).message]).toEqual([
      409,
      IDENTITY_MESSAGES.SOCIAL_ACCOUNT_ALREADY_LINKED,
    ]);
    expect(await externalAccountsOf(person.email)).toEqual([]);
  });

  test("connects nothing when the session changed before the callback", async () => {
    const [{ browser: plain, person }, { browser: another, person: stranger }] = [
      await signedUp(),
      await signedUp(),
    ];
    const browser = externalSignInBrowser(oidc.env, plain.cookies);
    const back = oidc.agree(redirectOf(await startSignIn(browser, "connect")));
    takeSession(browser, another);
    expect((await refusalShownIn(await browser.get(back))).message).toBe(
      IDENTITY_MESSAGES.oauth_session_changed,
    );
    expect(await externalAccountsOf(person.email)).toEqual([]);
    expect(await externalAccountsOf(stranger.email)).toEqual([]);
  });

  test("is limited to ten accounts", async () => {
    const { browser, person } = await personWithExternalAccount(oidc);
    const trips: string[] = [];
    const all = Array.from({ length: 12 }, () => crypto.randomUUID());
    for (const _ of all) trips.push(oidc.agree(redirectOf(await startSignIn(browser, "connect"))));
    for (const [index, back] of trips.entries()) {
      oidc.person.sub = all[index];
      await browser.get(back);
    }
    expect(await externalAccountsOf(person.email)).toHaveLength(10);
    oidc.person.sub = crypto.randomUUID();
    expect((await refusalShownIn(await signInRoundTrip(oidc, browser, "connect"))).message).toBe(
      IDENTITY_MESSAGES.oauth_too_many,
    );
  });
});

describe("disconnecting an external account", () => {
  const removalOf = async (email: string) =>
    `${CONNECTIONS}/${(await externalAccountsOf(email))[0]?.id}/removal`;

  test("requires recent authentication, ends its sign-in, and notifies by e-mail", async () => {
    const { browser, person } = await personWithExternalAccount(oidc);
    const path = await removalOf(person.email);
    await expireRecentAuth(person.email);
    expect(redirectOf(await browser.post(path))).toBe(`/auth/confirm?to=${path}`);
    await browser.post("/auth/confirm", { currentPassword: person.password });
    expect(redirectOf(await browser.post(path))).toBe(CONNECTIONS);
    expect(await externalAccountsOf(person.email)).toEqual([]);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      "Empresa: já não entra na sua conta",
    );
    expect(redirectOf(await signInRoundTrip(oidc, externalSignInBrowser(oidc.env)))).toMatch(
      /^\/auth\/register\/profile/,
    );
  });

  test("refuses another member's external account", async () => {
    const { person } = await personWithExternalAccount(oidc);
    const path = await removalOf(person.email);
    const stranger = externalSignInBrowser(oidc.env, (await signedUp()).browser.cookies);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await refusalShownIn(await stranger.post(path))).message).toBe(
      IDENTITY_MESSAGES.ACCOUNT_NOT_FOUND,
    );
    expect(await externalAccountsOf(person.email)).toHaveLength(1);
  });

  test("the last sign-in method cannot be removed until the member sets a password", async () => {
    const { browser, person } = await personWithExternalAccount(oidc);
    await removePassword(person.email);
    const path = await removalOf(person.email);
    expect((await refusalShownIn(await browser.post(path))).message).toBe(
      IDENTITY_MESSAGES.oauth_last_way,
    );
    expect(await (await browser.get("/auth/account/password")).json()).toEqual({
      hasPassword: false,
    });
    const password = "outra senha bem comprida";
    expect(
      redirectOf(
        await browser.post("/auth/account/password", { password, repeatedPassword: password }),
      ),
    ).toBe("/auth/account");
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      "A sua conta agora tem senha",
    );
    expect(redirectOf(await browser.post(path))).toBe(CONNECTIONS);
    const elsewhere = externalSignInBrowser({});
    await elsewhere.post("/auth/login", { identifier: person.email, password });
    expect(await usernameOf(elsewhere)).toBe(person.username);
  });

  test("of two parallel removals one fails; an unconfigured provider does not count as a sign-in method", async () => {
    const { browser, person } = await personWithExternalAccount(oidc);
    const { id } = await userOf(person.email);
    await testEnv.DB.prepare(
      "UPDATE auth_accounts SET provider_id = 'oidc:gone', password = NULL WHERE user_id = ? AND provider_id = 'credential'",
    )
      .bind(id)
      .run();
    const [first, ...others] = (await externalAccountsOf(person.email)).filter(
      ({ providerId }) => providerId === "oidc:empresa",
    );
    expect(others).toEqual([]);
    expect(
      (await refusalShownIn(await browser.post(`${CONNECTIONS}/${first?.id}/removal`))).message,
    ).toBe(IDENTITY_MESSAGES.oauth_last_way);
    oidc.person.sub = crypto.randomUUID();
    await signInRoundTrip(oidc, browser, "connect");
    const both = (await externalAccountsOf(person.email)).filter(
      ({ providerId }) => providerId === "oidc:empresa",
    );
    expect(both).toHaveLength(2);
    const answers = await Promise.all(
      both.map(async (account) => browser.post(`${CONNECTIONS}/${account.id}/removal`)),
    );
    expect(answers.filter((answer) => redirectOf(answer) === CONNECTIONS)).toHaveLength(1);
  });
});

describe("an account without a password", () => {
  test("reauthenticates with its own external account only, and with a new sign-in there", async () => {
    const { browser, person } = await personWithExternalAccount(oidc);
    await removePassword(person.email);
    await expireRecentAuth(person.email);
    expect(redirectOf(await browser.get("/auth/account/password"))).toBe(
      "/auth/confirm?to=/auth/account/password",
    );
    expect(
      await (await browser.get("/auth/confirm?to=/auth/account/password")).json(),
    ).toMatchObject({ hasPassword: false, choices: [{ id: "empresa" }], hasWallet: false });
    const location = redirectOf(
      await startSignIn(browser, "confirm", "?to=%2Fauth%2Faccount%2Fpassword"),
    );
    expect(new URL(location ?? "").searchParams.get("max_age")).toBe("0");
    oidc.lies = { claims: { auth_time: seconds(-900) } };
    expect((await refusalShownIn(await browser.get(oidc.agree(location)))).message).toBe(
      IDENTITY_MESSAGES.oauth_answer_refused,
    );
    const known = oidc.person.sub;
    oidc.lies = { claims: { auth_time: seconds(0) } };
    oidc.person.sub = "somebody-else";
    expect((await refusalShownIn(await signInRoundTrip(oidc, browser, "confirm"))).message).toBe(
      IDENTITY_MESSAGES.oauth_account_mismatch,
    );
    oidc.person.sub = known;
    expect(
      redirectOf(
        await signInRoundTrip(oidc, browser, "confirm", "?to=%2Fauth%2Faccount%2Fpassword"),
      ),
    ).toBe("/auth/account/password");
    expect((await browser.get("/auth/account/password")).status).toBe(200);
  });

  test("is led to a code by email when a password is asked for", async () => {
    const { browser, person } = await personWithExternalAccount(oidc);
    await removePassword(person.email);
    const answer = await browser.post("/auth/confirm", { currentPassword: "qualquer uma" });
    expect(await answer.json()).toMatchObject({
      errors: { currentPassword: IDENTITY_MESSAGES.CREDENTIAL_ACCOUNT_NOT_FOUND },
      link: { to: "/auth/confirm" },
    });
  });
});
