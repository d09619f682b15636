type Sizes = { sizeBytes: number; partSizeBytes: number };

/** How many parts a file is sent in. */
export function partCount({ sizeBytes, partSizeBytes }: Sizes): number {
  return Math.ceil(sizeBytes / partSizeBytes);
}

/**
 * The bytes of part `number` (from 1): all of one size but the last. Null when the file has no such
 * part.
 */
export function partLength(file: Sizes, number: number): number | null {
  const count = partCount(file);
  if (!Number.isInteger(number) || number < 1 || number > count) return null;
  return number < count ? file.partSizeBytes : file.sizeBytes - (count - 1) * file.partSizeBytes;
}

/** The numbers that did not come yet, ascending. */
export function missingParts(file: Sizes & { parts: number[] }): number[] {
  const there = new Set(file.parts);
  return Array.from({ length: partCount(file) }, (_, index) => index + 1).filter(
    (number) => !there.has(number),
  );
}
