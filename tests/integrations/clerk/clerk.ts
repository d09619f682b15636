import { vi } from "vitest";
import type { Env } from "#app/configuration/env.ts";
import type { Somebody } from "#tests/contracts/identity-port.ts";
import {
  CLERK_HOST,
  clerkKeys,
  publishableKeyOf,
  SESSION_CATEGORY,
  TEMPLATE_CATEGORY,
} from "#tests/support/clerk-tokens.ts";
import type { ClerkKeys } from "#tests/support/clerk-tokens.ts";
import { testClock } from "#tests/support/clock.ts";
import { TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const API_URL = "https://api.clerk.test";
const WEBHOOK_SECRET = "whsec_Y29yZXRvLWNsZXJrLXdlYmhvb2stc2VjcmV0LTE=";

/**
 * A fake Clerk inside the test. It signs tokens and answers the two Backend API calls that the
 * product makes.
 */
export type FakeClerk = {
  env: Env;
  keys: ClerkKeys;
  webhookSecret: string;
  /** Every call that reached the network, as `METHOD path`. */
  calls: string[];
  /** The users of the Backend API, by user id. */
  users: Map<string, object>;
  addUser(person: Somebody): string;
  idOf(person: Somebody): string;
  /** Returns the cookies of a session. `changes` forges their claims. */
  cookie(userId: string, changes?: object, header?: object): Promise<string>;
  /** Returns a token of the JWT template. `changes` forges its claims. */
  token(userId: string, changes?: object, header?: object): Promise<string>;
  isDown: boolean;
};

export const seconds = (offset = 0): number => Math.floor(testClock.now() / 1000) + offset;

export async function fakeClerk(): Promise<FakeClerk> {
  const keys = await clerkKeys();
  const users = new Map<string, object>();
  const ended = new Set<string>();
  const claims = (userId: string) => ({
    sub: userId,
    iss: `https://${CLERK_HOST}`,
    azp: TEST_ORIGIN,
    iat: seconds(-5),
    nbf: seconds(-15),
    exp: seconds(55),
  });
  const clerk: FakeClerk = {
    env: {
      ...testEnv,
      CLERK_PUBLISHABLE_KEY: publishableKeyOf(CLERK_HOST),
      CLERK_SECRET_KEY: "sk_live_of_a_test",
      CLERK_JWT_KEY: keys.publicPem,
      CLERK_JWT_TEMPLATE: "production",
      CLERK_WEBHOOK_SIGNING_SECRET: WEBHOOK_SECRET,
      CLERK_API_URL: API_URL,
    },
    keys,
    webhookSecret: WEBHOOK_SECRET,
    calls: [],
    isDown: false,
    users,
    addUser(person) {
      const id = clerk.idOf(person);
      users.set(id, clerkUser(id, person));
      return id;
    },
    idOf: ({ username }) => `user_${username.replaceAll(/[^a-z0-9]/gi, "")}`,
    async cookie(userId, changes = {}, header = {}) {
      const token = await keys.sign(
        { ...claims(userId), sid: `sess_${userId}`, fva: [0, -1], ...changes },
        { cat: SESSION_CATEGORY, ...header },
      );
      return `__session=${token}; __client_uat=${seconds(-60)}`;
    },
    token: (userId, changes = {}, header = {}) =>
      keys.sign(
        { ...claims(userId), jti: crypto.randomUUID(), tpl: "production", ...changes },
        { cat: TEMPLATE_CATEGORY, ...header },
      ),
  };
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { origin, pathname } = new URL(request.url);
    clerk.calls.push(`${request.method} ${pathname}`);
    if (clerk.isDown || origin !== API_URL) throw new TypeError("network");
    if (request.headers.get("Authorization") !== "Bearer sk_live_of_a_test")
      return Response.json({}, { status: 401 });
    const revoked = /^\/v1\/sessions\/([^/]+)\/revoke$/.exec(pathname)?.[1];
    if (revoked)
      return Response.json({}, { status: ended.has(revoked) ? 404 : (ended.add(revoked), 200) });
    const userId = /^\/v1\/users\/([^/]+)$/.exec(pathname)?.[1] ?? "";
    if (request.method === "DELETE")
      return Response.json({}, { status: users.delete(userId) ? 200 : 404 });
    const user = users.get(userId);
    return user ? Response.json(user) : Response.json({}, { status: 404 });
  });
  return clerk;
}

/** Returns a user in the format of Clerk's Backend API and webhooks. */
export function clerkUser(
  id: string,
  { name, username, email }: Pick<Somebody, "name" | "username" | "email">,
  changes: object = {},
): object {
  const [first_name, ...rest] = name.split(" ");
  return {
    object: "user",
    id,
    username,
    first_name,
    last_name: rest.join(" "),
    banned: false,
    primary_email_address_id: "idn_1",
    email_addresses: [
      {
        object: "email_address",
        id: "idn_1",
        email_address: email,
        verification: { status: "verified", strategy: "email_code" },
      },
    ],
    created_at: 1,
    updated_at: 1,
    ...changes,
  };
}
