import { useSearchParams } from "react-router";
import { linkMarkOf, withLinkMark } from "#app/lib/link-mark.ts";

/**
 * Adds the mark of the creator's link by which the visitor came to this page, if any, to a path
 * that leads on to the same creator. Nothing is stored in the browser.
 */
export function useMarkedPath(): (path: string) => string {
  const [search] = useSearchParams();
  const link = linkMarkOf(search);
  return (path) => withLinkMark(path, link);
}

/** The mark itself, for a form that leads on. */
export function useLinkMark(): string | null {
  const [search] = useSearchParams();
  return linkMarkOf(search);
}
