import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { authAccounts, authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { signedUp } from "./account-browser.ts";
import type { AccountBrowser } from "./account-browser.ts";
import { testClock } from "./clock.ts";
import type { FakeOidc } from "./fake-oidc.ts";
import { externalSignInBrowser } from "./external-browser.ts";
import { testEnv } from "./worker-env.ts";

const db = openDatabase(testEnv.DB);

export const CONNECTIONS = "/auth/account/connections";

export const redirectOf = (answer: Response): string | null => answer.headers.get("Location");

/** The refusal message of a response, or the e-mail that already has an account. */
export const refusalShownIn = async (
  answer: Response,
): Promise<{ message: string | null; taken: string | null }> => answer.json();

/** Makes the external provider answer honestly for a new person. */
export function newExternalPerson(oidc: FakeOidc): void {
  const person = {
    sub: crypto.randomUUID(),
    email: `${crypto.randomUUID()}@fora.test`,
    email_verified: true,
    name: "Lia de Fora",
  };
  Object.assign(oidc, { lies: {}, health: "yes", person });
}

/** Presses "Entrar com Empresa", or another button of the same form. */
export const startSignIn = (
  browser: AccountBrowser,
  purpose = "sign-in",
  query = "",
): Promise<Response> => browser.post(`/auth/outside/empresa${query}`, { purpose });

/** Signs in at the external provider, consents and returns. */
export async function signInRoundTrip(
  oidc: FakeOidc,
  browser: AccountBrowser,
  purpose = "sign-in",
  query = "",
): Promise<Response> {
  return browser.get(oidc.agree(redirectOf(await startSignIn(browser, purpose, query))));
}

/** Creates a member with an external account that signs in to their account here. */
export async function personWithExternalAccount(oidc: FakeOidc) {
  const { browser: plain, person } = await signedUp();
  const browser = externalSignInBrowser(oidc.env, plain.cookies);
  expect(redirectOf(await signInRoundTrip(oidc, browser, "connect"))).toBe(CONNECTIONS);
  return { browser, person };
}

/** Copies the session cookie of another browser, and no other cookie. */
export function takeSession(browser: AccountBrowser, from: AccountBrowser): void {
  for (const [name, value] of from.cookies)
    if (name.startsWith("__Host-coreto-session")) browser.cookies.set(name, value);
}

export async function userOf(email: string) {
  const user = await db.select().from(authUsers).where(eq(authUsers.email, email)).get();
  if (!user) throw new Error(`nobody has ${email}`);
  return user;
}

/** The external accounts with which a member can sign in. */
export async function externalAccountsOf(email: string) {
  const { id } = await userOf(email);
  const accounts = await db.select().from(authAccounts).where(eq(authAccounts.userId, id));
  return accounts.filter(({ providerId }) => providerId !== "credential");
}

/** Backdates the person's sign-in by 11 minutes, so that it is no longer recent. */
export async function expireRecentAuth(email: string): Promise<void> {
  await db
    .update(authSessions)
    .set({ createdAt: new Date(testClock.now() - 11 * 60_000) })
    .where(eq(authSessions.userId, (await userOf(email)).id));
}

/** Removes the password, as for members who signed up with an external account. */
export async function removePassword(email: string): Promise<void> {
  const { id } = await userOf(email);
  await testEnv.DB.batch([
    testEnv.DB.prepare(
      "DELETE FROM auth_accounts WHERE user_id = ? AND provider_id = 'credential'",
    ).bind(id),
    testEnv.DB.prepare("UPDATE auth_accounts SET id = ?1 WHERE user_id = ?1").bind(id),
  ]);
}

/** Turns on the member's second factor. */
export async function enableSecondFactor(email: string): Promise<void> {
  await testEnv.DB.prepare(
    "INSERT INTO auth_second_factors (user_id, secret, created_at, confirmed_at, last_step) VALUES (?, 'x', 1, 1, 0)",
  )
    .bind((await userOf(email)).id)
    .run();
}
