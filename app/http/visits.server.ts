import { data } from "react-router";
import type { RouterContextProvider } from "react-router";
import { composeContext } from "#app/compose.server.ts";
import type { Env } from "#app/configuration/env.ts";
import { recordVisit } from "#app/domain/analytics/views/commands.server.ts";
import { isOfTeam, playedPost, readPost } from "#app/domain/analytics/views/queries.server.ts";
import { isCountable } from "#app/domain/analytics/views/rules.ts";
import type { VisitRequest } from "#app/domain/analytics/views/rules.ts";
import type { ViewKind } from "#app/domain/analytics/views/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { MEASUREMENT_COOKIE, MEASUREMENT_REFUSED } from "#app/lib/measurement.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { cloudflareContext, domainContext, viewerContext } from "./contexts.ts";
import { hasCredentials } from "./identity/credentials.ts";
import { viewerIdOf } from "./identity/identity-middleware.ts";

/** What was opened: a creator's page, or one of the creator's posts. */
export type Visited = {
  creatorId: string;
  postId: string | null;
  kind?: ViewKind;
  /** Seconds of a read, the steps of a reach. */
  value?: number;
};

/**
 * Tells the worker what a public page shows. The header is cached with the page, so that a visit is
 * counted when the edge answers it too; the worker takes it off before the answer leaves.
 */
const VISITED_HEADER = "X-Coreto-Visited";

export const visitedHeader = ({ creatorId, postId }: Visited): Record<string, string> => ({
  [VISITED_HEADER]: postId === null ? creatorId : `${creatorId} ${postId}`,
});

/** The data of a public post's page, with the header that says whose it is. */
export const withVisited = <Shown>(post: { id: string; author: { id: string } }, shown: Shown) =>
  data(shown, { headers: visitedHeader({ creatorId: post.author.id, postId: post.id }) });

/**
 * Takes the header off a public page, and records the visit after the response. A failure is
 * logged: no visitor waits for a count.
 */
export function withVisitCounted(
  request: Request,
  response: Response,
  { env, ctx, viewsLog }: { env: Env; ctx: ExecutionContext; viewsLog: Context["log"] },
): Response {
  const visited = response.headers.get(VISITED_HEADER);
  if (visited === null) return response;
  const answer = new Response(response.body, response);
  answer.headers.delete(VISITED_HEADER);
  const seen = visitOf(request);
  if (request.method !== "GET" || response.status !== 200 || !isCountable(seen)) return answer;
  const [creatorId = "", postId = null] = visited.split(" ");
  ctx.waitUntil(
    quietly(viewsLog, async () => {
      const { ctx: domain } = await composeContext(env, { readsTogether: true });
      const personId = hasCredentials(env, request) ? await viewerIdOf(env, domain, request) : null;
      await record(domain, request, seen, { visited: { creatorId, postId }, personId });
    }),
  );
  return answer;
}

/** Records that a member opened a page, or began to play a file, after the response. */
export function countVisit(
  { context, request }: { context: Readonly<RouterContextProvider>; request: Request },
  visited: Visited,
): void {
  const seen = visitOf(request);
  if (request.method !== "GET" || !isCountable(seen) || isReload(request)) return;
  const domain = context.get(domainContext);
  const personId = context.get(viewerContext)?.id ?? null;
  context
    .get(cloudflareContext)
    .ctx.waitUntil(quietly(domain.log, () => record(domain, request, seen, { visited, personId })));
}

type BeaconRequest = { context: Readonly<RouterContextProvider>; request: Request };

/**
 * Records that a post's video or audio began to play, or with `reach` how much of it was played, in
 * steps of 5 %. Any other file is not counted.
 */
export function countPlay(
  asked: BeaconRequest,
  { mediaId, reach }: { mediaId: string; reach: number | null },
): void {
  const kind = reach === null ? "play" : "reach";
  countBeacon(asked, { kind, value: reach ?? 1 }, (domain) => playedPost(domain, { mediaId }));
}

/** Records for how long a post was read, in seconds, by who may read it. */
export function countRead(
  asked: BeaconRequest,
  { postId, seconds }: { postId: string; seconds: number },
): void {
  countBeacon(asked, { kind: "read", value: seconds }, (domain) =>
    readPost(domain, { postId, viewerId: asked.context.get(viewerContext)?.id ?? null }),
  );
}

function countBeacon(
  { context, request }: BeaconRequest,
  read: { kind: ViewKind; value: number },
  find: (domain: Context) => Promise<{ creatorId: string; postId: string } | null>,
): void {
  const seen = visitOf(request);
  if (!isCountable(seen)) return;
  const domain = context.get(domainContext);
  const personId = context.get(viewerContext)?.id ?? null;
  const counting = async () => {
    const post = await find(domain);
    if (post) await record(domain, request, seen, { visited: { ...post, ...read }, personId });
  };
  context.get(cloudflareContext).ctx.waitUntil(quietly(domain.log, counting));
}

async function record(
  ctx: Context,
  request: Request,
  seen: VisitRequest,
  { visited, personId }: { visited: Visited; personId: string | null },
): Promise<void> {
  const { creatorId, postId, kind = "view", value = 1 } = visited;
  if (personId !== null && (await isOfTeam(ctx, { personId, creatorId }))) return;
  await recordVisit(ctx, {
    ...seen,
    creatorId,
    postId,
    kind,
    value,
    ip: request.headers.get("CF-Connecting-IP") ?? "",
    country: request.headers.get("CF-IPCountry") ?? "",
  });
}

const refusalsOf = (request: Request): Pick<VisitRequest, "isOptedOut" | "hasRefused"> => ({
  isOptedOut: request.headers.get("DNT") === "1" || request.headers.get("Sec-GPC") === "1",
  hasRefused: requestCookie(request, MEASUREMENT_COOKIE) === MEASUREMENT_REFUSED,
});

/**
 * Returns the mark of the creator's link that led here, to be stored with a follow or a payment;
 * null where the browser or the cookie choice refuses to be counted.
 */
export function countedLink(request: Request, link: string | null): string | null {
  const { isOptedOut, hasRefused } = refusalsOf(request);
  return isOptedOut || hasRefused ? null : link;
}

function visitOf(request: Request): VisitRequest {
  const { headers } = request;
  return {
    userAgent: headers.get("User-Agent") ?? "",
    referrer: headers.get("Referer") ?? "",
    url: request.url,
    ...refusalsOf(request),
    isAhead: /prefetch|prerender/.test(
      `${headers.get("Sec-Purpose") ?? ""} ${headers.get("Purpose") ?? ""}`,
    ),
  };
}

/** After an action an open page loads its data again, from itself: that is no visit. */
function isReload(request: Request): boolean {
  const { pathname } = new URL(request.url);
  const from = URL.parse(request.headers.get("Referer") ?? "")?.pathname;
  return pathname.endsWith(".data") && `${from}.data` === pathname;
}

async function quietly(log: Context["log"], counting: () => Promise<void>): Promise<void> {
  try {
    await counting();
  } catch (error) {
    log("views.not_recorded", { error: error instanceof Error ? error.name : "unknown" });
  }
}
