/**
 * Remembers what a pure function made of a text, in the memory of the process. `most` is the number
 * of characters of texts and results together; beyond it everything is forgotten.
 */
export function remembered(
  make: (text: string) => string,
  { most }: { most: number },
): (text: string) => string {
  const results = new Map<string, string>();
  let characters = 0;
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const made = make(text);
    const size = text.length + made.length;
    if (size > most) return made;
    if (characters + size > most) {
      results.clear();
      characters = 0;
    }
    characters += size;
    results.set(text, made);
    return made;
  };
}
