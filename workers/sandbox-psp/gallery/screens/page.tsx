import { html, type Markup } from "#workers/sandbox-psp/pages/html.ts";
import { renderScreen } from "./render.tsx";
import type { GalleryScreen } from "./screen.ts";
import { GALLERY_SCREENS } from "./screens.ts";

/** The pages around the examples: not the product's own, which has no such list. */
const STYLE = `.gallery{display:grid;gap:32px;padding:16px;grid-template-columns:minmax(0,1fr);max-width:1400px;margin:0 auto}
.gallery>section{min-width:0;max-width:640px;width:100%;contain:layout}
.gallery>section[data-wide]{max-width:none;grid-column:1/-1}
.gallery h2.state{font:600 14px/20px var(--font-text);color:var(--muted);margin:0 0 8px}
.gallery-links{display:flex;flex-wrap:wrap;gap:4px 16px;padding:16px;max-width:1400px;margin:0 auto}
.gallery-links a{display:inline-flex;min-height:44px;align-items:center;text-decoration:underline}
.gallery-title{font:700 28px/32px var(--font-display);padding:16px 16px 0;max-width:1400px;margin:0 auto}
@media (min-width:1100px){.gallery{grid-template-columns:repeat(2,minmax(0,1fr))}}
*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important}`;

type Theme = "light" | "dark";

/**
 * Answers a page of the gallery, or null where there is none of that name. `head` are the product's
 * own links to its style sheet and fonts.
 */
export function galleryScreenPage(
  slug: string,
  { theme, head }: { theme: Theme; head: string },
): Response | null {
  const screen = GALLERY_SCREENS.find((one) => one.slug === slug);
  if (!screen) return null;
  const body = screen.isWhole
    ? renderScreen(screen.parts[0]?.element, `/sandbox/gallery/${slug}`)
    : galleryBody(screen, theme);
  return new Response(
    `<!doctype html>
<html lang="pt-BR" class="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${screen.title} · Galeria · Coreto</title>
${head}
<style>${STYLE}</style>
</head>
<body>${body}</body>
</html>`,
    {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy":
          "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:; media-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    },
  );
}

function galleryBody(screen: GalleryScreen, theme: Theme): string {
  const path = `/sandbox/gallery/${screen.slug}`;
  return `<header><h1 class="gallery-title">${screen.title}</h1>${screenLinks(theme).markup}</header>
<main class="gallery">${screen.parts
    .map(
      ({ name, element, isWide }, index) =>
        `<section${isWide ? " data-wide" : ""}><h2 class="state">${html`${name}`.markup}</h2>${renderScreen(element, path, `p${index}-`)}</section>`,
    )
    .join("")}</main>`;
}

/** Links to every page of the gallery, in one theme. */
function screenLinks(theme: Theme): Markup {
  return html`<nav aria-label="Galeria" class="gallery-links">${GALLERY_SCREENS.map(
    ({ slug, title }) => html`<a href="/sandbox/gallery/${slug}?theme=${theme}">${title}</a>`,
  )}</nav>`;
}
