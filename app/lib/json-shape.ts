type Kinds = { string: string; number: number; boolean: boolean };
type Shape = Record<string, keyof Kinds>;

/**
 * Checks a small JSON answer of our own server in the browser, and returns the fields of `shape`.
 * Throws TypeError if a field is missing or of another type. Zod does the same in 25 kB, which
 * every signed-in page would load.
 */
export function readShape<Wanted extends Shape>(
  value: unknown,
  shape: Wanted,
): { [Field in keyof Wanted]: Kinds[Wanted[Field]] } {
  const fields = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  for (const [field, kind] of Object.entries(shape)) {
    if (typeof fields.get(field) !== kind) throw new TypeError(`${field} is not a ${kind}`);
  }
  return Object.fromEntries(Object.keys(shape).map((field) => [field, fields.get(field)])) as {
    [Field in keyof Wanted]: Kinds[Wanted[Field]];
  };
}
