import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { splitSitemapFiles } from "./sitemap.server.ts";

export const syndicationSteps = {
  // Splits sitemap files that grew.
  cutSitemap: {
    name: "syndication.cut_sitemap",
    event: "syndication.sitemap_failed",
    run: (ctx) => splitSitemapFiles(ctx),
  },
} satisfies Record<string, Step>;
