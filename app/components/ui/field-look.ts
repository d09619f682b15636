export type Look = {
  /** `page` is large and without a box. Its label is for screen readers: the placeholder shows it. */
  look?: "box" | "page";
};

export const INPUT =
  "w-full min-w-0 rounded-field border bg-card px-4 text-ink placeholder:text-muted focus-visible:outline-offset-0 disabled:bg-sand disabled:text-muted";

const PAGE_INPUT =
  "w-full min-w-0 rounded-field bg-transparent text-ink placeholder:text-muted focus-visible:outline-2 focus-visible:outline-offset-6";

export const borderOf = (error: string | undefined) => (error ? "border-refusal" : "border-edge");

/** Classes of a field of one line. On a page it is the title. */
export const lineClass = (look: Look["look"], error: string | undefined) =>
  look === "page"
    ? `${PAGE_INPUT} min-h-12 font-display text-title font-bold tracking-tight`
    : `${INPUT} ${borderOf(error)} min-h-12`;

/** Classes of a field of several lines. On a page it is the text, which grows with what is typed. */
export const areaClass = (look: Look["look"], error: string | undefined) =>
  look === "page"
    ? `${PAGE_INPUT} field-sizing-content min-h-[45vh] resize-y text-[1.0625rem] leading-7`
    : `${INPUT} ${borderOf(error)} py-3 leading-6`;
