import { createStaticHandler, RouterContextProvider } from "react-router";
import type { LoaderFunction, MiddlewareFunction } from "react-router";
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { identityMiddleware } from "#app/http/identity/identity-middleware.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as explore from "#app/routes/home/explore.tsx";
import * as feed from "#app/routes/home/feed.tsx";
import * as memberLayout from "#app/routes/member-layout.tsx";
import * as notifications from "#app/routes/home/notifications.tsx";
import * as transactions from "#app/routes/settings/sales/transactions.tsx";
import * as me from "#app/routes/space/me.tsx";
import * as post from "#app/routes/space/post.tsx";
import * as space from "#app/routes/space/space.tsx";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import { signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { createSeller } from "#tests/support/people.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// Measures the database trips of whole pages with their layout and real middlewares. Source:
// issue 4, at most two.

const counted = countedDatabase(testEnv.DB);
const DB = Object.assign(counted.database, {
  withSession: () => Object.assign(counted.database, { getBookmark: () => "after-1" }),
});
const loaderOf = (module: { loader: unknown }) => module.loader as LoaderFunction;
const pages = {
  "": feed,
  explore,
  me,
  notifications,
  transactions,
  "space/:id": space,
  "post/:id": post,
};
const handler = createStaticHandler([
  {
    id: "root",
    path: "/",
    middleware: [identityMiddleware as MiddlewareFunction],
    children: [
      {
        id: "around",
        middleware: [requireMember as MiddlewareFunction],
        loader: loaderOf(memberLayout),
        children: Object.entries(pages).map(([path, module]) => ({
          id: `page ${path}`,
          ...(path === "" ? { index: true as const } : { path }),
          loader: loaderOf(module),
        })),
      },
    ],
  },
]);

let cookies: Map<string, string>;
let paths: string[];

beforeAll(async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const { postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Ensaio",
    content: "Oito músicas.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  });
  const own = ["/", "/explore", "/me", "/notifications", "/transactions"];
  paths = [...own, `/space/${ana.username}`, `/post/${postId}`];
  const { userId } = await insertMember(signUpFields());
  const pairs = (await sessionCookies(userId)).split("; ");
  cookies = new Map(
    pairs.map((pair): [string, string] => [
      pair.slice(0, pair.indexOf("=")),
      pair.slice(pair.indexOf("=") + 1),
    ]),
  );
});

/**
 * Requests a page with the current cookies and stores those it sets. Returns the number of database
 * trips.
 */
async function tripsOf(path: string): Promise<number> {
  counted.reset();
  const requestContext = new RouterContextProvider();
  requestContext.set(cloudflareContext, { env: { ...testEnv, DB }, ctx: createExecutionContext() });
  const request = new Request(TEST_ORIGIN + path, {
    headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
  });
  const answer: unknown = await handler.query(request, {
    requestContext,
    generateMiddlewareResponse: async (query) => {
      const found = await query(request);
      if (found instanceof Response) return found;
      return new Response(null, { status: found.errors ? 500 : found.statusCode });
    },
  });
  if (!(answer instanceof Response)) throw new Error("no answer");
  expect([path, answer.status]).toEqual([path, 200]);
  for (const set of answer.headers.getSetCookie()) {
    const [pair = ""] = set.split(";");
    cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
  }
  return counted.count();
}

async function tripsOfAll(before: () => void): Promise<Record<string, number>> {
  const trips: Record<string, number> = {};
  for (const path of paths) {
    before();
    trips[path] = await tripsOf(path);
  }
  return trips;
}

const each = (trips: number) => Object.fromEntries(paths.map((path) => [path, trips]));

describe("member page with its layout", () => {
  test("takes one database trip while the member is cached", async () => {
    await tripsOf("/");
    expect(await tripsOfAll(() => {})).toEqual(each(1));
  });

  test("takes two after a write, when the member is read again", async () => {
    expect(await tripsOfAll(() => void cookies.delete("__Host-coreto-member"))).toEqual(each(2));
  });

  test("takes two every 30 seconds, when the session is read again", async () => {
    let passed = 0;
    try {
      const pass = () =>
        vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + (passed += 31_000) });
      expect(await tripsOfAll(() => void pass())).toEqual(each(2));
    } finally {
      vi.useRealTimers();
    }
  });
});
