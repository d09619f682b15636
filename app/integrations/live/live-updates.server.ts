import type { Log } from "#app/domain/context.ts";
import type { LiveUpdates } from "#app/domain/notifications/schema/senders.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Env } from "#app/configuration/env.ts";
import { hmac } from "#app/integrations/hmac.server.ts";

type Secrets = Pick<Env, "AUTH_SECRET" | "CLERK_SECRET_KEY">;
const signerOf = (env: Secrets) =>
  hmac(env.CLERK_SECRET_KEY || env.AUTH_SECRET || "", "coreto live topic 1");

/**
 * Implements live updates with one Durable Object per topic. A failed update is only logged:
 * waiting pages also poll.
 */
export function liveUpdates(env: Secrets & Pick<Env, "LIVE">, log: Log): LiveUpdates {
  const signer = signerOf(env);
  type Topic = ReturnType<NonNullable<typeof env.LIVE>["get"]>;
  async function attempt<Answer>(
    topic: string,
    call: (live: Topic) => Promise<Answer>,
  ): Promise<Answer | null> {
    if (!env.LIVE) return null;
    try {
      return await call(env.LIVE.get(env.LIVE.idFromName(topic)));
    } catch (error) {
      log("live.news_lost", { error: error instanceof Error ? error.message : "unknown" });
      return null;
    }
  }
  return {
    changed: async (topic, gatherMs = 0) => {
      await attempt(topic, (live) => live.notify(gatherMs));
    },
    typing: async (topic, conversationId) => {
      await attempt(topic, (live) => live.sendTyping(conversationId));
    },
    isListening: async (topic) => (await attempt(topic, (live) => live.isListening())) ?? false,
    async address(topic, until) {
      const asked = new URLSearchParams({
        until: String(until),
        ticket: await signer.sign(signedText(topic, until)),
      });
      return `/live/${encodeURIComponent(topic)}?${asked}`;
    },
  };
}

/** Verifies an address of `address` that has not expired at `now`. Returns its topic, or null. */
export async function verifiedTopic(
  env: Secrets,
  { pathname, searchParams }: URL,
  now: Instant,
): Promise<string | null> {
  const topic = /^\/live\/([\w%-]{1,128})$/.exec(pathname)?.[1]?.replaceAll(/%3a/gi, ":");
  const until = /^\d{1,16}$/.test(searchParams.get("until") ?? "")
    ? Number(searchParams.get("until"))
    : 0;
  if (!topic || until <= now) return null;
  return (await signerOf(env).isGenuine(signedText(topic, until), searchParams.get("ticket") ?? ""))
    ? topic
    : null;
}

const signedText = (topic: string, until: Instant): string => `${topic}\n${until}`;
