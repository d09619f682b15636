import { redirect } from "react-router";
import { readExplore } from "#app/domain/discovery/schema.ts";
import type { ExploreFilter } from "#app/domain/discovery/schema.ts";
import { foundOr404 } from "./refusal.ts";

/**
 * Returns what the address of a page of `/explore` asks for; `page` is its last part. Throws a 404
 * for a page that does not exist, and a lasting redirect for an address of former times.
 */
export function exploreFilter(request: Request, page: string | undefined): ExploreFilter {
  const { asked, movedTo } = foundOr404(
    readExplore(new URL(request.url).searchParams, page),
    "Esta página não existe.",
  );
  if (movedTo !== null) throw redirect(movedTo, 301);
  return asked;
}
