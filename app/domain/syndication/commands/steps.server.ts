import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";
import { cutSitemap } from "#app/domain/syndication/commands/sitemap.server.ts";

export const syndicationSteps = {
  // Cuts the sitemap where it grew.
  cutSitemap: {
    name: "syndication.cut_sitemap",
    event: "syndication.sitemap_failed",
    run: (ctx) => cutSitemap(ctx),
  },
} satisfies Record<string, Step>;
