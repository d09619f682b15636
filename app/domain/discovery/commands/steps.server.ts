import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const discoverySteps = {
  refresh: {
    name: "discovery.refresh",
    event: "notifications.discovery_failed",
    run: refreshDiscovery,
  },
} satisfies Record<string, Step>;
