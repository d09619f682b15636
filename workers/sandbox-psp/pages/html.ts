/** Escaped markup, safe to send. Only `html` creates it. */
export type Markup = { readonly markup: string };

type HtmlPart = Markup | string | number | null | false | undefined | readonly Markup[];

/** Builds markup from a template. Every hole is escaped, unless it holds markup. */
export function html(parts: TemplateStringsArray, ...holes: readonly HtmlPart[]): Markup {
  return { markup: parts.reduce((text, part, index) => text + textOf(holes[index - 1]) + part) };
}

/** Only for the style sheets and scripts of this worker, never for input. */
const trusted = (text: string): Markup => ({ markup: text });

function textOf(piece: HtmlPart): string {
  if (piece === null || piece === undefined || piece === false) return "";
  if (typeof piece === "string" || typeof piece === "number") return escape(String(piece));
  return "markup" in piece ? piece.markup : piece.map(({ markup }) => markup).join("");
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

export type SandboxPage = {
  title: string;
  /** Portuguese by default. */
  lang?: string;
  body: Markup;
  style: string;
  /** Forces light or dark; null follows the system. */
  theme?: "light" | "dark" | null;
  script?: string;
  status?: number;
  /** Who may frame the page; nobody by default. */
  frameAncestors?: string;
  /** Where forms may lead, redirects included. */
  formAction?: string;
};

/** Builds a whole page, with the strictest policy that works. */
export function pageResponse(page: SandboxPage): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "style-src 'unsafe-inline'",
    page.script ? `script-src 'nonce-${nonce}'` : "script-src 'none'",
    "connect-src 'self'",
    `form-action ${page.formAction ?? "'self'"}`,
    `frame-ancestors ${page.frameAncestors ?? "'none'"}`,
  ].join("; ");
  const script = page.script
    ? html`<script nonce="${nonce}">${trusted(page.script)}</script>`
    : null;
  const document = html`<!doctype html>
<html lang="${page.lang ?? "pt-BR"}"${page.theme ? html` data-theme="${page.theme}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<style>${trusted(page.style)}</style>
</head>
<body>${page.body}${script}</body>
</html>`;
  return new Response(document.markup, {
    status: page.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}
