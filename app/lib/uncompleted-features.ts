/**
 * What is still being built, by the addresses of its pages. `UNCOMPLETED_FEATURES=true` shows it. A
 * feature leaves this list in the commit that completes it.
 */
const UNCOMPLETED_FEATURES: readonly { name: string; paths: readonly string[] }[] = [
  // They can be read, but nothing creates one yet.
  { name: "events", paths: ["/events"] },
];

export type ShownFeatures = { uncompletedFeatures: boolean };

/** True if the address belongs to a feature that is hidden: its page is a 404, its links go. */
export function isHiddenPath(pathname: string, { uncompletedFeatures }: ShownFeatures): boolean {
  if (uncompletedFeatures) return false;
  const path = `${comparable(pathname)}/`;
  return UNCOMPLETED_FEATURES.some((feature) =>
    feature.paths.some((hidden) => path.startsWith(`${hidden}/`)),
  );
}

/** The router matches without regard to case, escapes or repeated slashes. */
function comparable(pathname: string): string {
  return decodeURIComponent(pathname)
    .toLowerCase()
    .replace(/\/{2,}/g, "/");
}
