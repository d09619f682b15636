import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { formatIdentifier } from "#app/domain/identity/contacts/rules/phones.ts";
import { people } from "#drizzle/schema/identity.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { authSecondFactors } from "#drizzle/schema/local-second-factor.ts";
import {
  accountBrowser,
  freshPhone,
  mailsTo,
  mailTo,
  codeOtherThan,
  refusalIn,
  signedUp,
  textsTo,
  textTo,
  usernameOf,
} from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const ask = (browser: AccountBrowser, identifier: string, query = "") =>
  browser.post(`/auth/code${query}`, { identifier });
const type = (browser: AccountBrowser, code: string, query = "") =>
  browser.post(`/auth/code/entry${query}`, { code });

/** Returns a member with a verified e-mail and a verified phone. */
async function reachable() {
  const { person } = await signedUp();
  const user = await db.select().from(authUsers).where(eq(authUsers.email, person.email)).get();
  const userId = user?.id ?? "";
  await db.update(authUsers).set({ emailVerified: true }).where(eq(authUsers.id, userId));
  await db.update(authEmails).set({ verifiedAt: 1 }).where(eq(authEmails.userId, userId));
  const phone = freshPhone();
  await db.insert(authPhones).values({
    id: crypto.randomUUID(),
    userId,
    address: phone,
    isPrimary: true,
    verifiedAt: 1,
    createdAt: 1,
  });
  return { person, userId, phone, mails: (await mailsTo(person.email)).length };
}

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("Entrar com um código", () => {
  test("sends a code by e-mail for an e-mail or username, and returns to the page they came from", async () => {
    const { person, mails } = await reachable();
    for (const [index, identifier] of [person.email.toUpperCase(), person.username].entries()) {
      const browser = accountBrowser();
      expect((await ask(browser, identifier, "?to=%2Fexplore")).headers.get("Location")).toBe(
        "/auth/code/entry?to=%2Fexplore",
      );
      const { code, subject } = await mailTo(person.email, mails + index + 1);
      expect(subject).toBe(`${code} é o código para entrar no Coreto`);
      expect((await type(browser, code, "?to=%2Fexplore")).headers.get("Location")).toBe(
        "/explore",
      );
      expect(await usernameOf(browser)).toBe(person.username);
    }
  });

  test("sends a code by text message for a phone in any format", async () => {
    const { person, phone, mails } = await reachable();
    const browser = accountBrowser();
    await ask(browser, `(${phone.slice(3, 5)}) ${phone.slice(5, 10)}-${phone.slice(10)}`);
    const { code, body } = await textTo(phone);
    expect(body).toContain("para entrar");
    expect((await type(browser, code)).headers.get("Location")).toBe("/");
    expect(await usernameOf(browser)).toBe(person.username);
    expect(await mailsTo(person.email)).toHaveLength(mails);
  });

  test("still asks for the second factor", async () => {
    const { userId, phone } = await reachable();
    await db
      .insert(authSecondFactors)
      .values({ userId, secret: "x", createdAt: 1, confirmedAt: 1 });
    const browser = accountBrowser();
    await ask(browser, phone);
    expect((await type(browser, (await textTo(phone)).code)).headers.get("Location")).toBe(
      "/auth/second-factor",
    );
    expect(await usernameOf(browser)).toBeNull();
  });

  test("refuses a suspended account", async () => {
    const { person, phone } = await reachable();
    await db
      .update(people)
      .set({ bannedAt: testClock.now() })
      .where(eq(people.email, person.email));
    const browser = accountBrowser();
    await ask(browser, phone);
    expect(await refusalIn(await type(browser, (await textTo(phone)).code))).toContain(
      "403 Esta conta está suspensa.",
    );
  });

  test("accepts a code once, also for two clicks, and only in the browser that asked", async () => {
    const { person, phone } = await reachable();
    const browser = accountBrowser();
    await ask(browser, phone);
    const { code } = await textTo(phone);
    expect(await refusalIn(await type(accountBrowser(), code))).toBe(
      "409 É preciso enviar um código antes de verificar.",
    );
    const answers = await Promise.all([type(browser, code), type(browser, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    expect(await usernameOf(browser)).toBe(person.username);
    const again = accountBrowser();
    expect((await again.get("/auth/code/entry")).headers.get("Location")).toBe("/auth/code");
  });

  test("a code ends after five wrong tries or ten minutes, and a new one can be asked for after 30 seconds", async () => {
    const { phone } = await reachable();
    const browser = accountBrowser();
    await ask(browser, phone);
    const { code } = await textTo(phone);
    expect(await refusalIn(await ask(browser, phone))).toMatch(/^429 Acabamos de enviar/);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await refusalIn(await type(browser, codeOtherThan(code)))).toBe(
        "400 Código incorreto",
      );
    expect((await type(browser, code)).status).toBe(429);
    pass(31);
    expect((await ask(browser, phone)).status).toBe(302);
    const newer = await textTo(phone, 2);
    pass(601);
    expect(await refusalIn(await type(browser, newer.code))).toBe(
      "409 Esta verificação expirou. Você deve criar uma nova.",
    );
  });

  test("accepts at most fifteen guesses for one account", async () => {
    const { phone } = await reachable();
    const statuses = [];
    for (let round = 0; round < 4; round += 1) {
      pass(31 * round);
      const browser = accountBrowser();
      await ask(browser, phone);
      const { code } = await textTo(phone, round + 1);
      for (let tries = 0; tries < 5; tries += 1)
        statuses.push((await type(browser, codeOtherThan(code))).status);
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(15);
    expect(statuses.slice(15)).toEqual([429, 429, 429, 429, 429]);
  });
});

describe("account enumeration by sign-in code", () => {
  test.each([
    ["e-mail", async () => (await reachable()).person.email, () => signUpFields().email],
    ["phone", async () => (await reachable()).phone, freshPhone],
    ["username", async () => (await reachable()).person.username, () => signUpFields().username],
  ])("the answers are the same for a known and an unknown %s", async (_, known, unknown) => {
    const told = async (identifier: string) => {
      const browser = accountBrowser();
      const asked = await ask(browser, identifier);
      const again = await ask(browser, identifier);
      const page = (await (await browser.get("/auth/code/entry")).json()) as {
        identifier: string;
      };
      const wrong = await type(browser, "000000");
      return [
        asked.status,
        asked.headers.get("Location"),
        await refusalIn(again),
        page.identifier === formatIdentifier(identifier),
        await refusalIn(wrong),
      ]
        .join()
        .replace(/\d+ segundos/, "segundos");
    };
    const [one, other] = [await told(await known()), await told(unknown())];
    expect(one).toBe(other);
  });

  test("nothing is sent to unknown or unverified addresses", async () => {
    const [nobody, stray] = [signUpFields().email, freshPhone()];
    await ask(accountBrowser(), nobody);
    await ask(accountBrowser(), stray);
    const { person, userId } = await reachable();
    const unproven = signUpFields().email;
    await db
      .insert(authEmails)
      .values({ id: crypto.randomUUID(), userId, address: unproven, createdAt: 1 });
    await db
      .update(authEmails)
      .set({ verifiedAt: null })
      .where(eq(authEmails.address, person.email));
    await ask(accountBrowser(), unproven);
    const before = (await mailsTo(person.email)).length;
    await ask(accountBrowser(), person.email);
    const { phone } = await reachable();
    await ask(accountBrowser(), phone);
    await textTo(phone);
    expect([await mailsTo(nobody), await textsTo(stray), await mailsTo(unproven)]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await mailsTo(person.email)).toHaveLength(before);
  });
});

test("the sign-in code pages redirect a signed-in member", async () => {
  const { browser } = await signedUp();
  for (const page of ["/auth/code", "/auth/code/entry"])
    expect((await browser.get(page)).headers.get("Location")).toBe("/");
});

test("a password can be reset by phone or username, and the primary e-mail is notified", async () => {
  const { person, phone, mails } = await reachable();
  const browser = accountBrowser();
  expect((await browser.post("/auth/reset", { identifier: phone })).headers.get("Location")).toBe(
    "/auth/reset/code",
  );
  const { code, body } = await textTo(phone);
  expect(body).toContain("para criar uma nova senha");
  expect(
    (
      await browser.post("/auth/reset/code", { code, password: "outra senha bem comprida" })
    ).headers.get("Location"),
  ).toBe("/auth/login");
  expect((await mailTo(person.email, mails + 1)).subject).toBe("A sua senha mudou");
  const again = accountBrowser();
  await again.post("/auth/reset", { identifier: person.username });
  const mail = await mailTo(person.email, mails + 2);
  expect(
    (
      await again.post("/auth/reset/code", { code: mail.code, password: "mais uma senha comprida" })
    ).headers.get("Location"),
  ).toBe("/auth/login");
  expect(
    (
      await accountBrowser().post("/auth/login", {
        identifier: phone,
        password: "mais uma senha comprida",
      })
    ).status,
  ).toBe(302);
});
