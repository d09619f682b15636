import { createOTP } from "@better-auth/utils/otp";
import { base32 } from "@better-auth/utils/base32";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import { ticketFor } from "#app/integrations/local-identity/sessions/sign-in-ticket.server.ts";
import * as authToken from "#app/routes/api/auth-token.ts";
import * as activation from "#app/routes/auth/account/sign-in-methods/second-factor-activation.tsx";
import * as backupCodes from "#app/routes/auth/account/sign-in-methods/second-factor-backup-codes.tsx";
import * as deactivation from "#app/routes/auth/account/sign-in-methods/second-factor-deactivation.tsx";
import * as account from "#app/routes/auth/account/sign-in-methods/second-factor.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as secondFactor from "#app/routes/auth/second-factor.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { authBackupCodes, authSecondFactors } from "#drizzle/schema/local-second-factor.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  cookiesOf,
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs, MiddlewareFunction } from "react-router";

const whoami = {
  loader: ({ context }: LoaderFunctionArgs) =>
    Response.json({ viewer: context.get(viewerContext) }),
};
const members = { middleware: [requireMember as MiddlewareFunction] };

const ask = createRouteCaller([
  { path: "auth/login", module: login },
  { path: "auth/second-factor", module: secondFactor },
  { path: "auth/account/second-factor", module: account, ...members },
  { path: "auth/account/second-factor/activation", module: activation, ...members },
  { path: "auth/account/second-factor/backup-codes", module: backupCodes, ...members },
  { path: "auth/account/second-factor/deactivation", module: deactivation, ...members },
  { path: "api/v1/auth/token", module: authToken },
  { path: "who", module: whoami },
]);

const PAGE = "/auth/account/second-factor";
const db = openDatabase(testEnv.DB);
const get = (path: string, cookie: string) =>
  ask(new Request(TEST_ORIGIN + path, { headers: { Cookie: cookie } }));
const post = (path: string, fields: Record<string, string>, cookie = "") =>
  ask(formRequest(path, fields, { Cookie: cookie }));
const viewerOf = async (cookie: string) =>
  ((await (await get("/who", cookie)).json()) as { viewer: { username: string } | null }).viewer;
const signIn = (person: Protected, path = "/auth/login") =>
  post(path, { identifier: person.email, password: person.password });
const codesOf = async (answer: Response) =>
  z.object({ codes: z.array(z.string()) }).parse(await answer.json()).codes;

type Newcomer = ReturnType<typeof signUpFields> & { cookie: string };
type Protected = Newcomer & { secret: string; codes: string[] };

async function signedUp(): Promise<Newcomer> {
  const person = signUpFields();
  return { ...person, cookie: await memberCookies(person) };
}

async function started(person: Newcomer): Promise<string> {
  expect(
    (await post(PAGE, { currentPassword: person.password }, person.cookie)).headers.get("Location"),
  ).toBe(`${PAGE}/activation`);
  const page = z.object({
    enrolment: z.object({ secret: z.string(), drawing: z.object({ path: z.string() }) }),
  });
  const { enrolment } = page.parse(await (await get(`${PAGE}/activation`, person.cookie)).json());
  expect(enrolment.drawing.path).toMatch(/^M/);
  return new TextDecoder().decode(base32.decode(enrolment.secret));
}

/** Returns the authenticator code of `steps` 30-second steps from now. */
const codeOf = (secret: string, steps = 0) =>
  createOTP(secret).hotp(Math.floor(testClock.now() / 30_000) + steps);

/** Returns a member with the second factor on, and the code of the current step used up. */
async function withSecondFactor(): Promise<Protected> {
  const person = await signedUp();
  const secret = await started(person);
  const codes = await codesOf(
    await post(`${PAGE}/activation`, { code: await codeOf(secret) }, person.cookie),
  );
  return { ...person, secret, codes };
}

