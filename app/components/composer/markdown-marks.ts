export type Mark = "strong" | "emphasis" | "link" | "heading" | "quote" | "list" | "numbers";

type Selection = { text: string; from: number; to: number };
/** Replaces `from` to `to` by `text`, then selects. */
export type MarkEdit = {
  from: number;
  to: number;
  text: string;
  select: { from: number; to: number };
};

const AROUND: Partial<Record<Mark, { before: string; after: string; example: string }>> = {
  strong: { before: "**", after: "**", example: "texto" },
  emphasis: { before: "*", after: "*", example: "texto" },
  link: { before: "[", after: "](https://)", example: "texto" },
};

/** Adds a mark around a selection or before each of its lines. A second time removes it. */
export function applyMarkTo(selection: Selection, mark: Mark): MarkEdit {
  const around = AROUND[mark];
  return around ? markedAround(selection, around) : markedLines(selection, mark);
}

function markedAround(
  { text, from, to }: Selection,
  { before, after, example }: { before: string; after: string; example: string },
): MarkEdit {
  const isMarked =
    text.slice(from - before.length, from) === before &&
    text.slice(to, to + after.length) === after;
  if (isMarked) {
    const inner = text.slice(from, to);
    return {
      from: from - before.length,
      to: to + after.length,
      text: inner,
      select: { from: from - before.length, to: to - before.length },
    };
  }
  const inner = text.slice(from, to) || example;
  const start = from + before.length;
  return {
    from,
    to,
    text: before + inner + after,
    select: { from: start, to: start + inner.length },
  };
}

const LINE_MARKS: Partial<Record<Mark, (index: number) => string>> = {
  heading: () => "## ",
  quote: () => "> ",
  list: () => "- ",
  numbers: (index) => `${index + 1}. `,
};
const LINE_MARK = /^(#{1,6} |> |- |\d+\. )/;

function markedLines({ text, from, to }: Selection, mark: Mark): MarkEdit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = text.indexOf("\n", to) === -1 ? text.length : text.indexOf("\n", to);
  const lines = text.slice(start, end).split("\n");
  const prefix = LINE_MARKS[mark] ?? (() => "");
  const isMarked = lines.every((line, index) => line.startsWith(prefix(index)));
  const written = lines
    .map((line, index) =>
      isMarked ? line.slice(prefix(index).length) : prefix(index) + line.replace(LINE_MARK, ""),
    )
    .join("\n");
  return {
    from: start,
    to: end,
    text: written,
    select: { from: start, to: start + written.length },
  };
}
