import type { ViewDataset } from "./points.server.ts";

/** The binding of a dataset. It returns at once and never fails. */
type Binding = {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
};

/**
 * The platform's Analytics Engine: written through the binding, read through its SQL API. Throws
 * when the API does not answer, so that a sum is made again later. Source: Cloudflare's docs,
 * "Analytics Engine: SQL API".
 */
export function cloudflareDataset({
  binding,
  accountId,
  apiToken,
  apiUrl = "https://api.cloudflare.com/client/v4",
}: {
  binding: Binding;
  accountId: string;
  apiToken: string;
  apiUrl?: string;
}): ViewDataset {
  return {
    writeDataPoint: async (point) => binding.writeDataPoint(point),
    async query(sql) {
      const response = await fetch(`${apiUrl}/accounts/${accountId}/analytics_engine/sql`, {
        method: "POST",
        headers: { Authorization: `Bearer ${apiToken}` },
        body: sql,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`Analytics Engine answered ${response.status}`);
      const { data } = await response.json<{ data: Record<string, unknown>[] }>();
      return data;
    },
    timeText: (seconds) => `toDateTime(${seconds})`,
    // The platform drops points by itself.
    forget: () => Promise.resolve(),
  };
}

const TIMEOUT_MS = 20_000;
