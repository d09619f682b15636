/**
 * What XML 1.0 does not allow in a document in any form. Source:
 * https://www.w3.org/TR/xml/#charsets
 */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * `text` as it may stand in an element or an attribute, of XML and of HTML. Half a letter becomes
 * U+FFFD.
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, "")
    .replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}

type Attributes = Record<string, string | number>;

/** An element with text in it. */
export function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return `<${name}${written(attributes)}>${escapeXml(text)}</${name}>`;
}

/** An element of elements that are written already. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  return children.length === 0
    ? `<${name}${written(attributes)}/>`
    : `<${name}${written(attributes)}>${children.join("")}</${name}>`;
}

/** A whole document. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
}
