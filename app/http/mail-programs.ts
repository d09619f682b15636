import { isbot } from "isbot";
import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";

/** Proxies that fetch an image when the reader opens the email, not before. */
const OPENING_PROXIES = /GoogleImageProxy|YahooMailProxy/;
/** Apple's privacy protection fetches every image on arrival, and says no more than this. */
const APPLE_PREFETCH = "Mozilla/5.0";

/**
 * Whether a person opened an email, as far as a request for one of its images shows. Prefetching
 * programs, scanners and previews do not count.
 */
export function isOpenedByPerson(request: Request): boolean {
  const agent = request.headers.get("User-Agent") ?? "";
  if (!isPlainRead(request) || agent.trim() === APPLE_PREFETCH) return false;
  return OPENING_PROXIES.test(agent) || isProgramOfPerson(agent);
}

/** Whether a person followed a link, as far as the request shows. */
export const isFollowedByPerson = (request: Request): boolean =>
  isPlainRead(request) && isProgramOfPerson(request.headers.get("User-Agent") ?? "");

const isProgramOfPerson = (agent: string): boolean => agent.trim() !== "" && !isbot(agent);

/** Scanners ask with HEAD, and browsers say when they fetch ahead. */
function isPlainRead({ method, headers }: Request): boolean {
  const purpose = `${headers.get("Sec-Purpose") ?? ""} ${headers.get("Purpose") ?? ""} ${headers.get("X-Moz") ?? ""}`;
  return method === "GET" && !/prefetch|preview|prerender/i.test(purpose);
}

/** Counts what must not break a link or an image where it fails. */
export async function countQuietly(ctx: Context, count: () => Promise<void>): Promise<void> {
  try {
    await count();
  } catch (error) {
    ctx.log("newsletters.count_failed", { error: faultText(error) });
  }
}
