import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { requireMember } from "#app/http/require-member.ts";
import { createOTP } from "@better-auth/utils/otp";
import * as keyCreate from "#app/routes/auth/account/api-keys/key-create.tsx";
import * as keyRevocation from "#app/routes/auth/account/api-keys/key-revocation.tsx";
import * as keys from "#app/routes/auth/account/api-keys/keys.tsx";
import * as passkeyOptions from "#app/routes/auth/account/sign-in-methods/passkey-options.ts";
import * as passkeyRemoval from "#app/routes/auth/account/sign-in-methods/passkey-removal.tsx";
import * as passkeys from "#app/routes/auth/account/sign-in-methods/passkeys.tsx";
import * as activation from "#app/routes/auth/account/sign-in-methods/second-factor-activation.tsx";
import * as backupCodes from "#app/routes/auth/account/sign-in-methods/second-factor-backup-codes.tsx";
import * as deactivation from "#app/routes/auth/account/sign-in-methods/second-factor-deactivation.tsx";
import * as secondFactor from "#app/routes/auth/account/sign-in-methods/second-factor.tsx";
import { openDatabase } from "#app/db/client.server.ts";
import { countGuessAt } from "#app/integrations/local-identity/rate-limits.server.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { testClock } from "#tests/support/clock.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import {
  accountBrowser,
  mailsTo,
  mailTo,
  refusalIn,
  signedUp,
  usernameOf,
} from "#tests/support/account-browser.ts";
import { softAuthenticator } from "#tests/support/authenticator.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "#tests/support/call-route.ts";

const members = { middleware: [requireMember as MiddlewareFunction] };
const ask = createRouteCaller([
  { path: "auth/account/keys", module: keys, ...members },
  { path: "auth/account/keys/create", module: keyCreate, ...members },
  { path: "auth/account/keys/:keyId/revocation", module: keyRevocation, ...members },
  { path: "auth/account/passkeys", module: passkeys, ...members },
  { path: "auth/account/passkeys/options", module: passkeyOptions, ...members },
  { path: "auth/account/passkeys/:passkeyId/removal", module: passkeyRemoval, ...members },
  { path: "auth/account/second-factor", module: secondFactor, ...members },
  { path: "auth/account/second-factor/activation", module: activation, ...members },
  { path: "auth/account/second-factor/backup-codes", module: backupCodes, ...members },
  { path: "auth/account/second-factor/deactivation", module: deactivation, ...members },
]);

const db = openDatabase(testEnv.DB);

type Signed = Awaited<ReturnType<typeof signedUp>>;
const cookieOf = ({ browser }: Signed) => ({
  Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
});
const get = async (who: Signed, path: string) =>
  (
    await ask(new Request(`${TEST_ORIGIN}/auth/account/${path}`, { headers: cookieOf(who) }))
  ).json();
const post = (who: Signed, path: string, fields: Record<string, string>) =>
  ask(formRequest(`/auth/account/${path}`, fields, cookieOf(who)));
const subjectsTo = async ({ person }: Signed) =>
  (await mailsTo(person.email)).map(({ subject }) => subject);

async function withPasskey(who: Signed, name: string): Promise<string> {
  const device = await softAuthenticator(TEST_ORIGIN);
  const options = (await (
    await post(who, "passkeys/options", { name, currentPassword: who.person.password })
  ).json()) as { challenge: string };
  expect((await post(who, "passkeys", { name, response: await device.make(options) })).status).toBe(
    302,
  );
  const { passkeys: own } = (await get(who, "passkeys")) as {
    passkeys: { id: string; name: string }[];
  };
  return own.find((passkey) => passkey.name === name)?.id ?? "";
}

async function withKey(who: Signed, name: string): Promise<string> {
  expect(
    (
      await post(who, "keys/create", {
        name,
        description: "",
        lifetime: "30d",
        scopes: "posts:read",
      })
    ).status,
  ).toBe(200);
  const { keys: own } = (await get(who, "keys")) as { keys: { id: string; name: string }[] };
  return own.find((key) => key.name === name)?.id ?? "";
}

