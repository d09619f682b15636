import { testCards } from "#workers/sandbox-psp/cards/cards.ts";
import { consoleStyle } from "#workers/sandbox-psp/console/console-style.ts";
import { chapters, rules } from "./docs.ts";
import type { Chapter } from "./docs.ts";
import { html, pageResponse } from "./html.ts";
import type { Markup } from "./html.ts";
import { knownKeys } from "#workers/sandbox-psp/pix/pix-keys.ts";
import { magicKeys } from "#workers/sandbox-psp/transfers.ts";

/** `/docs`: the provider's public documentation, on one page without JavaScript. */
export function docsPage(publicUrl: string): Response {
  return pageResponse({
    title: "Sandbox provider · API",
    lang: "en",
    style: consoleStyle,
    body: html`<header><h1>Sandbox provider</h1><p class="muted">A payment provider that behaves like a real one. Base address: <code>${publicUrl}</code>. The same as JSON: <code>GET /v1/docs</code>.</p></header>
<main>
${rules.map((rule) => html`<section><h2>${rule.title}</h2><p>${rule.says}</p></section>`)}
${chapters.map(chapterSection)}
<section><h2>Test cards</h2><ul class="rows">${testCards.map((card) => html`<li><div class="line"><code>${card.number}</code><span class="small muted">${card.behaviour}</span></div></li>`)}</ul></section>
<section><h2>Test owners of keys</h2><ul class="rows">${knownKeys.map((testKey) => html`<li><div class="line"><code>${testKey.key}</code><span class="small muted">${testKey.owner ? `is of ${testKey.owner.name}, ${testKey.owner.tax_id}` : "is nobody's"}</span></div></li>`)}</ul></section>
<section><h2>Test destinations</h2><ul class="rows">${magicKeys.map((magic) => html`<li><div class="line"><code>${magic.key}</code><span class="small muted">${magic.outcome}</span></div></li>`)}</ul></section>
</main>`,
  });
}

function chapterSection({ title, says, endpoints }: Chapter): Markup {
  return html`<section><h2>${title}</h2><p class="muted small">${says}</p>
<ul class="rows">${endpoints.map((endpoint) => html`<li><div class="line"><code>${endpoint.call}${endpoint.body ? ` ${endpoint.body}` : ""}</code><span class="small muted">${endpoint.says}</span></div></li>`)}</ul></section>`;
}
