import { beforeAll, describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { requireMember } from "#app/http/require-member.ts";
import * as memberLayout from "#app/routes/member-layout.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as settings from "#app/routes/settings/index.tsx";
import { events as eventRows } from "#drizzle/schema/events.ts";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const middleware = [requireMember] as MiddlewareFunction[];
const routes = [
  { path: "shell", module: memberLayout, middleware },
  { path: "settings", module: settings, middleware },
  { path: "space/:username/public", module: publicSpace },
];
const callers = {
  hidden: createRouteCaller(routes, { ...testEnv, UNCOMPLETED_FEATURES: "false" }),
  shown: createRouteCaller(routes, { ...testEnv, UNCOMPLETED_FEATURES: "true" }),
};
type Flag = keyof typeof callers;

let ana: Seller;
let fan: string;

beforeAll(async () => {
  const { ctx } = await testContext();
  ana = await createSeller(ctx);
  fan = await memberCookies(signUpFields());
  await ctx.db.insert(eventRows).values({
    id: ctx.newId(),
    creatorId: ana.id,
    title: "Roda de domingo",
    place: "Praça",
    startsAt: ctx.now() + 86_400_000,
    endsAt: ctx.now() + 90_000_000,
    status: "published",
    createdAt: ctx.now(),
  });
});

const ask = (flag: Flag, path: string, cookie = fan) =>
  callers[flag](new Request(TEST_ORIGIN + path, { headers: { Cookie: cookie } }));
const read = async <Shown>(flag: Flag, path: string): Promise<Shown> =>
  (await ask(flag, path)).json<Shown>();

describe.each(["hidden", "shown"] as const)("events, with uncompleted features %s", (flag) => {
  test("are linked from the settings and a creator's page", async () => {
    type Shell = { acting: { uncompletedFeatures: boolean } };
    expect((await read<Shell>(flag, "/shell")).acting.uncompletedFeatures).toBe(flag === "shown");
    expect(await read(flag, "/settings")).toMatchObject({ hasEvents: true });
    expect(await read(flag, `/space/${ana.username}/public`)).toMatchObject({
      nextEvent: { title: "Roda de domingo" },
    });
  });
});
