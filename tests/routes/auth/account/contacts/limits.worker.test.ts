import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import {
  freshPhone,
  mailsTo,
  mailTo,
  codeOtherThan,
  refusalIn,
  signedUp,
  textsTo,
  textTo,
} from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const EMAILS = "/auth/account/emails";
const PHONES = "/auth/account/phones";

/** Adds a contact. Returns the path of its page, its id and the code that was sent. */
async function typed(
  browser: AccountBrowser,
  list: string,
  address: string,
): Promise<{ path: string; id: string; code: string }> {
  const sentBefore = list === EMAILS ? await mailsTo(address) : await textsTo(address);
  const asked = await browser.post(list, list === EMAILS ? { email: address } : { phone: address });
  const path = (asked.headers.get("Location") ?? "").replace(/\/code$/, "");
  const { code } =
    list === EMAILS
      ? await mailTo(address, sentBefore.length + 1)
      : await textTo(address, sentBefore.length + 1);
  return { path, id: path.split("/").at(-1) ?? "", code };
}

const another = () => signUpFields().email;

afterEach(() => {
  vi.useRealTimers();
});

describe("contact limits", () => {
  test("ten e-mails for each account, also for parallel requests", async () => {
    const { browser, person } = await signedUp();
    const { id } = await userOf(person.username);
    for (let made = 0; made < 8; made += 1)
      await db
        .insert(authEmails)
        .values({ id: crypto.randomUUID(), userId: id, address: another(), createdAt: 1 });
    const answers = await Promise.all(
      [1, 2, 3].map(() => browser.post(EMAILS, { email: another() })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 429, 429]);
    expect(await refusalIn(await browser.post(EMAILS, { email: another() }))).toBe(
      "429 Cada conta tem até 10 e-mails. Remova um para adicionar outro.",
    );
  });

  test("five phones for each account", async () => {
    const { browser, person } = await signedUp();
    const { id } = await userOf(person.username);
    for (let made = 0; made < 5; made += 1)
      await db
        .insert(authPhones)
        .values({ id: crypto.randomUUID(), userId: id, address: freshPhone(), createdAt: 1 });
    expect(await refusalIn(await browser.post(PHONES, { phone: freshPhone() }))).toBe(
      "429 Cada conta tem até 5 telefones. Remova um para adicionar outro.",
    );
  });

  test("new addresses that receive a code in ten minutes, for each account", async () => {
    const { browser } = await signedUp();
    const answers = [];
    for (let sent = 0; sent < 9; sent += 1)
      answers.push((await browser.post(EMAILS, { email: another() })).status);
    expect(answers.at(-1)).toBe(429);
  });
});

describe.each([
  ["phone", PHONES, freshPhone],
  ["e-mail", EMAILS, another],
])("code limits of one %s across accounts", (_, list, make) => {
  test("at most eight codes in ten minutes", async () => {
    const address = make();
    const answers = [];
    for (let asked = 0; asked < 9; asked += 1)
      answers.push(
        (await (await signedUp()).browser.post(list, { email: address, phone: address })).status,
      );
    expect(answers).toEqual([302, 302, 302, 302, 302, 302, 302, 302, 429]);
  });

  test("at most fifteen guesses in ten minutes", async () => {
    const address = make();
    for (let guessing = 0; guessing < 3; guessing += 1) {
      const { browser } = await signedUp();
      const { path, code } = await typed(browser, list, address);
      for (let guess = 0; guess < 5; guess += 1)
        expect((await browser.post(`${path}/code`, { code: codeOtherThan(code) })).status).not.toBe(
          429,
        );
    }
    const { browser } = await signedUp();
    const { path, code } = await typed(browser, list, address);
    expect((await browser.post(`${path}/code`, { code })).status).toBe(429);
  });
});

async function userOf(username: string): Promise<{ id: string; email: string }> {
  const user = await db.select().from(authUsers).where(eq(authUsers.username, username)).get();
  if (!user) throw new Error("no such user");
  return user;
}
