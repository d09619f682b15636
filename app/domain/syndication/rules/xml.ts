/** Characters that XML 1.0 does not allow in any form. Source: https://www.w3.org/TR/xml/#charsets */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes `text` for an element or attribute of XML and HTML. A lone surrogate becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, "")
    .replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}

type Attributes = Record<string, string | number>;

/** Writes an element that contains text. */
export function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return `<${name}${written(attributes)}>${escapeXml(text)}</${name}>`;
}

/** Writes an element that contains written elements. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  return children.length === 0
    ? `<${name}${written(attributes)}/>`
    : `<${name}${written(attributes)}>${children.join("")}</${name}>`;
}

/** Writes a whole document. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
}
