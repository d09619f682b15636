import type { Env } from "#app/configuration/env.ts";
import { verifiedTopic } from "#app/integrations/live/live-updates.server.ts";

type ListeningEnv = Pick<Env, "APP_ORIGIN" | "AUTH_SECRET" | "CLERK_SECRET_KEY" | "LIVE">;

/**
 * Connects a page to a topic. Requires an address that our server signed, our own origin, and an
 * address that has not expired.
 */
export async function listen(
  request: Request,
  env: ListeningEnv,
  now = Date.now(),
): Promise<Response> {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
    return refused(426, "websocket only");
  if (request.headers.get("Origin") !== env.APP_ORIGIN) return refused(403, "another site");
  const topic = await verifiedTopic(env, new URL(request.url), now);
  if (topic === null) return refused(403, "an address that was not given, or is over");
  if (!env.LIVE) return refused(503, "nobody to listen to");
  return await env.LIVE.get(env.LIVE.idFromName(topic)).fetch(request);
}

function refused(status: number, why: string): Response {
  return new Response(why, {
    status,
    headers: { "Cache-Control": "no-store", ...(status === 426 ? { Upgrade: "websocket" } : {}) },
  });
}
