import type { ByteRange, Stretch } from "#app/domain/media/schema.ts";
import type { Patch } from "./inspection.ts";

/**
 * Patches in their order, those that touch made one, so that each costs one look at the file. Where
 * two overlap the later one holds.
 */
export function joinedPatches(patches: readonly Patch[]): Patch[] {
  const joined: Patch[] = [];
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

/**
 * `range` of a file as the stretches that it is written again in, first to last; `patches` are
 * joined ones.
 */
export function stretchesOf({ first, last }: ByteRange, patches: readonly Patch[]): Stretch[] {
  const stretches: Stretch[] = [];
  let at = first;
  for (const { offset, bytes } of patches) {
    const from = Math.max(offset, first);
    const to = Math.min(offset + bytes.byteLength - 1, last);
    if (from > to) continue;
    if (from > at) stretches.push({ kind: "kept", range: { first: at, last: from - 1 } });
    stretches.push({ kind: "written", bytes: bytes.subarray(from - offset, to - offset + 1) });
    at = to + 1;
  }
  if (at <= last) stretches.push({ kind: "kept", range: { first: at, last } });
  return stretches;
}
