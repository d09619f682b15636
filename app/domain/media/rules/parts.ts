type Sizes = { sizeBytes: number; partSizeBytes: number };

/** Returns how many parts a file is uploaded in. */
export function partCount({ sizeBytes, partSizeBytes }: Sizes): number {
  return Math.ceil(sizeBytes / partSizeBytes);
}

/**
 * Returns the length of part `number` (from 1): all have one size but the last. Null when the file
 * has no such part.
 */
export function partLength(file: Sizes, number: number): number | null {
  const count = partCount(file);
  if (!Number.isInteger(number) || number < 1 || number > count) return null;
  return number < count ? file.partSizeBytes : file.sizeBytes - (count - 1) * file.partSizeBytes;
}

/** Returns the numbers of the missing parts, ascending. */
export function missingParts(file: Sizes & { parts: number[] }): number[] {
  const there = new Set(file.parts);
  return Array.from({ length: partCount(file) }, (_, index) => index + 1).filter(
    (number) => !there.has(number),
  );
}
