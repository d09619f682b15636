/** The width of a drawn text, in pixels. */
export type TextMeasure = (text: string) => number;

const ELLIPSIS = "…";

/**
 * Wraps `text` into at most `most` lines of `width` pixels. Breaks between words, breaks longer
 * words inside, and ends cut text with an ellipsis.
 */
export function wrapText(
  text: string,
  { width, most, measure }: { width: number; most: number; measure: TextMeasure },
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.split(" ").flatMap((word) => fitting(word, width, measure))) {
    const longer = line === "" ? piece : `${line} ${piece}`;
    if (line === "" || measure(longer) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = piece;
    if (lines.length > most) break;
  }
  const all = [...lines, line];
  if (all.length <= most) return all;
  return [...all.slice(0, most - 1), withEllipsis(all[most - 1] ?? "", width, measure)];
}

function fitting(word: string, width: number, measure: TextMeasure): string[] {
  if (measure(word) <= width) return [word];
  const letters = Math.max(1, Math.floor((word.length * width) / measure(word)) - 1);
  return Array.from({ length: Math.ceil(word.length / letters) }, (_, index) =>
    word.slice(index * letters, (index + 1) * letters),
  );
}

function withEllipsis(line: string, width: number, measure: TextMeasure): string {
  let shortened = line;
  while (shortened.length > 1 && measure(shortened + ELLIPSIS) > width)
    shortened = shortened.slice(0, -1).trimEnd();
  return shortened + ELLIPSIS;
}
