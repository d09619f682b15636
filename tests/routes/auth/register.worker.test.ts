import { eq, or } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import {
  formatTermsVersion,
  TERMS_VERSION,
} from "#app/domain/identity/registration/rules/terms.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";
import { authEmails } from "#drizzle/schema/local-contacts.ts";
import { authAccounts, authUsers } from "#drizzle/schema/local-identity.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  accountBrowser,
  mailsTo,
  mailTo,
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

describe("Criar conta", () => {
  test("creates the account only after the code, signs in, and returns to the page they came from", async () => {
    const { browser, person, answer, mail } = await signingUp(
      {},
      "/auth/register?to=%2Fcheckout%3Fplan%3D1",
    );
    expect(location(answer)).toBe(CODE);
    expect(await madeOf(person)).toEqual(NOTHING);
    expect(await (await browser.get(CODE)).json()).toEqual({
      email: person.email,
      cartPath: null,
      button: "Confirmar e criar a conta",
    });
    expect(mail.subject).toBe(`${mail.code} é o código para criar a sua conta no Coreto`);
    const done = await prove(browser, ` ${mail.code.slice(0, 3)} ${mail.code.slice(3)} `);
    expect(location(done)).toBe("/checkout?plan=1");
    expect(await usernameOf(browser)).toBe(person.username);
    expect(await madeOf(person)).toEqual(ONE);
    const [kept] = await db.select().from(people).where(eq(people.email, person.email));
    expect(kept).toMatchObject({
      birthDate: "1990-01-31",
      registeredAt: expect.any(Number),
      provider: "local",
    });
    expect(
      await db
        .select({ version: termsAcceptances.version })
        .from(termsAcceptances)
        .where(eq(termsAcceptances.personId, kept?.id ?? "")),
    ).toEqual([{ version: person.termsVersion }]);
    expect(
      (
        await accountBrowser().post("/auth/login", {
          identifier: person.username,
          password: person.password,
        })
      ).status,
    ).toBe(302);
    expect(
      await db
        .select()
        .from(authPendingRegistrations)
        .where(eq(authPendingRegistrations.email, person.email)),
    ).toEqual([]);
  });

  test("stores the password and the browser's secret only as hashes", async () => {
    const { browser, person } = await signingUp();
    const kept = JSON.stringify(
      await db
        .select()
        .from(authPendingRegistrations)
        .where(eq(authPendingRegistrations.email, person.email)),
    );
    expect(kept).not.toContain(person.password);
    expect(kept).not.toContain(browser.cookies.get("__Host-coreto-registration"));
  });

  test("sets an HttpOnly, Secure cookie for half an hour", async () => {
    const { answer } = await signingUp();
    const cookie = answer.headers
      .getSetCookie()
      .find((set) => set.startsWith("__Host-coreto-registration="));
    for (const attribute of ["Max-Age=1800", "HttpOnly", "Secure", "SameSite=Lax", "Path=/"])
      expect(cookie).toContain(attribute);
  });

  test.each([
    "//evil.test",
    "https://evil.test",
    "/\\evil.test",
    "/%09/evil.test",
    "/.//evil.test",
    "javascript:alert(1)",
    "/auth/logout",
  ])("does not redirect to %s", async (to) => {
    const { browser, mail } = await signingUp({}, `/auth/register?to=${encodeURIComponent(to)}`);
    expect(location(await prove(browser, mail.code))).toBe(
      to === "/%09/evil.test" ? "/%09/evil.test" : "/",
    );
  });

  test("redirects a signed-in member", async () => {
    const { browser } = await signedUp();
    expect(location(await browser.get("/auth/register?to=/events"))).toBe("/events");
    expect(location(await browser.get(CODE))).toBe("/");
    expect(location(await browser.get(PROFILE))).toBe("/");
  });
});

test("the policies page shows the accepted terms and when they were accepted", async () => {
  const { browser, mail } = await signingUp();
  await prove(browser, mail.code);
  const { accepted } = (await (await browser.get("/settings/policies")).json()) as {
    accepted: { version: string; from: string; acceptedAt: string }[];
  };
  expect(accepted).toEqual([
    {
      version: TERMS_VERSION,
      from: formatTermsVersion(TERMS_VERSION),
      acceptedAt: expect.stringMatching(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d$/),
    },
  ]);
});

test("a new version of the terms is asked for until it is accepted, and stored once", async () => {
  const { browser, mail, person } = await signingUp();
  await prove(browser, mail.code);
  const db = openDatabase(testEnv.DB);
  const kept = await db
    .select({ id: people.id })
    .from(people)
    .where(eq(people.email, person.email))
    .get();
  const own = eq(termsAcceptances.personId, kept?.id ?? "");
  await db.update(termsAcceptances).set({ version: "2026-01-01" }).where(own);
  const asks = async () =>
    ((await (await browser.get("/settings/policies")).json()) as { asks: string | null }).asks;
  expect(await asks()).toBe(TERMS_VERSION);
  expect((await browser.post("/settings/policies", { termsVersion: "2026-01-01" })).status).toBe(
    400,
  );
  await browser.post("/settings/policies", { termsVersion: TERMS_VERSION });
  await browser.post("/settings/policies", { termsVersion: TERMS_VERSION });
  expect(await asks()).toBeNull();
  expect(
    (await db.select({ version: termsAcceptances.version }).from(termsAcceptances).where(own))
      .map(({ version }) => version)
      .toSorted(),
  ).toEqual(["2026-01-01", TERMS_VERSION]);
});

