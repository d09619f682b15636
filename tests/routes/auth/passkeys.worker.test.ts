import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as makeOptions from "#app/routes/auth/account/sign-in-methods/passkey-options.ts";
import * as removal from "#app/routes/auth/account/sign-in-methods/passkey-removal.tsx";
import * as account from "#app/routes/auth/account/sign-in-methods/passkeys.tsx";
import * as useOptions from "#app/routes/auth/passkey-options.ts";
import * as passkey from "#app/routes/auth/passkey.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { authPasskeyChallenges } from "#drizzle/schema/local-passkeys.ts";
import { softAuthenticator } from "#tests/support/authenticator.ts";
import type { Lies, SoftAuthenticator } from "#tests/support/authenticator.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  cookiesOf,
  createRouteCaller,
  formRequest,
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
  { path: "auth/passkey", module: passkey },
  { path: "auth/passkey/options", module: useOptions },
  { path: "auth/account/passkeys", module: account, ...members },
  { path: "auth/account/passkeys/options", module: makeOptions, ...members },
  { path: "auth/account/passkeys/:passkeyId/removal", module: removal, ...members },
  { path: "who", module: whoami },
]);

const PAGE = "/auth/account/passkeys";
const db = openDatabase(testEnv.DB);
const toldSchema = z.looseObject({ challenge: z.string() });
const get = (path: string, cookie: string) =>
  ask(new Request(TEST_ORIGIN + path, { headers: { Cookie: cookie } }));
const post = (path: string, fields: Record<string, string>, cookie = "") =>
  ask(formRequest(path, fields, { Cookie: cookie }));
const viewerOf = async (cookie: string) =>
  ((await (await get("/who", cookie)).json()) as { viewer: unknown }).viewer;
const toUse = async () => toldSchema.parse(await (await post("/auth/passkey/options", {})).json());
const toMake = async (person: Person) =>
  toldSchema.parse(
    await (
      await post(
        `${PAGE}/options`,
        { name: "Celular", currentPassword: person.password },
        person.cookie,
      )
    ).json(),
  );
const listed = async (person: Person) =>
  ((await (await get(PAGE, person.cookie)).json()) as { passkeys: { name: string }[] }).passkeys;

type Person = ReturnType<typeof signUpFields> & { cookie: string };

async function signedUp(): Promise<Person> {
  const person = signUpFields();
  return { ...person, cookie: await memberCookies(person) };
}

async function withPasskey(): Promise<{ person: Person; device: SoftAuthenticator }> {
  const person = await signedUp();
  const device = await softAuthenticator(TEST_ORIGIN);
  const answer = await post(
    PAGE,
    { name: "Celular", response: await device.make(await toMake(person)) },
    person.cookie,
  );
  expect(answer.headers.get("Location")).toBe(PAGE);
  return { person, device };
}

const LIES: [string, Lies][] = [
  ["made on another site", { origin: "https://evil.test" }],
  ["of another site's passkey", { rpId: "evil.test" }],
  ["without finger, face or PIN", { flags: 0x01 }],
];

describe("adding a passkey", () => {
  test("requires the password and a session", async () => {
    const person = await signedUp();
    const answer = await post(
      `${PAGE}/options`,
      { name: "Celular", currentPassword: "errada demais" },
      person.cookie,
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: { currentPassword: expect.any(String) } });
    expect(
      (
        await post(`${PAGE}/options`, { name: "Celular", currentPassword: person.password })
      ).headers.get("Location"),
    ).toContain("/auth/login");
  });

  test("adds it to the list, and it signs in without a password", async () => {
    const { person, device } = await withPasskey();
    expect(await listed(person)).toMatchObject([{ name: "Celular" }]);
    const answer = await post("/auth/passkey?to=%2Fevents", {
      response: await device.use(await toUse()),
    });
    expect(answer.headers.get("Location")).toBe("/events");
    expect(await viewerOf(cookiesOf(answer))).toMatchObject({ username: person.username });
  });

  test.each(LIES)("refuses an answer %s", async (_, lies) => {
    const person = await signedUp();
    const device = await softAuthenticator(TEST_ORIGIN);
    const told = await toMake(person);
    const made = await device.make(
      told,
      lies.flags === undefined ? lies : { flags: lies.flags | 0x40 },
    );
    expect((await post(PAGE, { name: "Celular", response: made }, person.cookie)).status).toBe(401);
    expect(await listed(person)).toEqual([]);
  });

  test("refuses another member's challenge and a sign-in challenge", async () => {
    const [one, other] = [await signedUp(), await signedUp()];
    const device = await softAuthenticator(TEST_ORIGIN);
    for (const told of [await toMake(one), await toUse()]) {
      expect(
        (await post(PAGE, { name: "Celular", response: await device.make(told) }, other.cookie))
          .status,
      ).toBe(401);
    }
  });

  test("refuses a passkey that another member has", async () => {
    const { device } = await withPasskey();
    const thief = await signedUp();
    expect(
      (
        await post(
          PAGE,
          { name: "Meu", response: await device.make(await toMake(thief)) },
          thief.cookie,
        )
      ).status,
    ).toBe(401);
    expect(await listed(thief)).toEqual([]);
  });
});

