import { sitemapKinds } from "#app/domain/syndication/schema.ts";
import type { SitemapEntry, SitemapPage } from "#app/domain/syndication/schema.ts";
import { element, textElement, xmlDocument } from "./xml.ts";

const NAMESPACE = { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" };

/** The product's own pages. */
export const PRODUCT_PAGES: readonly SitemapEntry[] = [
  "/",
  "/explore",
  "/explore/pessoas",
  "/explore/imagens",
  "/explore/videos",
  "/explore/audios",
  "/explore/pdfs",
  "/explore/textos",
  "/ajuda",
  "/auth/login",
  "/auth/register",
  "/terms",
  "/terms/creators",
  "/terms/privacy",
  "/terms/cookies",
].map((path) => ({ path, changedAt: null }));

/** Returns the path of a sitemap file. */
const sitemapPath = ({ kind, id }: Pick<SitemapPage, "kind" | "id">): string =>
  `/sitemaps/${kind}-${id}.xml`;
const PRODUCT_SITEMAP_PATH = "/sitemaps/site.xml";

/** Parses a path under /sitemaps/; null for anything that `sitemapPath` did not write. */
export function parseSitemapPath(file: string): Pick<SitemapPage, "kind" | "id"> | null {
  const asked = /^([a-z]+)-(\d{1,9})\.xml$/.exec(file);
  const kind = sitemapKinds.find((sitemapKind) => sitemapKind === asked?.[1]);
  return asked && kind ? { kind, id: Number(asked[2]) } : null;
}

/** Writes the index of every file. Source: https://www.sitemaps.org/protocol.html */
export function sitemapIndex(pages: readonly SitemapPage[], origin: string): string {
  const files = [
    { path: PRODUCT_SITEMAP_PATH, changedAt: null },
    ...pages.map((page) => ({ path: sitemapPath(page), changedAt: page.changedAt })),
  ];
  return xmlDocument(
    element(
      "sitemapindex",
      NAMESPACE,
      files.map((file) => located("sitemap", file, origin)),
    ),
  );
}

/** Writes one sitemap file. */
export function sitemapFile(entries: readonly SitemapEntry[], origin: string): string {
  return xmlDocument(
    entries.length === 0
      ? `<urlset xmlns="${NAMESPACE.xmlns}"></urlset>`
      : element(
          "urlset",
          NAMESPACE,
          entries.map((entry) => located("url", entry, origin)),
        ),
  );
}

function located(name: string, { path, changedAt }: SitemapEntry, origin: string): string {
  return element(name, {}, [
    textElement("loc", origin + path),
    ...(changedAt === null ? [] : [textElement("lastmod", new Date(changedAt).toISOString())]),
  ]);
}
