import { like, sql } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  accountBrowser,
  mailsTo,
  mailTo,
  codeOtherThan,
  refusalIn,
  signedUp,
  usernameOf,
} from "#tests/support/account-browser.ts";
import { openDatabase } from "#app/db/client.server.ts";
import { pushDevices } from "#drizzle/schema/notifications.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { testClock } from "#tests/support/clock.ts";
import { signUpFields } from "#tests/support/call-route.ts";

const NEW_PASSWORD = "outra senha bem comprida";
const signIn = (identifier: string, password: string) =>
  accountBrowser().post("/auth/login", { identifier, password });

/** Moves the wall clock, on which sessions, codes and links expire. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a member who asked for a reset in a browser where they are not signed in. */
async function forgetful() {
  const { browser: elsewhere, person } = await signedUp();
  const browser = accountBrowser();
  const asked = await browser.post("/auth/reset", { identifier: person.email.toUpperCase() });
  return { elsewhere, person, browser, asked, mail: await mailTo(person.email) };
}

describe("password reset", () => {
  test("with the code sets a new password and ends the old one and every session", async () => {
    const { elsewhere, person, browser, asked, mail } = await forgetful();
    expect(asked.headers.get("Location")).toBe("/auth/reset/code");
    expect(await (await browser.get("/auth/reset/code")).json()).toEqual({
      identifier: person.email,
    });
    const answer = await browser.post("/auth/reset/code", {
      code: mail.code,
      password: NEW_PASSWORD,
    });
    expect(answer.headers.get("Location")).toBe("/auth/login");
    expect((await signIn(person.email, person.password)).status).toBe(401);
    expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(302);
    pass(60);
    expect(await usernameOf(elsewhere)).toBeNull();
    expect((await mailTo(person.email, 2)).subject).toBe("A sua senha mudou");
  });

  test("ends the pushes to each browser that was signed in", async () => {
    const { person, browser, mail } = await forgetful();
    const db = openDatabase(testEnv.DB);
    const sessions = sql`SELECT s.id FROM auth_sessions s JOIN people p ON p.provider_user_id = s.user_id WHERE p.email = ${person.email}`;
    await db.run(
      sql`INSERT INTO push_devices (id, person_id, endpoint, p256dh, auth, label, created_at, session_id) SELECT 'device:' || own.id, 'p', 'https://push.example.net/' || own.id, 'k', 'a', '', 1, own.id FROM (${sessions}) own`,
    );
    const devices = () => db.$count(pushDevices, like(pushDevices.id, "device:%"));
    expect(await devices()).toBe(1);
    await browser.post("/auth/reset/code", { code: mail.code, password: NEW_PASSWORD });
    expect(await devices()).toBe(0);
  });

  test("with the link works only in the browser that asked", async () => {
    const { person, browser, mail } = await forgetful();
    const stranger = accountBrowser();
    expect(await (await stranger.get(mail.path)).json()).toEqual({ outcome: "client-mismatch" });
    expect(await refusalIn(await stranger.post(mail.path, { password: NEW_PASSWORD }))).toBe(
      "403 Abra o link no mesmo navegador em que você o pediu.",
    );
    expect(await (await browser.get(mail.path)).json()).toEqual({ outcome: "ready" });
    expect(
      (await browser.post(mail.path, { password: NEW_PASSWORD })).headers.get("Location"),
    ).toBe("/auth/login");
    expect((await signIn(person.username, NEW_PASSWORD)).status).toBe(302);
  });

  test("accepts either code or link, once", async () => {
    const { person, browser, mail } = await forgetful();
    await browser.post(mail.path, { password: NEW_PASSWORD });
    expect(
      await refusalIn(
        await browser.post("/auth/reset/code", { code: mail.code, password: "uma terceira senha" }),
      ),
    ).toBe("409 Este código já foi usado. Peça um novo.");
    expect((await browser.post(mail.path, { password: "uma terceira senha" })).status).toBe(409);
    expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(302);
  });

  test("does not use up the code when the new password is refused", async () => {
    const { browser, mail } = await forgetful();
    expect(
      (await browser.post("/auth/reset/code", { code: mail.code, password: "curta" })).status,
    ).toBe(400);
    expect(
      await refusalIn(
        await browser.post("/auth/reset/code", { code: mail.code, password: "senha1234" }),
      ),
    ).toContain("listas de senhas vazadas");
    expect(
      (await browser.post("/auth/reset/code", { code: mail.code, password: NEW_PASSWORD })).status,
    ).toBe(302);
  });

  test("ends after five wrong codes or ten minutes", async () => {
    const { person, browser, mail } = await forgetful();
    for (let tries = 0; tries < 5; tries += 1)
      expect(
        (
          await browser.post("/auth/reset/code", {
            code: codeOtherThan(mail.code),
            password: NEW_PASSWORD,
          })
        ).status,
      ).toBe(400);
    expect(
      (await browser.post("/auth/reset/code", { code: mail.code, password: NEW_PASSWORD })).status,
    ).toBe(429);
    pass(601);
    expect(
      await refusalIn(
        await browser.post("/auth/reset/code", { code: mail.code, password: NEW_PASSWORD }),
      ),
    ).toBe("409 Esta verificação expirou. Você deve criar uma nova.");
    expect(await (await browser.get(mail.path)).json()).toEqual({ outcome: "expired" });
    expect((await signIn(person.email, person.password)).status).toBe(302);
  });

  test("accepts no code in another browser", async () => {
    const { mail } = await forgetful();
    const stranger = accountBrowser();
    expect((await stranger.get("/auth/reset/code")).headers.get("Location")).toBe("/auth/reset");
    expect(
      await refusalIn(
        await stranger.post("/auth/reset/code", { code: mail.code, password: NEW_PASSWORD }),
      ),
    ).toBe("409 É preciso enviar um código antes de verificar.");
  });
});

