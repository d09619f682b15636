import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";

export const discoverySteps = {
  refresh: {
    name: "discovery.refresh",
    event: "notifications.discovery_failed",
    run: refreshDiscovery,
  },
} satisfies Record<string, Step>;