describe("registration with an e-mail that has an account", () => {
  test("gets the same answer, cookie and e-mail as an unknown one, and says so only after the code", async () => {
    const { person: owner } = await signedUp();
    const [known, unknown] = [
      await signingUp({ email: owner.email.toUpperCase() }),
      await signingUp(),
    ];
    expect(known.answer.status).toBe(unknown.answer.status);
    expect(await known.answer.text()).toBe(await unknown.answer.text());
    expect([...known.answer.headers.keys()]).toEqual([...unknown.answer.headers.keys()]);
    expect(location(known.answer)).toBe(location(unknown.answer));
    expect(known.mail.body.replaceAll(/[0-9a-f]{64}|\d{6}/g, "#")).toBe(
      unknown.mail.body.replaceAll(/[0-9a-f]{64}|\d{6}/g, "#"),
    );
    const told = await prove(known.browser, known.mail.code);
    expect(location(told)).toBe(TAKEN);
    expect(await (await known.browser.get(TAKEN)).json()).toEqual({
      email: owner.email,
      to: "/",
      otherPath: "/auth/register/profile",
    });
    expect(location(await unknown.browser.get(TAKEN))).toBe("/auth/register");
    expect(location(await accountBrowser().get(TAKEN))).toBe("/auth/register");
    expect(await usernameOf(known.browser)).toBeNull();
    expect(await madeOf({ ...known.person, email: owner.email })).toEqual({ ...ONE, profiles: 0 });
  });

  test("can continue with another e-mail without typing the rest again", async () => {
    const { person: owner } = await signedUp();
    const { browser, person, mail } = await signingUp({ email: owner.email });
    await prove(browser, mail.code);
    const { name, username, birthDate, termsVersion } = person;
    expect(await (await browser.get(PROFILE)).json()).toMatchObject({
      asksEmail: true,
      values: { name, username, birthDate, termsVersion, email: "" },
    });
    expect(
      location(
        await browser.post(PROFILE, {
          name,
          username,
          birthDate,
          termsVersion,
          email: owner.email,
        }),
      ),
    ).toBe(TAKEN);
    const { email } = signUpFields();
    expect(
      location(await browser.post(PROFILE, { name, username, birthDate, termsVersion, email })),
    ).toBe(CODE);
    expect(location(await prove(browser, mail.code === "000000" ? "000001" : "000000"))).toBeNull();
    expect(location(await prove(browser, (await mailTo(email)).code))).toBe("/");
    expect(
      (await accountBrowser().post("/auth/login", { identifier: email, password: person.password }))
        .status,
    ).toBe(302);
  });

  test("started by two people at once creates one account, and the other reads why", async () => {
    const one = await signingUp();
    const other = await signingUp({ email: one.person.email.toUpperCase() });
    await mailTo(one.person.email, 2);
    const mails = await mailsTo(one.person.email);
    const codes = mails.map(({ body }) => /\b\d{6}\b/.exec(body)?.[0] ?? "");
    const theirs = codes.find((code) => code !== one.mail.code) ?? one.mail.code;
    const answers = await Promise.all([
      prove(one.browser, one.mail.code),
      prove(other.browser, theirs),
    ]);
    expect(answers.map(location).toSorted()).toEqual(["/", TAKEN]);
    const loser = location(answers[0] ?? new Response()) === TAKEN ? one : other;
    expect(await (await loser.browser.get(TAKEN)).json()).toMatchObject({
      email: one.person.email,
    });
    expect((await db.select().from(people).where(eq(people.email, one.person.email))).length).toBe(
      1,
    );
  });
});

