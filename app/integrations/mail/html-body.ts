import type { Mailer } from "#app/domain/notifications/schema/senders.ts";

const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/g;
const PREHEADER_LETTERS = 140;

/** Colours of the light theme, written on each element: some programs drop the style sheet. */
const INK = "#1f2a24";
const MUTED = "#5b655f";
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:#0b5d3b}
img{display:block;max-width:100%;height:auto;border-radius:12px}
blockquote{margin:0 0 16px;border-left:3px solid #2fd867;padding-left:14px}
pre{overflow-x:auto;white-space:pre-wrap}
@media (prefers-color-scheme:dark){
  body,.paper{background:#0f1311!important}
  .card{background:#171c19!important;border-color:#2b322e!important}
  .ink,.ink p{color:#f1f3f1!important}
  .muted,.muted p{color:#a9b3ad!important;border-color:#2b322e!important}
  a{color:#4be27a!important}
  .button{background:#4be27a!important;color:#0c1a11!important}
}`;

/** A column for Outlook on Windows, which renders with Word and knows no greatest width. */
const WORD_COLUMN = {
  opened: `<!--[if mso]><table role="presentation" align="center" width="560"><tr><td><![endif]-->`,
  closed: "<!--[if mso]></td></tr></table><![endif]-->",
};

type Mail = Pick<
  Parameters<Mailer["send"]>[0],
  | "subject"
  | "body"
  | "html"
  | "preheader"
  | "actionUrl"
  | "actionLabel"
  | "reason"
  | "unsubscribeUrl"
  | "openingCount"
>;

/**
 * Renders an email as HTML, with the same content as its text: a paragraph for each of the text's,
 * links for its addresses, a button to the page that it is about, and small print for why it came.
 * Nothing that a person typed becomes a button. `html` stands in place of the text's paragraphs.
 * Programs show `preheader`, or the first words, beside the subject. Dark where the reader's
 * program is.
 */
export function emailHtml({
  subject,
  body,
  html,
  preheader = "",
  actionUrl,
  actionLabel,
  reason,
  unsubscribeUrl,
  openingCount,
}: Mail): string {
  const paragraphs = body.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  const shownFirst = (preheader || (paragraphs[0] ?? ""))
    .replaceAll(/\s+/g, " ")
    .slice(0, PREHEADER_LETTERS);
  return [
    `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title><style>${STYLE}</style></head>`,
    `<body style="margin:0;background:#f6f3ea"><div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(shownFirst)}</div>`,
    `<div class="paper" style="background:#f6f3ea;padding:24px 12px">${WORD_COLUMN.opened}<div class="card" style="margin:0 auto;max-width:560px;border:1px solid #e6e1d3;border-radius:16px;background:#ffffff;padding:28px 24px;font-family:'Segoe UI',Roboto,system-ui,-apple-system,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word">`,
    `<div class="ink" style="color:${INK}"><p style="margin:0 0 20px;font-size:18px;font-weight:700">Coreto</p>${html ?? paragraphs.map(paragraphHtml).join("")}${actionUrl === undefined ? "" : buttonHtml(actionUrl, actionLabel)}</div>`,
    reason === undefined ? "" : reasonHtml({ reason, unsubscribeUrl, openingCount }),
    openingCount === undefined
      ? ""
      : `<img src="${escaped(openingCount.pixelUrl)}" alt="" width="1" height="1" style="border-radius:0">`,
    `</div>${WORD_COLUMN.closed}</div></body></html>`,
  ].join("");
}

const paragraphHtml = (paragraph: string): string =>
  `<p style="margin:0 0 16px">${linked(paragraph).replaceAll("\n", "<br>")}</p>`;

const buttonHtml = (url: string, label = "Abrir no Coreto"): string =>
  `<p style="margin:20px 0"><a class="button" href="${escaped(url)}" style="display:inline-block;border-radius:999px;background:#2fd867;color:#0c1a11;padding:12px 22px;font-weight:600;text-decoration:none">${escaped(label)}</a></p>`;

/** The address that stops such emails is a link, not a line of signs. */
const reasonHtml = ({
  reason,
  unsubscribeUrl,
  openingCount,
}: Pick<Mail, "unsubscribeUrl" | "openingCount"> & { reason: string }): string =>
  `<div class="muted" style="margin-top:24px;border-top:1px solid #e6e1d3;padding-top:16px;color:${MUTED};font-size:13px"><p style="margin:0">${escaped(reason)}${unsubscribeUrl === undefined ? "" : ` <a href="${escaped(unsubscribeUrl)}">Não receber mais</a>`}</p>${openingCount === undefined ? "" : `<p style="margin:8px 0 0">Uma imagem invisível conta que este e-mail foi aberto. <a href="${escaped(openingCount.settingsUrl)}">Não contar</a></p>`}</div>`;

function linked(text: string): string {
  let html = "";
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    html += `${escaped(text.slice(from, index))}<a href="${escaped(address)}" style="color:#0b5d3b">${escaped(address)}</a>`;
    from = index + address.length;
  }
  return html + escaped(text.slice(from));
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
