import { childrenOf, elementAt } from "./ebml.ts";
import type { Element } from "./ebml.ts";
import { latin1, LOCATION_WORD } from "./inspection.ts";
import type { BytePatch, Inspection, Source } from "./inspection.ts";

const SEEK_HEAD = 0x114d9b74;
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;
const TAGS = 0x1254c367;
const TAG = 0x7373;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
const CRC_32 = 0xbf;
const VOID = 0xec;
const NAME_MAX_BYTES = 512;
/** Tags behind the samples without an index entry are searched here. */
const TAIL_BYTES = 256 * 1024;
const TAGS_ID = "\u0012\u0054\u00c3\u0067";

/**
 * Returns the patches that remove locations from a WEBM. Each location tag is overwritten by a void
 * element of the same length. `inside` holds the segment's elements up to its samples. Tags may
 * also follow them. Source: RFC 9559, section 5.1.8.
 */
export function* locationPatches(
  source: Source,
  segmentStart: number,
  inside: readonly Element[],
): Inspection<BytePatch[]> {
  const found = new Map<number, Element>();
  for (const element of inside) if (element.id === TAGS) found.set(element.start, element);
  for (const at of [
    ...(yield* seekedTags(source, segmentStart, inside)),
    ...(yield* tagsInTail(source)),
  ]) {
    const element = yield* elementAt(source, at);
    if (element?.id === TAGS) found.set(at, element);
  }
  const patches: BytePatch[] = [];
  for (const tags of found.values()) patches.push(...(yield* patchesOfTags(source, tags)));
  return patches;
}

/** Finds the tags that the indexes at the beginning point to. */
function* seekedTags(
  source: Source,
  segmentStart: number,
  inside: readonly Element[],
): Inspection<number[]> {
  const places: number[] = [];
  for (const head of inside) {
    if (head.id !== SEEK_HEAD || head.end === null) continue;
    for (const seek of yield* childrenOf(source, head.bodyStart, head.end)) {
      if (seek.id !== SEEK || seek.end === null) continue;
      const fields = yield* childrenOf(source, seek.bodyStart, seek.end);
      const id = yield* numberIn(
        source,
        fields.find((field) => field.id === SEEK_ID),
      );
      const position = yield* numberIn(
        source,
        fields.find((field) => field.id === SEEK_POSITION),
      );
      if (id === TAGS) places.push(segmentStart + position);
    }
  }
  return places;
}

function* tagsInTail(source: Source): Inspection<number[]> {
  const start = Math.max(0, source.sizeBytes - TAIL_BYTES);
  const text = latin1(yield* source.read(start, TAIL_BYTES));
  const places: number[] = [];
  for (let at = text.indexOf(TAGS_ID); at >= 0; at = text.indexOf(TAGS_ID, at + 1)) {
    const element = yield* elementAt(source, start + at);
    if (!element?.end || element.end > source.sizeBytes) continue;
    // Four bytes of a picture may equal the id, so the content is checked.
    const children = yield* childrenOf(source, element.bodyStart, element.end);
    if (
      children.length > 0 &&
      children.every(({ id }) => id === TAG || id === CRC_32 || id === VOID) &&
      children.at(-1)?.end === element.end
    )
      places.push(start + at);
  }
  return places;
}

function* patchesOfTags(source: Source, parent: Element): Inspection<BytePatch[]> {
  if (parent.end === null) return [];
  const children = yield* childrenOf(
    source,
    parent.bodyStart,
    Math.min(parent.end, source.sizeBytes),
  );
  const patches: BytePatch[] = [];
  for (const child of children) {
    if (child.id === TAG) patches.push(...(yield* patchesOfTags(source, child)));
    if (child.id === SIMPLE_TAG && child.end !== null)
      patches.push(
        ...((yield* namesAPlace(source, child))
          ? [freed(child.start, child.end)]
          : yield* patchesOfTags(source, child)),
      );
  }
  // A checksum of the old bytes would be wrong.
  const sum = children.find(({ id }) => id === CRC_32);
  return patches.length > 0 && sum?.end ? [...patches, freed(sum.start, sum.end)] : patches;
}

function* namesAPlace(source: Source, tag: Element): Inspection<boolean> {
  if (tag.end === null) return false;
  const name = (yield* childrenOf(source, tag.bodyStart, tag.end)).find(
    (field) => field.id === TAG_NAME,
  );
  if (!name?.end) return false;
  return LOCATION_WORD.test(
    latin1(yield* source.read(name.bodyStart, Math.min(name.end - name.bodyStart, NAME_MAX_BYTES))),
  );
}

function* numberIn(source: Source, element: Element | undefined): Inspection<number> {
  if (!element?.end) return 0;
  const bytes = yield* source.read(element.bodyStart, Math.min(8, element.end - element.bodyStart));
  let value = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) value = value * 256 + bytes.getUint8(at);
  return value;
}

/**
 * Returns a "Void" element of exactly that length. Its size takes seven bytes where there is room,
 * else one.
 */
function freed(start: number, end: number): BytePatch {
  const bytes = new Uint8Array(end - start);
  bytes[0] = VOID;
  if (bytes.byteLength < 9) bytes[1] = 0x80 | (bytes.byteLength - 2);
  else new DataView(bytes.buffer).setBigUint64(1, (1n << 56n) | BigInt(bytes.byteLength - 9));
  return { offset: start, bytes };
}