async function withSecondFactor(who: Signed): Promise<void> {
  await post(who, "second-factor", { currentPassword: who.person.password });
  const { enrolment } = (await get(who, "second-factor/activation")) as {
    enrolment: { secret: string };
  };
  const secret = decodeBase32(enrolment.secret);
  const code = await createOTP(secret).totp();
  expect((await post(who, "second-factor/activation", { code })).status).toBe(200);
}

function decodeBase32(text: string): string {
  const bits = [...text]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  return (bits.match(/.{8}/g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte, 2)))
    .join("");
}

describe("security e-mails", () => {
  test("are sent when a passkey is added or removed", async () => {
    const who = await signedUp();
    const id = await withPasskey(who, "Celular");
    const made = await mailTo(who.person.email);
    expect(made.subject).toBe("Uma chave de acesso foi criada");
    expect(made.body).toContain("“Celular”");
    expect(made.body).toContain(`${TEST_ORIGIN}/auth/reset`);
    expect(
      (await post(who, `passkeys/${id}/removal`, { currentPassword: who.person.password })).status,
    ).toBe(302);
    expect(await subjectsTo(who)).toContain("Uma chave de acesso foi removida");
  });

  test("are sent when an API key is created or revoked", async () => {
    const who = await signedUp();
    const id = await withKey(who, "Site");
    expect((await mailTo(who.person.email)).body).toContain("“Site”");
    expect((await post(who, `keys/${id}/revocation`, {})).status).toBe(302);
    expect(await subjectsTo(who)).toEqual(
      expect.arrayContaining(["Uma chave de API foi criada", "Uma chave de API foi revogada"]),
    );
  });

  test("are sent for the second factor and new backup codes; enabling it ends the other sessions", async () => {
    const who = await signedUp();
    const elsewhere = accountBrowser();
    await elsewhere.post("/auth/login", {
      identifier: who.person.email,
      password: who.person.password,
    });
    await withSecondFactor(who);
    for (const name of ["__Host-coreto-session-data"]) elsewhere.cookies.delete(name);
    expect(await usernameOf(elsewhere)).toBeNull();
    expect(await usernameOf(who.browser)).toBe(who.person.username);
    expect(
      (await post(who, "second-factor/backup-codes", { currentPassword: who.person.password }))
        .status,
    ).toBe(200);
    expect(
      (await post(who, "second-factor/deactivation", { currentPassword: who.person.password }))
        .status,
    ).toBe(302);
    expect(await subjectsTo(who)).toEqual(
      expect.arrayContaining([
        "A verificação em duas etapas foi ligada",
        "Seus códigos de reserva mudaram",
        "A verificação em duas etapas foi desligada",
      ]),
    );
  });

  test("are not sent for a refused change", async () => {
    const who = await signedUp();
    const id = await withPasskey(who, "Celular");
    const before = await subjectsTo(who);
    expect(
      (await post(who, `passkeys/${id}/removal`, { currentPassword: "não é esta" })).status,
    ).toBe(400);
    expect(await subjectsTo(who)).toEqual(before);
  });

  test("about a new password name the passkeys and API keys that still work", async () => {
    const who = await signedUp();
    await withPasskey(who, "Celular");
    await withKey(who, "Site");
    const password = "outra senha bem comprida";
    await who.browser.post("/auth/account/password", {
      currentPassword: who.person.password,
      password,
      repeatedPassword: password,
    });
    const letter = (await mailsTo(who.person.email)).find(
      ({ subject }) => subject === "A sua senha mudou",
    );
    expect(letter?.body).toContain("continuam abrindo a conta: Celular.");
    expect(letter?.body).toContain("continuam lendo em seu nome: Site.");
  });
});

