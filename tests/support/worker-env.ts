import { env } from "cloudflare:workers";
import type { Env } from "#app/configuration/env.ts";

/** The bindings of a `*.worker.test.ts`: the product's own and the sandbox provider's database. */
export const testEnv = env as unknown as Env & { PSP_DB: D1Database };
