import type { PageCache } from "#app/domain/profiles/schema.ts";
import {
  edgeCache,
  PURGE_MARK_SECONDS,
  PURGED_AT_HEADER,
  purgeMarkUrl,
} from "#app/lib/edge-cache.ts";

/** The zone of the product's domain, and a token that may purge its cache ("Cache Purge"). */
export type PurgedZone = { zoneId: string; apiToken: string; apiUrl?: string };

type PageCacheOptions = {
  origin: string;
  realNow(): number;
  /** Null where one data center has every page, as on one machine. */
  zone: PurgedZone | null;
};

/** Clocks of two machines differ, and a replica of the database is a little behind. */
const MARGIN_MS = 200;
const TIMEOUT_MS = 5_000;

/**
 * Purges stored pages by a mark in the cache of this data center, which also refuses a page whose
 * rendering began before the change. Other data centers purge by tag, through Cloudflare's API.
 * Throws when the API does not answer, so that the purge is repeated. Source: Cloudflare's docs,
 * "Purge cache by cache-tags".
 */
export function edgePageCache({ origin, realNow, zone }: PageCacheOptions): PageCache {
  return {
    async purge(tags) {
      const purgedAt = String(realNow() + MARGIN_MS);
      await Promise.all(
        tags.map((tag) => edgeCache().put(purgeMarkUrl(origin, tag), markOf(purgedAt))),
      );
      if (zone) await purgeEverywhere(zone, tags);
    },
  };
}

const markOf = (purgedAt: string): Response =>
  new Response(null, {
    headers: {
      "Cache-Control": `public, max-age=${PURGE_MARK_SECONDS}`,
      [PURGED_AT_HEADER]: purgedAt,
    },
  });

async function purgeEverywhere(
  { zoneId, apiToken, apiUrl = "https://api.cloudflare.com/client/v4" }: PurgedZone,
  tags: readonly string[],
): Promise<void> {
  const response = await fetch(`${apiUrl}/zones/${zoneId}/purge_cache`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tags }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The purge API answered ${response.status}`);
}
