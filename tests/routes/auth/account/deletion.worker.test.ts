import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { DAY_MS, formatDay } from "#app/domain/time.ts";
import { authAccounts, authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  accountBrowser,
  mailsTo,
  refusalIn,
  signedUp,
  usernameOf,
} from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const HERE = "/auth/account/deletion";
const PHRASE = { phrase: "excluir minha conta" };
const db = openDatabase(testEnv.DB);

afterEach(() => {
  vi.useRealTimers();
});

type Page = {
  asked: { dueDay: string; mayStay: boolean; reasons: string[] } | null;
  offer: { dueDay: string; figures: { refundToThemCents: number }; waits: string[] } | null;
};
const pageOf = async (browser: ReturnType<typeof accountBrowser>): Promise<Page> =>
  (await browser.get(HERE)).json();
const viewerOf = async (browser: ReturnType<typeof accountBrowser>) =>
  (await (await browser.get("/who")).json()) as { id: string; leavingAt: number | null } | null;
const signIn = async (identifier: string, password: string) => {
  const browser = accountBrowser();
  return { browser, answer: await browser.post("/auth/login", { identifier, password }) };
};

describe("account deletion request", () => {
  test("requires recent authentication, to read the page and to request", async () => {
    const { browser, person } = await signedUp();
    expect((await browser.get(HERE)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + 601_000 });
    expect((await browser.get(HERE)).headers.get("Location")).toBe(`/auth/confirm?to=${HERE}`);
    expect((await browser.post(HERE, PHRASE)).headers.get("Location")).toBe(
      `/auth/confirm?to=${HERE}`,
    );
    expect(
      (
        await browser.post(`/auth/confirm?to=${HERE}`, { currentPassword: person.password })
      ).headers.get("Location"),
    ).toBe(HERE);
    expect((await pageOf(browser)).offer).not.toBeNull();
    expect((await viewerOf(browser))?.leavingAt).toBeNull();
  });

  test("requires the phrase, and the typed text stays", async () => {
    const { browser } = await signedUp();
    const answer = await browser.post(HERE, { phrase: "excluir a conta" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: { phrase: "Digite exatamente: excluir minha conta" },
      values: { phrase: "excluir a conta" },
    });
    expect((await viewerOf(browser))?.leavingAt).toBeNull();
  });

  test("shows the deletion day, sends an e-mail, and refuses a second request", async () => {
    const { browser, person } = await signedUp();
    const { offer } = await pageOf(browser);
    expect(offer?.dueDay).toBe(formatDay(testClock.now() + 30 * DAY_MS));
    expect(
      (await browser.post(HERE, { phrase: " Excluir  minha conta" })).headers.get("Location"),
    ).toBe(HERE);
    const { asked } = await pageOf(browser);
    expect(asked).toMatchObject({ dueDay: offer?.dueDay, mayStay: true });
    expect(await refusalIn(await browser.post(HERE, PHRASE))).toBe(
      "409 A exclusão da sua conta já foi pedida.",
    );
    await settleDeletion(await testContext(), 1);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      `A sua conta será excluída em ${offer?.dueDay}`,
    );
  });
});

describe("cancelling the account deletion", () => {
  test("signing in still works within the grace period, and cancelling keeps the account", async () => {
    const { browser, person } = await signedUp();
    await browser.post(HERE, PHRASE);
    const { browser: elsewhere } = await signIn(person.email, person.password);
    expect((await viewerOf(elsewhere))?.leavingAt).not.toBeNull();
    expect((await elsewhere.get(`${HERE}/cancellation`)).status).toBe(200);
    expect((await elsewhere.post(`${HERE}/cancellation`)).headers.get("Location")).toBe(
      "/auth/account",
    );
    expect((await viewerOf(elsewhere))?.leavingAt).toBeNull();
    expect((await elsewhere.get(`${HERE}/cancellation`)).headers.get("Location")).toBe(
      "/auth/account",
    );
    expect(await refusalIn(await elsewhere.post(`${HERE}/cancellation`))).toBe(
      "409 A sua conta não está sendo excluída.",
    );
  });
});

describe("account after the 30-day grace period", () => {
  async function deleted() {
    const { browser, person } = await signedUp();
    const id = (await viewerOf(browser))?.id ?? "";
    await browser.post(HERE, PHRASE);
    const world = await testContext();
    await world.advance(31 * DAY_MS);
    await settleDeletion(world, 3);
    return { browser, person, id };
  }

  test("its session ends within a minute, and signing in answers as for an unknown account", async () => {
    const { browser, person } = await deleted();
    vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + 61_000 });
    expect(await usernameOf(browser)).toBeNull();
    const never = await signIn("nunca-existiu@exemplo.test", person.password);
    for (const identifier of [person.email, person.username]) {
      const { answer } = await signIn(identifier, person.password);
      expect(await refusalIn(answer)).toBe(await refusalIn(never.answer.clone()));
    }
    const [user] = await db.select().from(authUsers).where(eq(authUsers.email, person.email));
    expect(user).toBeUndefined();
  });

  test("no session, credential or e-mail is left, and its row is anonymous", async () => {
    const { id, person } = await deleted();
    const [row] = await db.select().from(people).where(eq(people.id, id));
    const userId = row?.providerUserId ?? "";
    expect(row?.email).toBe(`${id}@excluida.invalid`);
    expect(await db.select().from(authSessions).where(eq(authSessions.userId, userId))).toEqual([]);
    expect(await db.select().from(authAccounts).where(eq(authAccounts.userId, userId))).toEqual([]);
    const left = await testEnv.DB.prepare("SELECT id FROM auth_emails WHERE email = ?")
      .bind(person.email)
      .all();
    expect(left.results).toEqual([]);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      "A sua conta do Coreto foi excluída",
    );
  });

  test("its e-mail can register a new account, and its username stays reserved", async () => {
    const { id, person } = await deleted();
    const again = await signedUp({ email: person.email });
    const [made] = await db
      .select({ id: people.id })
      .from(people)
      .where(eq(people.email, person.email));
    expect(made?.id).not.toBe(id);
    expect(await usernameOf(again.browser)).toBe(again.person.username);
    const [kept] = await db.select().from(profiles).where(eq(profiles.username, person.username));
    expect(kept).toMatchObject({ personId: id, name: "Conta excluída" });
  });
});