describe("enabling the second factor", () => {
  test("requires the password and a right code, and shows ten backup codes once", async () => {
    const person = await signedUp();
    expect((await post(PAGE, { currentPassword: "errada demais" }, person.cookie)).status).toBe(
      400,
    );
    const secret = await started(person);
    const wrong = await post(`${PAGE}/activation`, { code: "000000" }, person.cookie);
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ errors: { code: "Código incorreto" } });
    const codes = await codesOf(
      await post(`${PAGE}/activation`, { code: await codeOf(secret) }, person.cookie),
    );
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z1-9]{5}-[a-z1-9]{5}$/);
    expect(await (await get(PAGE, person.cookie)).json()).toMatchObject({
      factor: { backupCodesLeft: 10 },
    });
    const later = await (await get(`${PAGE}/activation`, person.cookie)).json();
    expect(later).toEqual({ enrolment: null });
  });

  test("is not complete before the first right code, so the password alone still signs in", async () => {
    const person = await signedUp();
    await started(person);
    const answer = await signIn({ ...person, secret: "", codes: [] });
    expect(await viewerOf(cookiesOf(answer))).toMatchObject({ username: person.username });
  });

  test("refuses the code of an enrolment older than ten minutes", async () => {
    const person = await signedUp();
    const secret = await started(person);
    const [user] = await db.select().from(authUsers).where(eq(authUsers.email, person.email));
    await db
      .update(authSecondFactors)
      .set({ createdAt: testClock.now() - 600_000 })
      .where(eq(authSecondFactors.userId, user?.id ?? ""));
    expect(
      (await post(`${PAGE}/activation`, { code: await codeOf(secret) }, person.cookie)).status,
    ).toBe(409);
  });

  test("is refused while it is already enabled", async () => {
    const person = await withSecondFactor();
    expect((await post(PAGE, { currentPassword: person.password }, person.cookie)).status).toBe(
      409,
    );
    expect(
      (await post(`${PAGE}/activation`, { code: await codeOf(person.secret, 1) }, person.cookie))
        .status,
    ).toBe(409);
  });

  test("stores neither the secret nor a backup code in the clear", async () => {
    const { secret, codes, email } = await withSecondFactor();
    const [user] = await db.select().from(authUsers).where(eq(authUsers.email, email));
    const kept = JSON.stringify([
      await db
        .select()
        .from(authSecondFactors)
        .where(eq(authSecondFactors.userId, user?.id ?? "")),
      await db
        .select()
        .from(authBackupCodes)
        .where(eq(authBackupCodes.userId, user?.id ?? "")),
    ]);
    for (const hidden of [secret, ...codes, ...codes.map((code) => code.replace("-", ""))])
      expect(kept).not.toContain(hidden);
  });

  test("redirects a visitor to the sign-in page", async () => {
    for (const path of [PAGE, `${PAGE}/activation`])
      expect((await get(path, "")).headers.get("Location")).toContain("/auth/login");
  });
});

