import { sql } from "drizzle-orm";
import { openDatabase } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import { parseChaos } from "./chaos.ts";
import type { Chaos } from "./chaos.ts";
import { rememberOffset } from "./clock.ts";
import type { SandboxEnv, WaitUntilContext } from "./env.ts";
import { settings } from "./tables.ts";

/** The dependencies of a request of the provider. */
export type Psp = {
  env: SandboxEnv;
  db: Database;
  /** The product's time, which the test clock moves. */
  now(): number;
  /** The wall clock: signatures and deliveries use it. */
  realNow(): number;
  chaos: Chaos;
  /** False if the caller asked for no webhooks of the request (the seed does). */
  announces: boolean;
  later(work: Promise<unknown>): void;
};

/** Reads the switches and the clock, once per request. */
export async function openPsp(
  env: SandboxEnv,
  waiter: WaitUntilContext,
  announces = true,
): Promise<Psp> {
  const db = openDatabase(env.PSP_DB);
  const rows = await db.select().from(settings);
  const values = new Map(rows.map((row) => [row.name, row.value]));
  const offsetMs = rememberOffset(Number(values.get("clock_offset_ms") ?? "0"));
  return {
    env,
    db,
    now: () => Date.now() + offsetMs,
    realNow: () => Date.now(),
    chaos: parseChaos(values.get("chaos")),
    announces,
    later: (work) => waiter.waitUntil(work),
  };
}

export function settingStatement(
  db: Database,
  name: "chaos" | "clock_offset_ms" | "last_request_had_cookie",
  value: string,
) {
  return db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}

/**
 * Consumes one from a counted switch; two parallel requests never consume the same one. Returns
 * whether one was left.
 */
export async function consumeSwitch(
  psp: Psp,
  name: "drop" | "api_errors" | "timeouts" | "rate_limits" | "malformed",
): Promise<boolean> {
  if (psp.chaos[name] === 0) return false;
  const path = `$.${name}`;
  const taken = await psp.db
    .update(settings)
    .set({
      value: sql`json_set(${settings.value}, ${path}, json_extract(${settings.value}, ${path}) - 1)`,
    })
    .where(sql`${settings.name} = 'chaos' AND json_extract(${settings.value}, ${path}) > 0`)
    .returning({ name: settings.name });
  return taken.length === 1;
}

/** True with a chance of `percent`. */
export const happensByChance = (percent: number): boolean =>
  percent > 0 && Math.random() * 100 < percent;

/** The first `length` hex digits of the SHA-256 of `text`. */
export async function digest(text: string, length = 64): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
  );
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, length);
}

export const randomId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
