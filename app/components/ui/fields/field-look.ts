export type Look = {
  /**
   * `page` and its `title` are large and without a box. Their label is for screen readers: the
   * placeholder shows it.
   */
  look?: "box" | "page" | "title";
};

export const INPUT =
  "w-full min-w-0 rounded-field border bg-card px-4 text-ink placeholder:text-muted focus-visible:outline-offset-0 disabled:bg-sand disabled:text-muted";

const PAGE_INPUT =
  "w-full min-w-0 rounded-field bg-transparent text-ink placeholder:text-muted focus-visible:outline-2 focus-visible:outline-offset-6";

export const borderOf = (error: string | undefined) => (error ? "border-refusal" : "border-edge");

/** Classes of a field of several lines. On a page it grows with what is typed. */
export function areaClass(look: Look["look"], error: string | undefined): string {
  if (look === "title")
    return `${PAGE_INPUT} field-sizing-content min-h-12 resize-none py-2 font-display text-title font-bold tracking-tight`;
  if (look === "page")
    return `${PAGE_INPUT} field-sizing-content min-h-[45vh] resize-y text-[1.0625rem] leading-7`;
  return `${INPUT} ${borderOf(error)} py-3 leading-6`;
}
