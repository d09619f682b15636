import { eq, or } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { authEmails } from "#drizzle/schema/local-contacts.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  accountBrowser,
  mailTo,
  codeOtherThan,
  refusalIn,
  signedUp,
  signingUp,
  usernameOf,
} from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import type { SignUpFields } from "#tests/support/call-route.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const CODE = "/auth/register/code";
const PROFILE = "/auth/register/profile";
const TAKEN = "/auth/register/taken";
const location = (answer: Response) => answer.headers.get("Location");
const prove = (browser: AccountBrowser, code: string) => browser.post(CODE, { code });
const outcomeOf = async (answer: Response) =>
  ((await answer.json()) as { outcome: string }).outcome;

/** Counts the rows of an account, by its e-mail or username. */
async function madeOf({ email, username }: Pick<SignUpFields, "email" | "username">) {
  const [users, persons, faces, addresses] = await db.batch([
    db
      .select()
      .from(authUsers)
      .where(or(eq(authUsers.email, email), eq(authUsers.username, username))),
    db.select().from(people).where(eq(people.email, email)),
    db.select().from(profiles).where(eq(profiles.username, username)),
    db.select().from(authEmails).where(eq(authEmails.address, email)),
  ]);
  return {
    users: users.length,
    people: persons.length,
    profiles: faces.length,
    emails: addresses.length,
  };
}
const NOTHING = { users: 0, people: 0, profiles: 0, emails: 0 };
const ONE = { users: 1, people: 1, profiles: 1, emails: 1 };