describe("signing in with the second factor", () => {
  test("needs password and code, and returns to the page they came from", async () => {
    const person = await withSecondFactor();
    const half = await signIn(person, "/auth/login?to=%2Fcheckout%3Fplan%3D1");
    expect(half.headers.get("Location")).toBe("/auth/second-factor?to=%2Fcheckout%3Fplan%3D1");
    const ticket = cookiesOf(half);
    expect(ticket).not.toContain("__Host-coreto-session");
    expect(await viewerOf(ticket)).toBeNull();
    expect((await get("/auth/second-factor", ticket)).status).toBe(200);
    const whole = await post(
      "/auth/second-factor?to=%2Fcheckout%3Fplan%3D1",
      { code: await codeOf(person.secret, 1) },
      ticket,
    );
    expect(whole.headers.get("Location")).toBe("/checkout?plan=1");
    expect(await viewerOf(cookiesOf(whole))).toMatchObject({ username: person.username });
  });

  test("creates no session for the password alone", async () => {
    const person = await withSecondFactor();
    const [user] = await db.select().from(authUsers).where(eq(authUsers.email, person.email));
    const open = async () =>
      (
        await db
          .select()
          .from(authSessions)
          .where(eq(authSessions.userId, user?.id ?? ""))
      ).length;
    const before = await open();
    await signIn(person);
    expect(await open()).toBe(before);
  });

  test("accepts a code once, also for parallel requests", async () => {
    const person = await withSecondFactor();
    const ticket = cookiesOf(await signIn(person));
    const code = await codeOf(person.secret, 1);
    const answers = await Promise.all([
      post("/auth/second-factor", { code }, ticket),
      post("/auth/second-factor", { code }, ticket),
    ]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([302, 400]);
    const again = await post("/auth/second-factor", { code }, ticket);
    expect(await again.json()).toMatchObject({ errors: { code: "Código incorreto" } });
    // An older unused code is refused too.
    expect(
      (await post("/auth/second-factor", { code: await codeOf(person.secret, -1) }, ticket)).status,
    ).toBe(400);
  });

  test("accepts each backup code once, in any notation, and counts those left", async () => {
    const person = await withSecondFactor();
    const [first = "", second = ""] = person.codes;
    const ticket = cookiesOf(await signIn(person));
    const whole = await post(
      "/auth/second-factor",
      { code: first.toUpperCase().replace("-", " ") },
      ticket,
    );
    expect(await viewerOf(cookiesOf(whole))).toMatchObject({ username: person.username });
    expect((await post("/auth/second-factor", { code: first }, ticket)).status).toBe(400);
    expect((await post("/auth/second-factor", { code: second }, ticket)).status).toBe(302);
    expect(await (await get(PAGE, person.cookie)).json()).toMatchObject({
      factor: { backupCodesLeft: 8 },
    });
  });

  test("refuses another member's backup code", async () => {
    const [one, other] = [await withSecondFactor(), await withSecondFactor()];
    expect(
      (
        await post(
          "/auth/second-factor",
          { code: one.codes[0] ?? "" },
          cookiesOf(await signIn(other)),
        )
      ).status,
    ).toBe(400);
  });

  test("locks after five wrong codes, also for the right one", async () => {
    const person = await withSecondFactor();
    const ticket = cookiesOf(await signIn(person));
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () =>
        post("/auth/second-factor", { code: "000000" }, ticket),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400]);
    const sixth = await post(
      "/auth/second-factor",
      { code: await codeOf(person.secret, 1) },
      cookiesOf(await signIn(person)),
    );
    expect(sixth.status).toBe(429);
    expect(await sixth.json()).toMatchObject({
      message: "Muitas solicitações. Por favor, tente novamente em breve.",
    });
  });

  test("refuses a code without a recent password ticket of this deployment", async () => {
    const person = await withSecondFactor();
    const [user] = await db.select().from(authUsers).where(eq(authUsers.email, person.email));
    const old = await ticketFor(
      { secret: testEnv.AUTH_SECRET ?? "", now: testClock.now() - 600_000 },
      user?.id ?? "",
    );
    const foreign = await ticketFor(
      { secret: "another deployment's secret, long enough", now: testClock.now() },
      user?.id ?? "",
    );
    for (const ticket of ["", old, foreign, "abc.def", "%00"]) {
      const cookie = `__Host-coreto-second-factor=${ticket}`;
      expect((await get("/auth/second-factor", cookie)).headers.get("Location")).toBe(
        "/auth/login",
      );
      const answer = await post(
        "/auth/second-factor",
        { code: await codeOf(person.secret, 1) },
        cookie,
      );
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({
        message: "A entrada demorou demais. Digite a senha de novo.",
      });
    }
  });

  test("refuses a suspended account at the code", async () => {
    const person = await withSecondFactor();
    const ticket = cookiesOf(await signIn(person));
    await db
      .update(people)
      .set({ bannedAt: testClock.now() })
      .where(eq(people.email, person.email));
    const answer = await post(
      "/auth/second-factor",
      { code: await codeOf(person.secret, 1) },
      ticket,
    );
    expect(answer.status).toBe(403);
    expect(cookiesOf(answer)).not.toContain("__Host-coreto-session=");
  });

  test("gives no API token for the password alone", async () => {
    const person = await withSecondFactor();
    const answer = await ask(
      jsonRequest("/api/v1/auth/token", { identifier: person.email, password: person.password }),
    );
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining("chave de API") });
  });
});

describe("changing the second factor", () => {
  test("new backup codes need the password and replace the old ones", async () => {
    const person = await withSecondFactor();
    expect(
      (await post(`${PAGE}/backup-codes`, { currentPassword: "errada demais" }, person.cookie))
        .status,
    ).toBe(400);
    const fresh = await codesOf(
      await post(`${PAGE}/backup-codes`, { currentPassword: person.password }, person.cookie),
    );
    const ticket = cookiesOf(await signIn(person));
    expect(
      (await post("/auth/second-factor", { code: person.codes[0] ?? "" }, ticket)).status,
    ).toBe(400);
    expect((await post("/auth/second-factor", { code: fresh[0] ?? "" }, ticket)).status).toBe(302);
  });

  test("disabling it needs the password, and then the password alone signs in", async () => {
    const person = await withSecondFactor();
    expect(
      (await post(`${PAGE}/deactivation`, { currentPassword: "errada demais" }, person.cookie))
        .status,
    ).toBe(400);
    expect(
      (await post(`${PAGE}/deactivation`, { currentPassword: person.password }, person.cookie))
        .status,
    ).toBe(302);
    expect(await viewerOf(cookiesOf(await signIn(person)))).toMatchObject({
      username: person.username,
    });
    expect(
      (await post(`${PAGE}/backup-codes`, { currentPassword: person.password }, person.cookie))
        .status,
    ).toBe(409);
    expect(
      (await post(`${PAGE}/deactivation`, { currentPassword: person.password }, person.cookie))
        .status,
    ).toBe(409);
  });
});
