import type { Inspection, Source } from "./inspection.ts";

/**
 * An EBML element (RFC 8794), as in Matroska and WEBM. `end` is null for an unknown size, as in a
 * live recording.
 */
export type Element = { id: number; start: number; bodyStart: number; end: number | null };

const ELEMENTS_MAX = 500;
const HEADER_BYTES = 12;

/**
 * Reads the elements from `start` on. Stops at `end`, after one of unknown size, or after one
 * called `last`.
 */
export function* childrenOf(
  source: Source,
  start: number,
  end: number,
  last?: number,
): Inspection<Element[]> {
  const children: Element[] = [];
  let at = start;
  while (at < end && children.length < ELEMENTS_MAX) {
    const child = yield* elementAt(source, at);
    if (!child) break;
    children.push(child);
    if (child.id === last || child.end === null) break;
    at = child.end;
  }
  return children;
}

/** Reads the element at `at` in the file, or null when none starts there. */
export function* elementAt(source: Source, at: number): Inspection<Element | null> {
  const header = headerOf(yield* source.read(at, HEADER_BYTES), 0);
  return (
    header && {
      id: header.id,
      start: at,
      bodyStart: at + header.bodyStart,
      end: header.end === null ? null : at + header.end,
    }
  );
}

/**
 * Reads an element header in `bytes`, with positions relative to them. The id has up to four bytes
 * and the size up to eight. The first bits of each tell its length.
 */
export function headerOf(bytes: DataView, at: number): Element | null {
  const there = bytes.byteLength - at;
  if (there < 2) return null;
  const idLength = Math.clz32(bytes.getUint8(at)) - 23;
  if (idLength > 4 || there < idLength + 1) return null;
  let id = 0;
  for (let index = 0; index < idLength; index += 1) id = id * 256 + bytes.getUint8(at + index);
  const first = bytes.getUint8(at + idLength);
  const sizeLength = Math.clz32(first) - 23;
  if (sizeLength > 8 || there < idLength + sizeLength) return null;
  let size = first & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = 1; index < sizeLength; index += 1) {
    const byte = bytes.getUint8(at + idLength + index);
    size = size * 256 + byte;
    isUnknown = isUnknown && byte === 0xff;
  }
  const bodyStart = at + idLength + sizeLength;
  return { id, start: at, bodyStart, end: isUnknown ? null : bodyStart + size };
}
