import { beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import { devicesOf } from "#app/domain/notifications/queries/devices.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as account from "#app/routes/auth/account.tsx";
import * as sessionEnd from "#app/routes/auth/account/session-end.tsx";
import * as logout from "#app/routes/auth/logout.tsx";
import * as deviceCreate from "#app/routes/settings/devices/device-create.ts";
import { accountBrowser } from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { createRouteCaller, signUpFields } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";

const members = { middleware: [requireMember as MiddlewareFunction] };
const ask = createRouteCaller([
  { path: "auth/logout", module: logout },
  { path: "auth/account", module: account, ...members },
  { path: "auth/account/sessions/:sessionId/end", module: sessionEnd, ...members },
  { path: "settings/notifications/devices", module: deviceCreate, ...members },
]);
const BROWSERS = ["phone", "laptop", "library"] as const;

let ctx: Context;
let personId: string;
let browsers: Record<(typeof BROWSERS)[number], AccountBrowser>;

/** A person with three browsers, each of which gets pushes. */
beforeEach(async () => {
  ({ ctx } = await testContext());
  const member = await insertMember(signUpFields());
  personId = member.personId;
  const signedIn = async () => {
    const pairs = (await sessionCookies(member.userId))
      .split("; ")
      .map((pair) => pair.split(/=(.*)/s));
    return accountBrowser(ask, new Map(pairs.map(([name = "", value = ""]) => [name, value])));
  };
  browsers = { phone: await signedIn(), laptop: await signedIn(), library: await signedIn() };
  for (const name of BROWSERS)
    await browsers[name].post("/settings/notifications/devices", {
      endpoint: `https://fcm.googleapis.com/fcm/send/${name}-${personId}`,
      p256dh:
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    });
  if ((await count()) !== 3) throw new Error("no three devices");
});

const count = async () => (await devicesOf(ctx, { personId })).length;

test("who signs out gets no more pushes in that browser, and still in the others", async () => {
  await browsers.library.post("/auth/logout");
  expect(await count()).toBe(2);
});

test("a session that is ended from another browser gets no more pushes", async () => {
  const { sessions } = z
    .object({ sessions: z.array(z.object({ id: z.string(), isCurrent: z.boolean() })) })
    .parse(await (await browsers.library.get("/auth/account")).json());
  const id = sessions.find(({ isCurrent }) => isCurrent)?.id ?? "";
  await browsers.phone.post(`/auth/account/sessions/${id}/end`);
  expect(await count()).toBe(2);
});

test("who ends every other session gets pushes only in this browser", async () => {
  await browsers.phone.post("/auth/account");
  expect(await count()).toBe(1);
});
