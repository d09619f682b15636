import type { Inspection, Source } from "./inspection.ts";

/**
 * An element of EBML (RFC 8794), as Matroska and WEBM are made of. `end` null: of unknown size, as
 * a live recording leaves it.
 */
export type Element = { id: number; start: number; bodyStart: number; end: number | null };

const ELEMENTS_MAX = 500;
const HEADER_BYTES = 12;

/**
 * The elements from `start` on, until `end`, one of unknown size, or (that one included) one called
 * `last`.
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

/** The element that begins at `at` of the file, or null when none does. */
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
 * The same within bytes at hand, with places counted in them: an id of up to four bytes and a size
 * of up to eight, each saying its own length in its first bits.
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
