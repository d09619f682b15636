import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { authEmails } from "#drizzle/schema/local-contacts.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import {
  accountBrowser,
  mailsTo,
  mailTo,
  codeOtherThan,
  refusalIn,
  signedUp,
  memberWithUnverifiedEmail,
} from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const LIST = "/auth/account/emails";

async function isVerified(email: string): Promise<boolean> {
  const row = await db.select().from(authEmails).where(eq(authEmails.address, email)).get();
  return (row?.verifiedAt ?? null) !== null;
}

const outcomeOf = async (answer: Response) =>
  ((await answer.json()) as { outcome: string }).outcome;

/** Adds another e-mail to a new account. Returns it with the e-mail that was sent there. */
async function adding() {
  const { browser, person } = await signedUp();
  const { email } = signUpFields();
  const asked = await browser.post(LIST, { email });
  const path = asked.headers.get("Location") ?? "";
  const type = (code: string) => browser.post(path, { code });
  const send = () => browser.post(`${path}/send`);
  return { browser, person, email, path, asked, type, send, mail: await mailTo(email) };
}

/** Moves the wall clock, on which codes and links expire. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("code for a new e-mail", () => {
  test("verifies it", async () => {
    const { browser, email, path, type, send, mail } = await adding();
    expect(path).toMatch(/^\/auth\/account\/emails\/[0-9a-f]{32}\/code$/);
    expect(mail.subject).toContain(mail.code);
    expect(await isVerified(email)).toBe(false);
    expect(
      (await type(` ${mail.code.slice(0, 3)} ${mail.code.slice(3)} `)).headers.get("Location"),
    ).toBe(LIST);
    expect(await isVerified(email)).toBe(true);
    expect((await browser.get(path)).headers.get("Location")).toBe(LIST);
    expect(await refusalIn(await send())).toBe("409 Este e-mail já está confirmado.");
  });

  test("is refused when wrong, and accepted afterwards", async () => {
    const { email, type, mail } = await adding();
    expect(await refusalIn(await type(codeOtherThan(mail.code)))).toBe("400 Código incorreto");
    expect(await refusalIn(await type(""))).toBe("400 Campo obrigatório");
    expect((await type(mail.code)).status).toBe(302);
    expect(await isVerified(email)).toBe(true);
  });

  test("is refused after five wrong tries", async () => {
    const { email, type, mail } = await adding();
    for (let tries = 0; tries < 5; tries += 1)
      expect((await type(codeOtherThan(mail.code))).status).toBe(400);
    expect(await refusalIn(await type(mail.code))).toBe(
      "429 Tentativas demais sem acertar. Tente de novo com o mesmo método ou com outro.",
    );
    expect(await isVerified(email)).toBe(false);
  });

  test("counts every parallel guess", async () => {
    const { type, mail } = await adding();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => type(codeOtherThan(mail.code))),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  test("is accepted once, also for two clicks", async () => {
    const { type, mail } = await adding();
    const answers = await Promise.all([1, 2].map(() => type(mail.code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    expect(await refusalIn(await type(mail.code))).toBe(
      "409 Este código já foi usado. Peça um novo.",
    );
  });

  test("expires after ten minutes", async () => {
    const { type, mail } = await adding();
    pass(601);
    expect(await refusalIn(await type(mail.code))).toBe(
      "409 Esta verificação expirou. Você deve criar uma nova.",
    );
  });

  test("is sent again after 30 seconds, and only the newest is accepted", async () => {
    const { browser, email, type, send, mail } = await adding();
    expect(await refusalIn(await send())).toMatch(
      /^429 Acabamos de enviar\. Espere (29|30) segundos/,
    );
    pass(31);
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([302, 429]);
    const newer = await mailTo(email, 2);
    expect(await mailsTo(email)).toHaveLength(2);
    if (newer.code !== mail.code) expect((await type(mail.code)).status).toBe(400);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("failed");
    expect((await type(newer.code)).status).toBe(302);
  });

  test("is refused in another account, as is its page", async () => {
    const [one, other] = [await adding(), await adding()];
    if (one.mail.code !== other.mail.code)
      expect((await other.type(one.mail.code)).status).toBe(400);
    expect(await refusalIn(await other.browser.post(one.path, { code: one.mail.code }))).toBe(
      "404 Este e-mail não está na sua conta.",
    );
    expect((await other.browser.get(one.path)).status).toBe(404);
    expect(await isVerified(one.email)).toBe(false);
  });
});

describe("link for a new e-mail", () => {
  test("asks for confirmation, and then verifies", async () => {
    const { browser, email, mail } = await adding();
    expect(await outcomeOf(await browser.get(mail.path))).toBe("ready");
    expect(await isVerified(email)).toBe(false);
    expect(await outcomeOf(await browser.post(mail.path))).toBe("verified");
    expect(await isVerified(email)).toBe(true);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("verified");
  });

  test("works only in the browser that asked for it", async () => {
    const { email, mail } = await adding();
    for (const stranger of [accountBrowser(), (await adding()).browser]) {
      expect(await outcomeOf(await stranger.get(mail.path))).toBe("client-mismatch");
      expect(await outcomeOf(await stranger.post(mail.path))).toBe("client-mismatch");
    }
    expect(await isVerified(email)).toBe(false);
  });

  test("expires after ten minutes, and an unknown one fails", async () => {
    const { browser, mail } = await adding();
    expect(await outcomeOf(await browser.get(`/auth/verify/${"0".repeat(64)}`))).toBe("failed");
    pass(601);
    expect(await outcomeOf(await browser.get(mail.path))).toBe("expired");
  });
});

describe("recent authentication", () => {
  test("is required to add an e-mail, and given by the password", async () => {
    const { browser, person } = await signedUp();
    const confirmFirst = `/auth/confirm?to=${LIST}`;
    pass(601);
    const { email } = signUpFields();
    const refused = await browser.post(LIST, { email });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ link: { to: confirmFirst }, values: { email } });
    expect(await mailsTo(email)).toEqual([]);
    expect(
      await refusalIn(await browser.post(confirmFirst, { currentPassword: "outra qualquer" })),
    ).toBe("400 Senha incorreta.");
    expect(
      (await browser.post(confirmFirst, { currentPassword: person.password })).headers.get(
        "Location",
      ),
    ).toBe(LIST);
    expect((await browser.post(LIST, { email })).headers.get("Location")).toContain("/code");
  });

  test("is required to create an API key", async () => {
    const path = "/auth/account/keys/create";
    const fields = { name: "Meu robô", lifetime: "30d", scopes: "posts:read" };
    const { browser, person } = await signedUp();
    const confirm = `/auth/confirm?to=${path}`;
    expect((await browser.post(path, fields)).status).toBe(200);
    pass(601);
    const refused = await browser.post(path, fields);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      link: { to: confirm },
      values: { name: "Meu robô" },
    });
    expect((await browser.get(path)).headers.get("Location")).toBe(confirm);
    await browser.post(confirm, { currentPassword: person.password });
    expect((await browser.post(path, { ...fields, name: "Outro robô" })).status).toBe(200);
  });

  test("redirects only to pages of this site", async () => {
    const { browser, person } = await signedUp();
    const answer = await browser.post("/auth/confirm?to=//evil.test", {
      currentPassword: person.password,
    });
    expect(answer.headers.get("Location")).toBe("/auth/account");
  });
});

test("an account registered with an unverified e-mail verifies it the same way", async () => {
  const { browser, person, path, mail } = await memberWithUnverifiedEmail();
  expect(await isVerified(person.email)).toBe(false);
  expect((await browser.post(path, { code: mail.code })).headers.get("Location")).toBe(LIST);
  expect(await isVerified(person.email)).toBe(true);
  expect(await db.select().from(authUsers).where(eq(authUsers.email, person.email))).toMatchObject([
    { emailVerified: true },
  ]);
  expect(await mailsTo(person.email)).toHaveLength(1);
});