describe("password guessing from an unknown browser", () => {
  const WRONG = { password: "errada demais" };

  async function lockedOut() {
    const who = await signedUp();
    const known = accountBrowser();
    await known.post("/auth/login", {
      identifier: who.person.email,
      password: who.person.password,
    });
    known.cookies.delete("__Host-coreto-session");
    known.cookies.delete("__Host-coreto-session-data");
    const stranger = accountBrowser();
    for (let tries = 0; tries < 10; tries += 1)
      await stranger.post("/auth/login", { identifier: who.person.username, ...WRONG });
    return { who, known, stranger };
  }

  test("locks that browser only; a browser that signed in before has its own limit", async () => {
    const { who, known, stranger } = await lockedOut();
    const right = { identifier: who.person.username, password: who.person.password };
    expect((await stranger.post("/auth/login", right)).status).toBe(429);
    expect((await known.post("/auth/login", right)).status).toBe(302);
  });

  test("does not reveal the owner of an e-mail through the limit of the username", async () => {
    const { who, stranger } = await lockedOut();
    for (const identifier of [who.person.email, "ninguem-com-este@exemplo.test"]) {
      expect(
        await refusalIn(await stranger.post("/auth/login", { identifier, ...WRONG })),
      ).toContain("401");
    }
  });

  test("after thirty guesses refuses the right password in unknown browsers, and accepts it in a known one", async () => {
    const { who, known } = await lockedOut();
    const userId =
      (
        await db
          .select({ id: authUsers.id })
          .from(authUsers)
          .where(eq(authUsers.username, who.person.username))
          .get()
      )?.id ?? "";
    await Promise.all(Array.from({ length: 20 }, () => countGuessAt(db, userId, testClock.now())));
    const right = { identifier: who.person.email, password: who.person.password };
    expect(await refusalIn(await accountBrowser().post("/auth/login", right))).toContain("401");
    expect((await known.post("/auth/login", right)).status).toBe(302);
  });

  test("does not stop an open session from reauthenticating", async () => {
    const { who } = await lockedOut();
    expect(
      (await who.browser.post("/auth/confirm", { currentPassword: who.person.password })).status,
    ).toBe(302);
  });

  test("does not stop a password reset and a sign-in with the new password", async () => {
    const { who, stranger } = await lockedOut();
    const elsewhere = accountBrowser();
    await elsewhere.post("/auth/reset", { identifier: who.person.email });
    const { code } = await mailTo(who.person.email);
    const password = "outra senha bem comprida";
    expect(
      (await elsewhere.post("/auth/reset/code", { code, password })).headers.get("Location"),
    ).toBe("/auth/login");
    expect(
      (await accountBrowser().post("/auth/login", { identifier: who.person.email, password }))
        .status,
    ).toBe(302);
    expect(
      await refusalIn(
        await stranger.post("/auth/login", { identifier: who.person.email, ...WRONG }),
      ),
    ).toContain("401");
  });

  test("by repeated reset requests neither replaces the owner's code nor blocks it", async () => {
    const { who, known, stranger } = await lockedOut();
    await known.post("/auth/reset", { identifier: who.person.email });
    const { code } = await mailTo(who.person.email);
    for (let asks = 0; asks < 9; asks += 1)
      await accountBrowser().post("/auth/reset", { identifier: who.person.email });
    expect(
      await refusalIn(await stranger.post("/auth/reset", { identifier: who.person.email })),
    ).toContain("429");
    expect(
      (
        await known.post("/auth/reset/code", { code, password: "outra senha bem comprida" })
      ).headers.get("Location"),
    ).toBe("/auth/login");
  });

  test("a known browser has ten guesses too, and is known for its own member only", async () => {
    const { who, known } = await lockedOut();
    for (let tries = 0; tries < 10; tries += 1)
      expect(
        (await known.post("/auth/login", { identifier: who.person.email, ...WRONG })).status,
      ).toBe(401);
    expect(
      (
        await known.post("/auth/login", {
          identifier: who.person.email,
          password: who.person.password,
        })
      ).status,
    ).toBe(429);
    const other = await lockedOut();
    const right = { identifier: who.person.username, password: who.person.password };
    expect((await other.known.post("/auth/login", right)).status).toBe(429);
  });
});
