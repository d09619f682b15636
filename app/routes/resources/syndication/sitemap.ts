import { allSitemapFiles } from "#app/domain/syndication/queries/sitemap.server.ts";
import { sitemapIndex } from "#app/domain/syndication/rules/sitemap.ts";
import { domainContext } from "#app/http/contexts.ts";
import { textDocumentResponse } from "#app/http/public-pages/feeds.server.ts";
import { SITEMAP_HEADERS, XML_CONTENT_TYPE } from "#app/http/headers/sitemap-headers.ts";
import type { Route } from "./+types/sitemap.ts";

/** Lists the files of the sitemap. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  return textDocumentResponse(
    sitemapIndex(await allSitemapFiles(ctx), ctx.settings.appOrigin),
    XML_CONTENT_TYPE,
    SITEMAP_HEADERS,
  );
}
