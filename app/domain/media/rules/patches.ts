import type { ByteRange, FilePart } from "#app/domain/media/schema.ts";
import type { BytePatch } from "./inspection.ts";

/**
 * Sorts patches and joins adjacent ones, so that each costs one access to the file. Where two
 * overlap the later one wins.
 */
export function mergePatches(patches: readonly BytePatch[]): BytePatch[] {
  const joined: BytePatch[] = [];
  for (const patch of patches.toSorted((one, other) => one.offset - other.offset)) {
    const last = joined.at(-1);
    const lastEnd = last ? last.offset + last.bytes.byteLength : -1;
    if (!last || patch.offset > lastEnd) {
      joined.push({ offset: patch.offset, bytes: Uint8Array.from(patch.bytes) });
      continue;
    }
    const bytes = new Uint8Array(
      Math.max(lastEnd, patch.offset + patch.bytes.byteLength) - last.offset,
    );
    bytes.set(last.bytes);
    bytes.set(patch.bytes, patch.offset - last.offset);
    last.bytes = bytes;
  }
  return joined;
}

/** Splits `range` of a file into the parts of its rewrite, first to last. `patches` must be merged. */
export function sliceFile({ first, last }: ByteRange, patches: readonly BytePatch[]): FilePart[] {
  const parts: FilePart[] = [];
  let at = first;
  for (const { offset, bytes } of patches) {
    const from = Math.max(offset, first);
    const to = Math.min(offset + bytes.byteLength - 1, last);
    if (from > to) continue;
    if (from > at) parts.push({ kind: "kept", range: { first: at, last: from - 1 } });
    parts.push({ kind: "written", bytes: bytes.subarray(from - offset, to - offset + 1) });
    at = to + 1;
  }
  if (at <= last) parts.push({ kind: "kept", range: { first: at, last } });
  return parts;
}
