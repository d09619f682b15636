import display from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff?bytes";
import displayExtended from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-800-normal.woff?bytes";
import text from "@fontsource/figtree/files/figtree-latin-600-normal.woff?bytes";
import textExtended from "@fontsource/figtree/files/figtree-latin-ext-600-normal.woff?bytes";
import { inflateSync } from "node:zlib";

const WOFF_HEADER_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/** Loads the product's two fonts, Latin with accents, in the renderer's format. */
export function loadFonts(): Uint8Array[] {
  return [display, displayExtended, text, textExtended].map(sfntOf);
}

/**
 * Unpacks a WOFF font to SFNT: the same tables, one after the other. Source:
 * https://www.w3.org/TR/WOFF/
 */
function sfntOf(woff: Uint8Array): Uint8Array {
  const packed = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const count = packed.getUint16(12);
  const font = new Uint8Array(packed.getUint32(16));
  const written = new DataView(font.buffer);
  written.setUint32(0, packed.getUint32(4));
  written.setUint16(4, count);
  let at = SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * count;
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER_BYTES + WOFF_ENTRY_BYTES * index;
    const [offset, packedLength, length] = [
      packed.getUint32(entry + 4),
      packed.getUint32(entry + 8),
      packed.getUint32(entry + 12),
    ];
    const table = woff.subarray(offset, offset + packedLength);
    font.set(packedLength < length ? inflateSync(table) : table, at);
    const row = SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * index;
    written.setUint32(row, packed.getUint32(entry));
    written.setUint32(row + 4, packed.getUint32(entry + 16));
    written.setUint32(row + 8, at);
    written.setUint32(row + 12, length);
    at += Math.ceil(length / 4) * 4;
  }
  return font;
}