/** Moves the wall clock, on which codes, links and pending registrations expire. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("registration code", () => {
  test("is refused when wrong, and accepted afterwards", async () => {
    const { browser, mail } = await signingUp();
    expect(await refusalIn(await prove(browser, codeOtherThan(mail.code)))).toBe(
      "400 Código incorreto",
    );
    expect(await refusalIn(await prove(browser, ""))).toBe("400 Campo obrigatório");
    expect((await prove(browser, mail.code)).status).toBe(302);
  });

  test("is refused after five wrong tries, also for parallel ones", async () => {
    const { browser, person, mail } = await signingUp();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => prove(browser, codeOtherThan(mail.code))),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(await refusalIn(await prove(browser, mail.code))).toBe(
      "429 Tentativas demais sem acertar. Tente de novo com o mesmo método ou com outro.",
    );
    expect(await madeOf(person)).toEqual(NOTHING);
  });

  test("expires after ten minutes, and its registration after half an hour", async () => {
    const { browser, mail } = await signingUp();
    pass(601);
    expect(await refusalIn(await prove(browser, mail.code))).toBe(
      "409 Esta verificação expirou. Você deve criar uma nova.",
    );
    pass(1_201);
    expect(location(await browser.get(CODE))).toBe("/auth/register");
    expect(await refusalIn(await prove(browser, mail.code))).toContain("Este cadastro expirou");
  });

  test("creates one account for two clicks, and is not accepted again", async () => {
    const { browser, person, mail } = await signingUp();
    const answers = await Promise.all([1, 2].map(() => prove(browser, mail.code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    expect(await madeOf(person)).toEqual(ONE);
    expect(await refusalIn(await prove(browser, mail.code))).toBe(
      "409 Este código já foi usado. Peça um novo.",
    );
  });

  test("is sent again after 30 seconds, and then only the newest is accepted", async () => {
    const { browser, person, mail } = await signingUp();
    expect(await refusalIn(await browser.post(`${CODE}/send`))).toMatch(
      /^429 Acabamos de enviar\. Espere (29|30) segundos/,
    );
    pass(31);
    expect(location(await browser.post(`${CODE}/send`))).toBe(CODE);
    const newer = await mailTo(person.email, 2);
    if (newer.code !== mail.code) expect((await prove(browser, mail.code)).status).toBe(400);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("failed");
    expect((await prove(browser, newer.code)).status).toBe(302);
  });

  test("is refused in another browser", async () => {
    const [one, other] = [await signingUp(), await signingUp()];
    if (one.mail.code !== other.mail.code)
      expect((await prove(other.browser, one.mail.code)).status).toBe(400);
    expect(await refusalIn(await prove(accountBrowser(), one.mail.code))).toContain(
      "começado em outro navegador",
    );
  });

  test("is sent to one e-mail at most eight times in ten minutes", async () => {
    const { email } = signUpFields();
    const answers = [];
    for (let asked = 0; asked < 9; asked += 1)
      answers.push(await accountBrowser().post("/auth/register", { ...signUpFields(), email }));
    expect(answers.map(({ status }) => status)).toEqual([
      302, 302, 302, 302, 302, 302, 302, 302, 429,
    ]);
  });
});

describe("registration link", () => {
  test("asks for confirmation, and then creates the account", async () => {
    const { browser, person, mail } = await signingUp({}, "/auth/register?to=/explore");
    expect(await outcomeOf(await browser.get(mail.path))).toBe("ready");
    expect(await madeOf(person)).toEqual(NOTHING);
    expect(location(await browser.post(mail.path))).toBe("/explore");
    expect(await usernameOf(browser)).toBe(person.username);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("verified");
    expect(await outcomeOf(await browser.post(mail.path))).toBe("verified");
    expect(await madeOf(person)).toEqual(ONE);
  });

  test("works only in the browser that asked for it", async () => {
    const { person, mail } = await signingUp();
    for (const stranger of [accountBrowser(), (await signingUp()).browser]) {
      expect(await outcomeOf(await stranger.get(mail.path))).toBe("client-mismatch");
      expect(await outcomeOf(await stranger.post(mail.path))).toBe("client-mismatch");
    }
    expect(await madeOf(person)).toEqual(NOTHING);
  });

  test("expires after ten minutes, and an unknown one fails", async () => {
    const { browser, mail } = await signingUp();
    expect(await outcomeOf(await browser.get(`/auth/register/link/${"0".repeat(64)}`))).toBe(
      "failed",
    );
    pass(601);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("expired");
    expect(await outcomeOf(await browser.post(mail.path))).toBe("expired");
  });

  test("for an e-mail that has an account leads to the page that says so", async () => {
    const { person: owner } = await signedUp();
    const { browser, mail } = await signingUp({ email: owner.email });
    expect(location(await browser.post(mail.path))).toBe(TAKEN);
  });

  test("is refused after the e-mail of the registration was changed", async () => {
    const { browser, person, mail } = await signingUp();
    const { name, username, birthDate, termsVersion } = person;
    const email = signUpFields().email;
    expect(
      location(await browser.post(PROFILE, { name, username, birthDate, termsVersion, email })),
    ).toBe(CODE);
    const newer = await mailTo(email);
    expect(await outcomeOf(await browser.post(mail.path))).toBe("failed");
    if (newer.code !== mail.code) expect((await prove(browser, mail.code)).status).toBe(400);
    expect(await madeOf({ email, username })).toEqual(NOTHING);
    expect(location(await prove(browser, newer.code))).toBe("/");
    expect(await madeOf({ email, username })).toEqual(ONE);
  });
});

test("a code does not verify an e-mail that another tab put in its place at the same moment", async () => {
  const winner = await signingUp();
  const { browser, person, mail } = await signingUp({ username: winner.person.username });
  await prove(winner.browser, winner.mail.code);
  const victim = signUpFields().email;
  // The other tab changes the e-mail between the refused batch and the one that stores the
  // verification.
  await testEnv.DB.exec(
    `CREATE TRIGGER other_tab AFTER UPDATE OF used_at ON auth_challenges BEGIN UPDATE auth_pending_registrations SET email = '${victim}', is_email_proven = 0 WHERE email = '${person.email}'; END;`,
  );
  const answer = await prove(browser, mail.code);
  await testEnv.DB.exec("DROP TRIGGER other_tab;");
  expect(answer.status).toBeLessThan(500);
  const waiting = await db
    .select()
    .from(authPendingRegistrations)
    .where(
      or(
        eq(authPendingRegistrations.email, victim),
        eq(authPendingRegistrations.email, person.email),
      ),
    );
  expect(waiting.map(({ isEmailProven }) => isEmailProven)).toEqual([false]);
});
