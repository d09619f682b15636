import { env } from "cloudflare:workers";
import type { Env } from "#app/configuration/env.ts";

/**
 * What a `*.worker.test.ts` runs with: the product's own bindings, and the sandbox provider's
 * database.
 */
export const testEnv = env as unknown as Env & { PSP_DB: D1Database };
