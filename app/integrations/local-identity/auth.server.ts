import { USERNAME_MAX, USERNAME_MIN } from "#app/domain/identity/rules/username-length.ts";
import { betterAuth } from "better-auth/minimal";
import { bearer, username } from "better-auth/plugins";
import { openDatabase } from "#app/db/client.server.ts";
import { PASSWORD_MAX_BYTES, PASSWORD_MIN } from "#app/domain/identity/schema.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { createSessionPlugin } from "./sessions/create-session.server.ts";
import { sessionAdapter } from "./sessions/session-adapter.server.ts";

export type LocalIdentityOptions = { db: D1Database; secret: string; origin: string };

const DAY_SECONDS = 24 * 60 * 60;
/** A session expires this long after its last use. */
export const SESSION_SECONDS = 7 * DAY_SECONDS;
/** How late a revocation may take effect. Source: design, identity. */
const COOKIE_CACHE_SECONDS = 30;

const COOKIE_ATTRIBUTES = { secure: true, httpOnly: true, sameSite: "lax", path: "/" } as const;

/**
 * Configures better-auth with our tables. Sessions are read from the primary database, so that one
 * ended elsewhere is ended here.
 */
function makeAuth({ db, secret, origin }: LocalIdentityOptions) {
  return betterAuth({
    appName: "Coreto",
    baseURL: origin,
    secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: sessionAdapter(openDatabase(db)),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX_BYTES,
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY_SECONDS,
      cookieCache: { enabled: true, maxAge: COOKIE_CACHE_SECONDS },
    },
    // Attempts are counted in rate-limits.server.ts. better-auth limits only its own routes, and we
    // open none.
    rateLimit: { enabled: false },
    plugins: [
      username({
        displayUsername: false,
        minUsernameLength: USERNAME_MIN,
        maxUsernameLength: USERNAME_MAX,
        usernameValidator: (candidate) => /^[a-z0-9._-]+$/i.test(candidate),
      }),
      bearer({ requireSignature: true }),
      createSessionPlugin(),
    ],
    advanced: {
      database: { generateId: () => timeOrderedId(Date.now()) },
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
      useSecureCookies: false, // the names below carry the stronger prefix themselves
      cookies: {
        session_token: { name: "__Host-coreto-session", attributes: COOKIE_ATTRIBUTES },
        session_data: { name: "__Host-coreto-session-data", attributes: COOKIE_ATTRIBUTES },
        dont_remember: { name: "__Host-coreto-brief", attributes: COOKIE_ATTRIBUTES },
      },
    },
  });
}

export type LocalAuth = ReturnType<typeof makeAuth>;

const instances = new WeakMap<D1Database, LocalAuth>();

/** One instance per database binding: creating one takes milliseconds. */
export function localAuth(options: LocalIdentityOptions): LocalAuth {
  const cached = instances.get(options.db);
  if (cached) return cached;
  const made = makeAuth(options);
  instances.set(options.db, made);
  return made;
}