describe("username of a registration", () => {
  test("that is taken is refused at once, in upper and lower case, and no e-mail is sent", async () => {
    const { person: owner } = await signedUp();
    const person = { ...signUpFields(), username: owner.username.toUpperCase() };
    expect(await refusalIn(await accountBrowser().post("/auth/register", person))).toBe(
      "409 Este nome de usuário já está em uso. Escolha outro.",
    );
    expect(await mailsTo(person.email)).toEqual([]);
  });

  test("taken meanwhile is reported after the code, and only the username is asked again", async () => {
    const one = await signingUp();
    const other = await signingUp({ username: one.person.username });
    const answers = await Promise.all([
      prove(one.browser, one.mail.code),
      prove(other.browser, other.mail.code),
    ]);
    expect(answers.map(location).toSorted()).toEqual(["/", PROFILE]);
    const loser = location(answers[0] ?? new Response()) === "/" ? other : one;
    const winner = loser === one ? other : one;
    expect(await usernameOf(winner.browser)).toBe(one.person.username);
    expect(await madeOf(loser.person)).toEqual({ users: 1, people: 0, profiles: 1, emails: 0 });
    const { name, birthDate, termsVersion } = loser.person;
    const page = await (await loser.browser.get(PROFILE)).json();
    expect(page).toMatchObject({
      asksEmail: false,
      email: loser.person.email,
      values: { name, username: one.person.username, birthDate, termsVersion },
      errors: { username: "Este nome de usuário já está em uso. Escolha outro." },
    });
    const username = `${one.person.username}-2`;
    expect(
      location(await loser.browser.post(PROFILE, { name, username, birthDate, termsVersion })),
    ).toBe("/");
    expect(await usernameOf(loser.browser)).toBe(username);
    expect(
      (
        await accountBrowser().post("/auth/login", {
          identifier: username,
          password: loser.person.password,
        })
      ).status,
    ).toBe(302);
  });
});

describe("registration form refuses beside its field", () => {
  const fifteen = `31/12/${testClock.date().getFullYear() - 15}`;
  test.each([
    ["name", "", "Campo obrigatório"],
    ["username", "", "Campo obrigatório"],
    ["username", "ab", "3 a 256"],
    ["username", "a".repeat(257), "3 a 256"],
    ["username", "joão", "sem acento"],
    ["username", "ana maria", "sem acento"],
    ["username", "-ana-", "Comece e termine"],
    ["username", "admin", "não está disponível"],
    ["username", "API", "não está disponível"],
    ["username", "sandbox", "não está disponível"],
    ["username", "c0reto", "não está disponível"],
    ["username", "su.porte", "não está disponível"],
    ["username", "аna", "sem acento"],
    ["username", "ｃoreto", "sem acento"],
    ["username", "adm\u0131n", "sem acento"],
    ["username", "ana\u200Dlira", "sem acento"],
    ["username", "ana\u202Elira", "sem acento"],
    ["username", "paypaⅼ", "sem acento"],
    ["username", "KELVIN\u212A", "sem acento"],
    ["email", "", "Campo obrigatório"],
    ["email", "ana", "Identificador inválido."],
    ["email", "ana@", "Identificador inválido."],
    ["password", "", "Campo obrigatório"],
    ["password", "1234567", "curta demais"],
    ["password", "é".repeat(129), "longa demais"],
    ["password", "aaaaaaaaaa", "A senha é fraca."],
    ["password", "Flamengo10", "listas de senhas vazadas"],
    ["birthDate", "", "data de nascimento"],
    ["birthDate", "31/02/1990", "31/02/1990 não existe"],
    ["birthDate", "29/02/2001", "29/02/2001 não existe"],
    ["birthDate", "1/1/1899", "dia/mês/ano"],
    ["birthDate", "01/01/2999", "ainda não chegou"],
    ["birthDate", fifteen, "16 anos"],
    ["termsVersion", "", "aceitar os termos"],
    ["termsVersion", "2020-01-01", "Os termos mudaram"],
  ])("%s %j", async (field, value, message) => {
    const { [field]: _left, ...others } = { ...signUpFields() } as Record<string, string>;
    const browser = accountBrowser();
    const answer = await browser.post(
      "/auth/register",
      field === "termsVersion" && value === "" ? others : { ...others, [field]: value },
    );
    expect([400, 403]).toContain(answer.status);
    const problem = (await answer.json()) as {
      errors: Record<string, string>;
      values: Record<string, string>;
    };
    expect(problem.errors[field]).toContain(message);
    expect(problem.values).not.toHaveProperty("password");
    if (field !== "name") expect(problem.values.name).toBe("Lia Souza");
    expect(browser.cookies.has("__Host-coreto-registration")).toBe(false);
  });
});

test("expired registrations are deleted by the next ones", async () => {
  const { person } = await signingUp();
  pass(1_801);
  for (let rounds = 0; rounds < 5; rounds += 1) await signingUp();
  expect(
    await db
      .select()
      .from(authPendingRegistrations)
      .where(eq(authPendingRegistrations.email, person.email)),
  ).toEqual([]);
});

test("a database failure inside the batch creates nothing, and the code can be used again", async () => {
  const { browser, person, mail } = await signingUp();
  await testEnv.DB.exec(
    "CREATE TRIGGER cut_off BEFORE INSERT ON profiles BEGIN SELECT RAISE(ABORT, 'cut off'); END;",
  );
  const answer = await prove(browser, mail.code);
  await testEnv.DB.exec("DROP TRIGGER cut_off;");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    message: expect.stringContaining("Tente de novo em alguns instantes."),
    values: { code: mail.code },
  });
  expect(await madeOf(person)).toEqual(NOTHING);
  expect(
    await db.select().from(authAccounts).where(eq(authAccounts.accountId, person.email)),
  ).toEqual([]);
  expect((await prove(browser, mail.code)).status).toBe(302);
  expect(await madeOf(person)).toEqual(ONE);
});
