import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { accountBrowser, mailsTo, mailTo, otherThan, refusalIn, signedUp, usernameOf } from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { newcomer } from "#tests/support/door.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const isVerified = async (email: string) => (await db.select().from(authUsers).where(eq(authUsers.email, email)).get())?.emailVerified;
const outcomeOf = async (answer: Response) => ((await answer.json()) as { outcome: string }).outcome;
const send = (browser: AccountBrowser) => browser.post("/auth/verify/send");

/** Codes and links live on the wall clock. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a new address", () => {
  test("gets a code at sign-up, and is confirmed by it", async () => {
    const { browser, person, mail } = await signedUp();
    expect(mail.subject).toContain(mail.code);
    expect(await isVerified(person.email)).toBe(false);
    const answer = await browser.post("/auth/verify", { code: ` ${mail.code.slice(0, 3)} ${mail.code.slice(3)} ` });
    expect(answer.headers.get("Location")).toBe("/auth/account");
    expect(await isVerified(person.email)).toBe(true);
    expect((await browser.get("/auth/verify")).headers.get("Location")).toBe("/auth/account");
    expect(await refusalIn(await send(browser))).toBe("409 Este e-mail já está confirmado.");
  });

  test("a wrong code is refused, and the right one afterwards is not", async () => {
    const { browser, person, mail } = await signedUp();
    expect(await refusalIn(await browser.post("/auth/verify", { code: otherThan(mail.code) }))).toBe("400 Código incorreto");
    expect(await refusalIn(await browser.post("/auth/verify", { code: "" }))).toBe("400 Campo obrigatório");
    expect((await browser.post("/auth/verify", { code: mail.code })).status).toBe(302);
    expect(await isVerified(person.email)).toBe(true);
  });

  test("after five wrong codes not even the right one passes", async () => {
    const { browser, person, mail } = await signedUp();
    for (let tries = 0; tries < 5; tries += 1) expect((await browser.post("/auth/verify", { code: otherThan(mail.code) })).status).toBe(400);
    expect(await refusalIn(await browser.post("/auth/verify", { code: mail.code }))).toBe("429 Tentativas demais sem acertar. Tente de novo com o mesmo método ou com outro.");
    expect(await isVerified(person.email)).toBe(false);
  });

  test("guesses at the same moment are all counted", async () => {
    const { browser, mail } = await signedUp();
    const answers = await Promise.all(Array.from({ length: 9 }, () => browser.post("/auth/verify", { code: otherThan(mail.code) })));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  test("a code is good once, even for two clicks", async () => {
    const { browser, mail } = await signedUp();
    const answers = await Promise.all([1, 2].map(() => browser.post("/auth/verify", { code: mail.code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    expect(await refusalIn(await browser.post("/auth/verify", { code: mail.code }))).toBe("409 Este código já foi usado. Peça um novo.");
  });

  test("it lives ten minutes and no moment longer", async () => {
    const { browser, mail } = await signedUp();
    pass(601);
    expect(await refusalIn(await browser.post("/auth/verify", { code: mail.code }))).toBe("409 Esta verificação expirou. Você deve criar uma nova.");
  });

  test("another is sent after half a minute, and only the newest counts", async () => {
    const { browser, person, mail } = await signedUp();
    expect(await refusalIn(await send(browser))).toMatch(/^429 Acabamos de enviar\. Espere (29|30) segundos/);
    pass(31);
    const both = await Promise.all([send(browser), send(browser)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([302, 429]);
    const newer = await mailTo(person.email, 2);
    expect(await mailsTo(person.email)).toHaveLength(2);
    if (newer.code !== mail.code) expect((await browser.post("/auth/verify", { code: mail.code })).status).toBe(400);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("failed");
    expect((await browser.post("/auth/verify", { code: newer.code })).status).toBe(302);
  });

  test("one person's code is nothing to another", async () => {
    const [one, other] = [await signedUp(), await signedUp()];
    if (one.mail.code !== other.mail.code) expect((await other.browser.post("/auth/verify", { code: one.mail.code })).status).toBe(400);
    expect(await isVerified(other.person.email)).toBe(false);
  });
});

describe("the link", () => {
  test("asks first, and then confirms", async () => {
    const { browser, person, mail } = await signedUp();
    expect(await outcomeOf(await browser.get(mail.path))).toBe("ready");
    expect(await isVerified(person.email)).toBe(false);
    expect(await outcomeOf(await browser.post(mail.path))).toBe("verified");
    expect(await isVerified(person.email)).toBe(true);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("verified");
  });

  test("opens only in the browser that asked for it", async () => {
    const { person, mail } = await signedUp();
    for (const stranger of [accountBrowser(), (await signedUp()).browser]) {
      expect(await outcomeOf(await stranger.get(mail.path))).toBe("client-mismatch");
      expect(await outcomeOf(await stranger.post(mail.path))).toBe("client-mismatch");
    }
    expect(await isVerified(person.email)).toBe(false);
  });

  test("expires, and one that nobody sent fails", async () => {
    const { browser, mail } = await signedUp();
    expect(await outcomeOf(await browser.get(`/auth/verify/${"0".repeat(64)}`))).toBe("failed");
    pass(601);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("expired");
  });
});

describe("another address", () => {
  const NEW_PLACE = () => newcomer().email;

  test("takes the old one's place once its code is typed, and the old one is told", async () => {
    const { browser, person } = await signedUp();
    const email = NEW_PLACE();
    expect((await browser.post("/auth/account/email", { email })).headers.get("Location")).toBe("/auth/verify");
    expect(await (await browser.get("/auth/account")).json()).toMatchObject({ signIn: { email: person.email, newEmail: email } });
    expect((await browser.post("/auth/verify", { code: (await mailTo(email)).code })).status).toBe(302);
    expect(await (await browser.get("/auth/account")).json()).toMatchObject({ signIn: { email, newEmail: null, isEmailVerified: true } });
    expect(await db.select().from(people).where(eq(people.email, email))).toHaveLength(1);
    expect((await mailTo(person.email, 2)).body).toContain(email);
    const again = accountBrowser();
    expect((await again.post("/auth/login", { identifier: email, password: person.password })).status).toBe(302);
    expect((await accountBrowser().post("/auth/login", { identifier: person.email, password: person.password })).status).toBe(401);
    expect(await usernameOf(again)).toBe(person.username);
  });

  test("is told to be taken only after its code", async () => {
    const { browser } = await signedUp();
    const owner = await signedUp();
    expect((await browser.post("/auth/account/email", { email: owner.person.email })).headers.get("Location")).toBe("/auth/verify");
    const { code } = await mailTo(owner.person.email, 2);
    expect(await refusalIn(await browser.post("/auth/verify", { code }))).toBe("409 Este e-mail já está em uso. Entre na sua conta ou use outro.");
    expect(await usernameOf(owner.browser)).toBe(owner.person.username);
  });

  test("is asked for with a fresh sign-in only, which typing the password gives", async () => {
    const { browser, person } = await signedUp();
    pass(601);
    const confirmFirst = "/auth/confirm?to=/auth/account/email";
    expect((await browser.get("/auth/account/email")).headers.get("Location")).toBe(confirmFirst);
    expect((await browser.post("/auth/account/email", { email: NEW_PLACE() })).headers.get("Location")).toBe(confirmFirst);
    expect(await refusalIn(await browser.post(confirmFirst, { currentPassword: "outra qualquer" }))).toBe("400 Senha incorreta.");
    expect((await browser.post(confirmFirst, { currentPassword: person.password })).headers.get("Location")).toBe("/auth/account/email");
    expect((await browser.get("/auth/account/email")).status).toBe(200);
  });

  test.each([
    ["the Pix key that money goes to", "/settings/withdrawal-method", { pixKey: "outra@exemplo.test" }],
    ["a key for programs", "/auth/account/keys/create", { name: "Meu robô", lifetime: "30d", scopes: "posts:read" }],
  ])("so is %s", async (_, path, fields) => {
    const { browser, person } = await signedUp();
    const sentToConfirm = async () => (await browser.post(path, fields)).headers.get("Location") === `/auth/confirm?to=${path}`;
    expect(await sentToConfirm()).toBe(false);
    pass(601);
    expect(await sentToConfirm()).toBe(true);
    await browser.post(`/auth/confirm?to=${path}`, { currentPassword: person.password });
    expect(await sentToConfirm()).toBe(false);
  });

  test("the same address is no change", async () => {
    const { browser, person } = await signedUp();
    expect(await refusalIn(await browser.post("/auth/account/email", { email: person.email.toUpperCase() }))).toBe("400 Este já é o e-mail da sua conta.");
  });

  test("the confirmation leads to own pages only", async () => {
    const { browser, person } = await signedUp();
    const answer = await browser.post("/auth/confirm?to=//evil.test", { currentPassword: person.password });
    expect(answer.headers.get("Location")).toBe("/auth/account");
  });
});

describe("signing up with somebody's address", () => {
  test("tells its owner, once, without a code", async () => {
    const { person } = await signedUp();
    for (let tries = 0; tries < 2; tries += 1) expect((await accountBrowser().post("/auth/register", { ...newcomer(), email: person.email })).status).toBe(409);
    const told = await mailTo(person.email, 2);
    expect(told.subject).toBe("Você já tem uma conta no Coreto");
    expect(told.code).toBe("");
    expect(await mailsTo(person.email)).toHaveLength(2);
  });

  test("a password that is tried first is refused", async () => {
    expect(await refusalIn(await accountBrowser().post("/auth/register", { ...newcomer(), password: "Flamengo10" }))).toContain("listas de senhas vazadas");
    expect(await refusalIn(await accountBrowser().post("/auth/register", { ...newcomer(), password: "aaaaaaaaaa" }))).toContain("A senha é fraca.");
  });
});
