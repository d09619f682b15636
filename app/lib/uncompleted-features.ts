/**
 * What is still being built, by the addresses of its pages. `UNCOMPLETED_FEATURES=true` shows it. A
 * feature leaves this list in the commit that completes it.
 */
const UNCOMPLETED_FEATURES: readonly { name: string; paths: readonly string[] }[] = [
  // Repeating events and the chat of a live video are missing.
  {
    name: "events",
    paths: ["/events", "/space/:username/public/events", "/api/v1/events"],
  },
];

export type ShownFeatures = { uncompletedFeatures: boolean };

/** True if the address belongs to a feature that is hidden: its page is a 404, its links go. */
export function isHiddenPath(pathname: string, { uncompletedFeatures }: ShownFeatures): boolean {
  if (uncompletedFeatures) return false;
  const path = comparable(pathname).split("/");
  return UNCOMPLETED_FEATURES.some((feature) =>
    feature.paths.some((hidden) => isAtOrBelow(path, hidden.split("/"))),
  );
}

/** A segment that starts with `:` stands for any. */
const isAtOrBelow = (path: readonly string[], hidden: readonly string[]): boolean =>
  hidden.every((segment, index) =>
    segment.startsWith(":") ? path[index] !== undefined : path[index] === segment,
  );

/** The router matches without regard to case, escapes or repeated slashes. */
function comparable(pathname: string): string {
  return decodeURIComponent(pathname)
    .toLowerCase()
    .replace(/\/{2,}/g, "/");
}
