const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/g;
const FRAME =
  "margin:0 auto;max-width:560px;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1f2a24";

/**
 * Renders an email's text as HTML: a paragraph for each of the text's, and links for its addresses.
 * Adds no content.
 */
export function emailHtml(text: string): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .map(
      (paragraph) => `<p style="margin:0 0 16px">${linked(paragraph).replaceAll("\n", "<br>")}</p>`,
    );
  return `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><body><div style="${FRAME}">${paragraphs.join("")}</div></body></html>`;
}

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
