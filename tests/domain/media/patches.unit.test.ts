import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePatches, sliceFile } from "#app/domain/media/rules/patches.ts";

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

test("adjacent patches are merged, in the order of the file", () => {
  const joined = mergePatches([
    { offset: 14, bytes: bytes(3, 2) },
    { offset: 10, bytes: bytes(4, 1) },
    { offset: 30, bytes: bytes(1, 3) },
  ]);
  expect(joined.map(({ offset, bytes: [...all] }) => [offset, all])).toEqual([
    [10, [1, 1, 1, 1, 2, 2, 2]],
    [30, [3]],
  ]);
});

test("a file rewritten in parts equals the file with its patches applied", () => {
  const patch = fc.record({
    offset: fc.nat({ max: 90 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 20, min: 128 }),
  });
  fc.assert(
    fc.property(
      fc.array(patch, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (patches, partBytes) => {
        const file = Uint8Array.from({ length: 110 }, (_, at) => at);
        const expected = Uint8Array.from(file);
        for (const { offset, bytes: over } of patches.toSorted(
          (one, other) => one.offset - other.offset,
        ))
          expected.set(over, offset);
        const written: number[] = [];
        for (let first = 0; first < file.byteLength; first += partBytes) {
          const last = Math.min(first + partBytes, file.byteLength) - 1;
          const slices = sliceFile({ first, last }, mergePatches(patches));
          for (const slice of slices)
            written.push(
              ...(slice.kind === "written"
                ? slice.bytes
                : file.slice(slice.range.first, slice.range.last + 1)),
            );
          expect(written.length).toBe(last + 1);
        }
        expect(written).toEqual([...expected]);
      },
    ),
  );
});
