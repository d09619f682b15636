import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { authEmails } from "#drizzle/schema/local-contacts.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
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
const EMAILS = "/auth/account/emails";
const PHONES = "/auth/account/phones";
const listed = z.object({
  contacts: z.array(
    z.object({
      id: z.string(),
      address: z.string(),
      shown: z.string(),
      isPrimary: z.boolean(),
      isVerified: z.boolean(),
    }),
  ),
});

const contactsIn = async (browser: AccountBrowser, list: string) =>
  listed.parse(await (await browser.get(list)).json()).contacts;
const addressesIn = async (browser: AccountBrowser, list: string) =>
  (await contactsIn(browser, list)).map(({ address, isPrimary, isVerified }) => [
    address,
    isPrimary,
    isVerified,
  ]);
const signIn = (identifier: string, password: string) =>
  accountBrowser().post("/auth/login", { identifier, password });

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

async function confirmed(
  browser: AccountBrowser,
  list: string,
  address: string,
): Promise<{ path: string; id: string }> {
  const { path, id, code } = await typed(browser, list, address);
  expect((await browser.post(`${path}/code`, { code })).headers.get("Location")).toBe(list);
  return { path, id };
}

const another = () => signUpFields().email;
const lettersTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ["e-mail", EMAILS, another, "Um e-mail foi"],
  ["telefone", PHONES, freshPhone, "Um telefone foi"],
])("additional %s", (noun, list, make, letters) => {
  test("signs in only after it is confirmed; the primary e-mail is notified", async () => {
    const { browser, person } = await signedUp();
    const address = make();
    const { path, code } = await typed(browser, list, address);
    expect((await signIn(address, person.password)).status).toBe(401);
    expect(await lettersTo(person.email)).not.toContain(`${letters} adicionado à sua conta`);
    await browser.post(`${path}/code`, { code });
    expect((await signIn(address, person.password)).status).toBe(302);
    const told = (await mailsTo(person.email)).find(
      ({ subject }) => subject === `${letters} adicionado à sua conta`,
    );
    expect(told?.body).toContain(list);
    expect(told?.body).toContain("Se não foi você, crie uma nova senha agora");
  });

  test("confirmed by two accounts at once belongs to one, and the other reads why", async () => {
    const [one, other] = [await signedUp(), await signedUp()];
    const address = make();
    const ones = await typed(one.browser, list, address);
    const others = await typed(other.browser, list, address);
    const answers = await Promise.all([
      one.browser.post(`${ones.path}/code`, { code: ones.code }),
      other.browser.post(`${others.path}/code`, { code: others.code }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && (await refusalIn(refused))).toBe(
      `409 Este ${noun} já está em uso. ${noun === "e-mail" ? "Entre na sua conta ou use outro." : "Use outro."}`,
    );
    const winner = answers[0]?.status === 302 ? one : other;
    const entered = accountBrowser();
    await entered.post("/auth/login", { identifier: address, password: winner.person.password });
    expect(await usernameOf(entered)).toBe(winner.person.username);
  });

  test("of another account is reported as taken only after the right code", async () => {
    const [owner, other] = [await signedUp(), await signedUp()];
    const address = make();
    await confirmed(owner.browser, list, address);
    const { path, code } = await typed(other.browser, list, address);
    expect(
      await refusalIn(await other.browser.post(`${path}/code`, { code: codeOtherThan(code) })),
    ).toBe("400 Código incorreto");
    expect(await refusalIn(await other.browser.post(`${path}/code`, { code }))).toContain(
      `409 Este ${noun} já está em uso.`,
    );
  });

  test("is refused when already confirmed here, and gets a new code while it is not", async () => {
    const { browser } = await signedUp();
    const address = make();
    const field = list === EMAILS ? "email" : "phone";
    const { path, code } = await typed(browser, list, address);
    pass(31);
    expect((await browser.post(list, { [field]: address })).headers.get("Location")).toBe(
      `${path}/code`,
    );
    vi.useRealTimers();
    expect((await contactsIn(browser, list)).filter((own) => own.address === address)).toHaveLength(
      1,
    );
    expect((await browser.post(`${path}/code`, { code })).status).toBe(400);
    pass(32);
    const latest = list === EMAILS ? await mailTo(address, 2) : await textTo(address, 2);
    expect((await browser.post(`${path}/code`, { code: latest.code })).status).toBe(302);
    expect(await refusalIn(await browser.post(list, { [field]: address }))).toBe(
      `409 Este ${noun} já é da sua conta.`,
    );
  });

  test("is removed with its codes and no longer signs in; the primary e-mail is notified", async () => {
    const { browser, person } = await signedUp();
    await confirmed(browser, list, make());
    const address = make();
    const { path } = await confirmed(browser, list, address);
    const asking = accountBrowser();
    await asking.post("/auth/reset", { identifier: address });
    const { code } = list === EMAILS ? await mailTo(address, 2) : await textTo(address, 2);
    expect((await browser.post(`${path}/removal`)).headers.get("Location")).toBe(list);
    expect((await contactsIn(browser, list)).map((own) => own.address)).not.toContain(address);
    expect((await signIn(address, person.password)).status).toBe(401);
    expect(
      (await asking.post("/auth/reset/code", { code, password: "outra senha bem comprida" }))
        .status,
    ).toBe(409);
    expect(await lettersTo(person.email)).toContain(`${letters} removido da sua conta`);
    expect((await browser.get(`${path}/code`)).status).toBe(404);
    const next = await signedUp();
    await confirmed(next.browser, list, address);
  });

  test("requires recent authentication to become primary or to be removed", async () => {
    const { browser } = await signedUp();
    await confirmed(browser, list, make());
    const { path } = await confirmed(browser, list, make());
    pass(601);
    for (const step of ["primary", "removal"])
      expect((await browser.post(`${path}/${step}`)).headers.get("Location")).toBe(
        `/auth/confirm?to=${path}/${step}`,
      );
    expect(await contactsIn(browser, list)).toHaveLength(list === EMAILS ? 3 : 2);
  });

  test("of another account cannot be changed", async () => {
    const [owner, other] = [await signedUp(), await signedUp()];
    const { path } = await confirmed(owner.browser, list, make());
    for (const step of ["primary", "removal", "code/send"]) {
      expect((await other.browser.get(`${path}/${step}`)).status).toBe(404);
      expect(await refusalIn(await other.browser.post(`${path}/${step}`))).toBe(
        `404 Este ${noun} não está na sua conta.`,
      );
    }
  });

  test("must be confirmed before it becomes primary", async () => {
    const { browser, person } = await signedUp();
    const { path } = await typed(browser, list, make());
    expect((await browser.get(`${path}/primary`)).headers.get("Location")).toBe(list);
    expect(await refusalIn(await browser.post(`${path}/primary`))).toBe(
      `409 Confirme este ${noun} antes de torná-lo o principal.`,
    );
    expect(
      (await db.select().from(authUsers).where(eq(authUsers.email, person.email))).length,
    ).toBe(1);
  });
});

describe("the primary e-mail", () => {
  test("changes everywhere at once; the former one stays in the account and is notified", async () => {
    const { browser, person } = await signedUp();
    const email = another();
    const { path } = await confirmed(browser, EMAILS, email);
    expect((await browser.post(`${path}/primary`)).headers.get("Location")).toBe(EMAILS);
    expect(await addressesIn(browser, EMAILS)).toEqual([
      [email, true, true],
      [person.email, false, true],
    ]);
    expect(await db.select().from(people).where(eq(people.email, email))).toHaveLength(1);
    expect(await db.select().from(authUsers).where(eq(authUsers.email, email))).toMatchObject([
      { emailVerified: true, username: person.username },
    ]);
    const told = (await mailsTo(person.email)).find(
      ({ subject }) => subject === "O e-mail principal da sua conta mudou",
    );
    expect(told?.body).toContain(email);
    for (const identifier of [email, person.email])
      expect((await signIn(identifier, person.password)).status).toBe(302);
  });

  test("cannot be removed, alone or beside others", async () => {
    const { browser } = await signedUp();
    const [only] = await contactsIn(browser, EMAILS);
    expect((await browser.get(`${EMAILS}/${only?.id}/removal`)).headers.get("Location")).toBe(
      EMAILS,
    );
    expect(await refusalIn(await browser.post(`${EMAILS}/${only?.id}/removal`))).toBe(
      "409 Este é o e-mail principal. Torne outro o principal antes de remover este.",
    );
    await confirmed(browser, EMAILS, another());
    expect((await browser.post(`${EMAILS}/${only?.id}/removal`)).status).toBe(409);
    expect(await contactsIn(browser, EMAILS)).toHaveLength(2);
  });

  test("stays exactly one when two become primary and one is removed at the same time", async () => {
    const { browser, person } = await signedUp();
    const [one, other] = [
      await confirmed(browser, EMAILS, another()),
      await confirmed(browser, EMAILS, another()),
    ];
    await Promise.all([
      browser.post(`${one.path}/primary`),
      browser.post(`${other.path}/primary`),
      browser.post(`${one.path}/removal`),
    ]);
    const own = await db
      .select()
      .from(authEmails)
      .where(eq(authEmails.userId, (await userOf(person.username)).id));
    expect(own.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
    expect((await userOf(person.username)).email).toBe(
      own.find(({ isPrimary }) => isPrimary)?.address,
    );
    expect(
      await db
        .select()
        .from(people)
        .where(eq(people.email, (await userOf(person.username)).email)),
    ).toHaveLength(1);
  });
});

describe("the primary phone", () => {
  test("is the first one confirmed; a change of it is notified by e-mail", async () => {
    const { browser, person } = await signedUp();
    const [one, other] = [freshPhone(), freshPhone()];
    await confirmed(browser, PHONES, one);
    const { path } = await confirmed(browser, PHONES, other);
    expect(await addressesIn(browser, PHONES)).toEqual([
      [one, true, true],
      [other, false, true],
    ]);
    expect((await browser.post(`${path}/primary`)).headers.get("Location")).toBe(PHONES);
    expect(await addressesIn(browser, PHONES)).toEqual([
      [other, true, true],
      [one, false, true],
    ]);
    expect(await lettersTo(person.email)).toContain("O telefone principal da sua conta mudou");
  });

  test("cannot be removed while there is another, and can as the last one", async () => {
    const { browser } = await signedUp();
    const [first, second] = [
      await confirmed(browser, PHONES, freshPhone()),
      await confirmed(browser, PHONES, freshPhone()),
    ];
    expect(await refusalIn(await browser.post(`${first.path}/removal`))).toBe(
      "409 Este é o telefone principal. Torne outro o principal antes de remover este.",
    );
    expect((await browser.post(`${second.path}/removal`)).status).toBe(302);
    expect((await browser.post(`${first.path}/removal`)).status).toBe(302);
    expect(await contactsIn(browser, PHONES)).toEqual([]);
  });
});

describe("typed phone number", () => {
  test.each([
    ["", "400 Campo obrigatório"],
    [
      "telefone",
      "400 Digite um telefone com DDD, como (11) 91234-5678. De outro país, comece com + e o código dele.",
    ],
    [
      "91234-5678",
      "400 Este telefone não existe. Confira o DDD e os números; de outro país, comece com + e o código dele.",
    ],
    ["(11) 3123-4567", "400 Este telefone não recebe mensagens. Use um celular."],
  ])("%j is refused beside the field, and the typed value stays", async (phone, why) => {
    const { browser } = await signedUp();
    const answer = await browser.post(PHONES, { phone });
    const problem = z
      .object({ errors: z.object({ phone: z.string() }), values: z.object({ phone: z.string() }) })
      .parse(await answer.json());
    expect(`${answer.status} ${problem.errors.phone}`).toBe(why);
    expect(problem.values.phone).toBe(phone);
  });

  test("in Brazilian format is stored with its country code and shown formatted", async () => {
    const { browser } = await signedUp();
    const phone = freshPhone();
    const written = `(${phone.slice(3, 5)}) ${phone.slice(5, 10)}-${phone.slice(10)}`;
    await browser.post(PHONES, { phone: written });
    expect(await contactsIn(browser, PHONES)).toMatchObject([
      { address: phone, shown: `+55 ${written}`, isVerified: false },
    ]);
    expect((await textTo(phone)).body).toMatch(
      /^Coreto: \d{6} é o seu código para confirmar este telefone\. Vale por 10 minutos\./,
    );
  });
});

test("former paths of the e-mail page redirect to the current one", async () => {
  const { browser } = await signedUp();
  for (const old of ["/auth/account/email", "/auth/verify"])
    expect((await browser.get(old)).headers.get("Location")).toBe(EMAILS);
});

test.each(["/auth/account/wallets/1/code", "/auth/account/toString/1/primary"])(
  "%s is not found",
  async (path) => {
    const { browser } = await signedUp();
    expect((await browser.get(path)).status).toBe(404);
  },
);

async function userOf(username: string): Promise<{ id: string; email: string }> {
  const user = await db.select().from(authUsers).where(eq(authUsers.username, username)).get();
  if (!user) throw new Error("no such user");
  return user;
}