describe("account enumeration by password reset", () => {
  test("answers are the same with and without an account, and no e-mail is sent without one", async () => {
    const { person } = await signedUp();
    const nobody = signUpFields().email;
    const [known, unknown] = [accountBrowser(), accountBrowser()];
    const told = async (browser: typeof known, email: string) => {
      const asked = await browser.post("/auth/reset", { identifier: email });
      const again = await browser.post("/auth/reset", { identifier: email });
      const typed = await browser.post("/auth/reset/code", { code: "", password: NEW_PASSWORD });
      return [
        asked.status,
        asked.headers.get("Location"),
        await refusalIn(again),
        await refusalIn(typed),
      ]
        .join()
        .replace(/\d+ segundos/, "segundos");
    };
    expect(await told(known, person.email)).toBe(await told(unknown, nobody));
    const wrong = codeOtherThan((await mailTo(person.email)).code);
    expect(
      await refusalIn(
        await unknown.post("/auth/reset/code", { code: wrong, password: NEW_PASSWORD }),
      ),
    ).toBe("400 Código incorreto");
    expect(
      await refusalIn(
        await known.post("/auth/reset/code", { code: wrong, password: NEW_PASSWORD }),
      ),
    ).toBe("400 Código incorreto");
    expect(await mailsTo(nobody)).toEqual([]);
  });
});

describe("password change", () => {
  test("requires the current password, ends the other sessions and keeps this one", async () => {
    const { browser, person } = await signedUp();
    const elsewhere = accountBrowser();
    await elsewhere.post("/auth/login", { identifier: person.email, password: person.password });
    const fields = {
      currentPassword: person.password,
      password: NEW_PASSWORD,
      repeatedPassword: NEW_PASSWORD,
    };
    expect(
      await refusalIn(
        await browser.post("/auth/account/password", { ...fields, currentPassword: "não é esta" }),
      ),
    ).toBe("400 Senha incorreta.");
    expect(
      await refusalIn(
        await browser.post("/auth/account/password", { ...fields, repeatedPassword: "diferente" }),
      ),
    ).toBe("400 As duas senhas não são iguais.");
    expect(
      await refusalIn(
        await browser.post("/auth/account/password", {
          ...fields,
          password: "senha1234",
          repeatedPassword: "senha1234",
        }),
      ),
    ).toContain("listas de senhas vazadas");
    expect((await browser.post("/auth/account/password", fields)).headers.get("Location")).toBe(
      "/auth/account",
    );
    expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(302);
    expect((await mailTo(person.email)).subject).toBe("A sua senha mudou");
    pass(60);
    expect(await usernameOf(elsewhere)).toBeNull();
    expect(await usernameOf(browser)).toBe(person.username);
  });

  test("is refused after ten wrong guesses in an open session", async () => {
    const { browser, person } = await signedUp();
    for (let tries = 0; tries < 10; tries += 1)
      expect(
        (await browser.post("/auth/confirm", { currentPassword: "errada demais" })).status,
      ).toBe(400);
    expect((await browser.post("/auth/confirm", { currentPassword: person.password })).status).toBe(
      429,
    );
  });
});

describe("list of open sessions", () => {
  const sessionsOf = async (browser: ReturnType<typeof accountBrowser>) =>
    (
      (await (await browser.get("/auth/account")).json()) as {
        sessions: { id: string; isCurrent: boolean }[];
      }
    ).sessions;

  test("one is ended from the list within a minute, and the others stay", async () => {
    const { browser, person } = await signedUp();
    const [lost, kept] = [accountBrowser(), accountBrowser()];
    await lost.post("/auth/login", { identifier: person.email, password: person.password });
    const lostId = (await sessionsOf(lost)).find(({ isCurrent }) => isCurrent)?.id ?? "";
    await kept.post("/auth/login", { identifier: person.email, password: person.password });
    expect((await browser.get(`/auth/account/sessions/${lostId}/end`)).status).toBe(200);
    expect(
      (await browser.post(`/auth/account/sessions/${lostId}/end`)).headers.get("Location"),
    ).toBe("/auth/account");
    expect((await sessionsOf(browser)).map(({ id }) => id)).not.toContain(lostId);
    pass(60);
    expect(await usernameOf(lost)).toBeNull();
    expect(await usernameOf(kept)).toBe(person.username);
    expect((await browser.get(`/auth/account/sessions/${lostId}/end`)).status).toBe(404);
  });

  test("the current one is ended by signing out", async () => {
    const { browser } = await signedUp();
    const [own] = await sessionsOf(browser);
    expect(
      (await browser.get(`/auth/account/sessions/${own?.id}/end`)).headers.get("Location"),
    ).toBe("/auth/logout");
  });

  test("another member's cannot be ended", async () => {
    const [one, other] = [await signedUp(), await signedUp()];
    const [theirs] = await sessionsOf(other.browser);
    await one.browser.post(`/auth/account/sessions/${theirs?.id}/end`);
    pass(60);
    expect(await usernameOf(other.browser)).toBe(other.person.username);
  });
});
