import { createOTP } from "@better-auth/utils/otp";
import { base32 } from "@better-auth/utils/base32";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as account from "#app/routes/auth/account.tsx";
import * as confirm from "#app/routes/auth/account/confirm.tsx";
import * as activation from "#app/routes/auth/account/sign-in-methods/second-factor-activation.tsx";
import * as secondFactor from "#app/routes/auth/account/sign-in-methods/second-factor.tsx";
import * as sessionEnd from "#app/routes/auth/account/session-end.tsx";
import * as logout from "#app/routes/auth/logout.tsx";
import * as resetCode from "#app/routes/auth/reset-code.tsx";
import * as reset from "#app/routes/auth/reset.tsx";
import * as tip from "#app/routes/space/tip.tsx";
import { charges } from "#drizzle/schema/payments.ts";
import { accountBrowser, mailTo } from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { createRouteCaller, signUpFields } from "#tests/support/call-route.ts";
import type { SignUpFields } from "#tests/support/call-route.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { MiddlewareFunction } from "react-router";

const members = { middleware: [requireMember as MiddlewareFunction] };
const ask = createRouteCaller([
  { path: "auth/logout", module: logout },
  { path: "auth/reset", module: reset },
  { path: "auth/reset/code", module: resetCode },
  { path: "auth/confirm", module: confirm, ...members },
  { path: "auth/account", module: account, ...members },
  { path: "auth/account/sessions/:sessionId/end", module: sessionEnd, ...members },
  { path: "auth/account/second-factor", module: secondFactor, ...members },
  { path: "auth/account/second-factor/activation", module: activation, ...members },
  { path: "space/:id/tip", module: tip, ...members },
]);
const db = openDatabase(testEnv.DB);

let world: World;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

type Situation = {
  person: SignUpFields & { personId: string };
  /** The browser whose session ends, and another one of the same person. */
  stale: AccountBrowser;
  other: AccountBrowser;
};

async function twoBrowsers(): Promise<Situation> {
  const person = signUpFields();
  const { userId, personId } = await insertMember(person);
  const browser = async () => {
    const pairs = (await sessionCookies(userId)).split("; ").map((pair) => pair.split(/=(.*)/s));
    return accountBrowser(ask, new Map(pairs.map(([name = "", value = ""]) => [name, value])));
  };
  return { person: { ...person, personId }, stale: await browser(), other: await browser() };
}

const giveTip = (browser: AccountBrowser) =>
  browser.post(`/space/${ana.username}/tip`, {
    amount: "2000",
    other: "",
    message: "",
    method: "pix",
    cardToken: "",
  });
const chargesOf = ({ personId }: { personId: string }) =>
  db.select({ id: charges.id }).from(charges).where(eq(charges.payerId, personId));

async function switchOnSecondFactor({ person, other }: Situation): Promise<void> {
  const path = "/auth/account/second-factor";
  await other.post(path, { currentPassword: person.password });
  const { enrolment } = z
    .object({ enrolment: z.object({ secret: z.string() }) })
    .parse(await (await other.get(`${path}/activation`)).json());
  const secret = new TextDecoder().decode(base32.decode(enrolment.secret));
  const code = await createOTP(secret).hotp(Math.floor(testClock.now() / 30_000));
  expect((await other.post(`${path}/activation`, { code })).status).toBe(200);
}

async function endFromOther({ stale, other }: Situation): Promise<void> {
  const { sessions } = z
    .object({ sessions: z.array(z.object({ id: z.string(), isCurrent: z.boolean() })) })
    .parse(await (await stale.get("/auth/account")).json());
  const id = sessions.find(({ isCurrent }) => isCurrent)?.id ?? "";
  expect((await other.post(`/auth/account/sessions/${id}/end`)).status).toBe(302);
}

const ENDINGS: [string, (situation: Situation) => Promise<unknown>][] = [
  ["ended from another browser", endFromOther],
  ["of every other browser ended", ({ other }) => other.post("/auth/account")],
  [
    "logged out, in a copy of its cookies",
    ({ stale }) => accountBrowser(ask, new Map(stale.cookies)).post("/auth/logout"),
  ],
  [
    "of a password that was reset",
    async ({ person }) => {
      const somewhere = accountBrowser(ask);
      await somewhere.post("/auth/reset", { identifier: person.email });
      const { code } = await mailTo(person.email);
      const password = "outra senha bem comprida";
      expect((await somewhere.post("/auth/reset/code", { code, password })).status).toBe(302);
    },
  ],
  ["from before the second factor", switchOnSecondFactor],
  [
    "of a suspended account",
    async ({ person }) =>
      banPerson(world.ctx, {
        personId: person.personId,
        moderatorId: (await createModerator(world.ctx)).id,
        reason: "Golpe",
      }),
  ],
];

describe("within the half minute of the session's cookies", () => {
  test("a session that goes on pays", async () => {
    const { person, stale } = await twoBrowsers();
    expect((await giveTip(stale)).headers.get("Location")).toMatch(/^\/checkout\//);
    expect(await chargesOf(person)).toHaveLength(1);
  });

  test.each(ENDINGS)("a session %s pays nothing and is asked to sign in", async (_, end) => {
    const situation = await twoBrowsers();
    await end(situation);
    const answer = await giveTip(situation.stale);
    // The form comes back with what was typed, and leads to the sign-in.
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ link: { to: "/auth/login" } });
    expect(await chargesOf(situation.person)).toEqual([]);
  });
});