describe("signing in with a passkey", () => {
  test("accepts an answer once", async () => {
    const { device } = await withPasskey();
    const response = await device.use(await toUse());
    const answers = await Promise.all([
      post("/auth/passkey", { response }),
      post("/auth/passkey", { response }),
    ]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([302, 401]);
  });

  test.each(LIES)("refuses an answer %s", async (_, lies) => {
    const { device } = await withPasskey();
    const answer = await post("/auth/passkey", { response: await device.use(await toUse(), lies) });
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie().filter((cookie) => cookie.includes("session"))).toEqual(
      [],
    );
  });

  test("refuses another device's signature under this passkey's id", async () => {
    const { device } = await withPasskey();
    const liar = await softAuthenticator(TEST_ORIGIN);
    const forged = JSON.parse(await liar.use(await toUse())) as object;
    expect(
      (
        await post("/auth/passkey", {
          response: JSON.stringify({ ...forged, id: device.id, rawId: device.id }),
        })
      ).status,
    ).toBe(401);
  });

  test("refuses a counter that did not grow, as of a copied passkey", async () => {
    const { device } = await withPasskey();
    expect(
      (await post("/auth/passkey", { response: await device.use(await toUse(), { counter: 7 }) }))
        .status,
    ).toBe(302);
    expect(
      (await post("/auth/passkey", { response: await device.use(await toUse(), { counter: 7 }) }))
        .status,
    ).toBe(401);
    expect(
      (await post("/auth/passkey", { response: await device.use(await toUse(), { counter: 8 }) }))
        .status,
    ).toBe(302);
  });

  test("refuses a challenge after five minutes", async () => {
    const { device } = await withPasskey();
    const told = await toUse();
    await db
      .update(authPasskeyChallenges)
      .set({ expiresAt: testClock.now() })
      .where(eq(authPasskeyChallenges.challenge, told.challenge));
    expect((await post("/auth/passkey", { response: await device.use(told) })).status).toBe(401);
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["an empty answer", "{}"],
    ["far too much", `{"id":"${"a".repeat(30_000)}"}`],
    ["nonsense", '{"id":"a","response":{"clientDataJSON":"e30"}}'],
  ])("refuses %s without a server error", async (_, response) => {
    expect((await post("/auth/passkey", { response })).status).toBeLessThan(500);
    expect((await post("/auth/passkey", { response })).status).toBeGreaterThanOrEqual(400);
  });

  test("refuses a suspended account", async () => {
    const { person, device } = await withPasskey();
    await db
      .update(people)
      .set({ bannedAt: testClock.now() })
      .where(eq(people.email, person.email));
    expect(
      (await post("/auth/passkey", { response: await device.use(await toUse()) })).status,
    ).toBe(403);
  });
});

test("a passkey is removed by its owner with the password, and then does not sign in", async () => {
  const { person, device } = await withPasskey();
  const stranger = await signedUp();
  const path = `${PAGE}/${device.id}/removal`;
  expect((await get(path, stranger.cookie)).status).toBe(404);
  expect((await post(path, { currentPassword: stranger.password }, stranger.cookie)).status).toBe(
    404,
  );
  expect((await post(path, { currentPassword: "errada demais" }, person.cookie)).status).toBe(400);
  expect((await post(path, { currentPassword: person.password }, person.cookie)).status).toBe(302);
  expect((await post("/auth/passkey", { response: await device.use(await toUse()) })).status).toBe(
    401,
  );
});
