import { sitemapEntries } from "#app/domain/syndication/queries/sitemap.server.ts";
import {
  PRODUCT_PAGES,
  parseSitemapPath,
  sitemapFile,
} from "#app/domain/syndication/rules/sitemap.ts";
import { domainContext } from "#app/http/contexts.ts";
import { textDocumentResponse } from "#app/http/public-pages/feeds.server.ts";
import { SITEMAP_HEADERS, XML_CONTENT_TYPE } from "#app/http/headers/sitemap-headers.ts";
import type { Route } from "./+types/sitemap-file.ts";

/** Returns one file of the sitemap: the pages of it that a visitor can open today. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const asked = parseSitemapPath(params.file);
  const entries =
    params.file === "site.xml" ? PRODUCT_PAGES : asked && (await sitemapEntries(ctx, asked));
  if (!entries)
    return new Response("Não encontramos este mapa.", {
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  return textDocumentResponse(
    sitemapFile(entries, ctx.settings.appOrigin),
    XML_CONTENT_TYPE,
    SITEMAP_HEADERS,
  );
}
