import { env } from "cloudflare:workers";
import type { LiveTopic } from "#workers/live/topic.ts";
import type { Env } from "#app/configuration/env.ts";

type TestEnv = Env & {
  PSP_DB: D1Database;
  /** As `LIVE`, which is not bound, so that pages poll where a test does not ask for sockets. */
  LIVE_TOPICS: DurableObjectNamespace<LiveTopic>;
};

/** The bindings of a `*.worker.test.ts`: the product's own and the sandbox provider's database. */
export const testEnv = env as unknown as TestEnv;
