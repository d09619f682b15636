import { RouterContextProvider } from "react-router";
import * as build from "virtual:react-router/server-build";
import { composeContext, log, signerOf } from "#app/compose.server.ts";
import { checkedConfiguration } from "#app/configuration/configuration.ts";
import type { CheckedConfiguration } from "#app/configuration/configuration.ts";
import type { Signer } from "#app/domain/identity/signing/schema.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import type { Env } from "#app/configuration/env.ts";
import { faultText } from "#app/db/errors.ts";
import { purgeChangedPages } from "#app/domain/profiles/commands/page-changes.server.ts";
import { anonymousRequest, isPublicPage } from "#app/http/headers/cache.ts";
import { withConditionalResponse } from "#app/http/headers/conditional.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { withRobotsHeader } from "#app/http/headers/indexing.ts";
import { hasCredentials } from "#app/http/identity/credentials.ts";
import { originRefusal } from "#app/http/origin.ts";
import { createPageCache } from "#app/http/public-pages/page-cache.ts";
import {
  asVisitorResponse,
  hasTypedQuery,
  visitorPageAddress,
  visitorPagePath,
  visitorRequest,
} from "#app/http/public-pages/visitor-pages.ts";
import { createPartialRequestHandler } from "#app/http/routing/request-handler.ts";
import { withVisitCounted } from "#app/http/visits.server.ts";
import { withSecurityHeaders } from "#app/http/headers/security-headers.ts";
import { edgeCache } from "#app/lib/edge-cache.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { runWebCron } from "./web-cron.ts";

const handlers = {
  withAllFeatures: createPartialRequestHandler(build),
  withCompletedFeatures: createPartialRequestHandler(build, (path) =>
    isHiddenPath(path, { uncompletedFeatures: false }),
  ),
};

const pages = createPageCache({ cache: edgeCache, now: () => Date.now() });

/**
 * The web worker. It answers public pages from the edge cache, before the configuration is checked
 * or anything else exists, and lets React Router handle the rest. After a write it purges the pages
 * that changed. Its cron sweeps media and updates the sitemap.
 */
export default {
  async fetch(request, env, ctx): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/assets/")) return withSecurityHeaders(missingAsset());
    const edge = { env, ctx };
    const isRead = request.method === "GET" || request.method === "HEAD";
    const visitorPath = isRead ? visitorPagePath(url.pathname) : null;
    if (visitorPath !== null)
      return withConditionalResponse(request, await sharedAddress(request, visitorPath, edge));
    const address = visitorPageAddress(url.pathname);
    if (address !== null) return withSecurityHeaders(moved(address + url.search));
    if (isPublicPage(url.pathname))
      return withConditionalResponse(request, await publicPage(request, edge));
    const response = await memberPage(request, env, ctx);
    if (!isRead && response.status < 400) ctx.waitUntil(purgeChanges(env));
    return withRobotsHeader(response, url.pathname);
  },
  /** Runs the hourly cron: deletes unused files, and divides the sitemap where it grew. */
  async scheduled(_, env): Promise<void> {
    const { ctx } = await composeContext(env);
    await runWebCron(ctx);
  },
} satisfies ExportedHandler<Env>;

type Edge = { env: Env; ctx: ExecutionContext };

/**
 * Answers an address that members and visitors share. Without a session it is the visitor's page,
 * from the edge cache. A session that ended is found by the member's page, which then leads to the
 * visitor's page: its answer goes out at once, at the address that was asked for.
 */
async function sharedAddress(request: Request, path: string, edge: Edge): Promise<Response> {
  if (!hasCredentials(edge.env, request))
    return asVisitorResponse(await visitorPage(request, path, edge));
  const { pathname } = new URL(request.url);
  const response = withRobotsHeader(await memberPage(request, edge.env, edge.ctx), pathname);
  if (response.headers.get("Location")?.split("?")[0] !== path) return response;
  const page = await visitorPage(request, path, edge);
  return asVisitorResponse(page, response.headers.getSetCookie());
}

/** Renders what somebody typed anew, and answers everything else from the edge cache. */
async function visitorPage(request: Request, path: string, edge: Edge): Promise<Response> {
  const asked = visitorRequest(request, path);
  return hasTypedQuery(path, new URL(asked.url).searchParams)
    ? await memberPage(asked, edge.env, edge.ctx)
    : await publicPage(asked, edge);
}

/** The route of a visitor's page is no address of its own. */
const moved = (address: string): Response =>
  new Response(null, { status: 302, headers: { Location: address, "Cache-Control": "no-store" } });

/**
 * A file of another build, which may still come while a deploy spreads: nobody remembers its
 * absence.
 */
function missingAsset(): Response {
  return new Response("Not found\n", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

async function memberPage(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const checked = configurationOf(env);
  if (!checked.ok) return withSecurityHeaders(unconfigured(checked.problems));
  const context = new RouterContextProvider();
  context.set(cloudflareContext, { env, ctx });
  const refusal = originRefusal(request, env.APP_ORIGIN);
  const showsAll = env.UNCOMPLETED_FEATURES === "true";
  const handle = showsAll ? handlers.withAllFeatures : handlers.withCompletedFeatures;
  return withSecurityHeaders(refusal ?? (await handle(request, context)));
}

/**
 * Answers a public page from the cache. It is rendered without a viewer, so that the cached page
 * holds no personal data.
 */
async function publicPage(request: Request, { env, ctx }: Edge): Promise<Response> {
  const key = await anonymousRequest(request, () => signerIn(env));
  const render = (asked: Request) => memberPage(asked, env, ctx);
  const page =
    request.method === "GET"
      ? await pages.answer(key, {
          origin: env.APP_ORIGIN ?? "",
          waitUntil: (work) => ctx.waitUntil(work),
          render,
        })
      : await render(key);
  return withVisitCounted(request, page, { env, ctx, viewsLog: log });
}

function signerIn(env: Env): Signer | null {
  const checked = configurationOf(env);
  return checked.ok ? signerOf(checked.configuration) : null;
}

/** Purges what a write changed on public pages. The next cron repeats what fails. */
async function purgeChanges(env: Env): Promise<void> {
  try {
    const { ctx } = await composeContext(env);
    await purgeChangedPages(ctx);
  } catch (error) {
    log("pages.not_purged", { error: faultText(error) });
  }
}

const reported = new WeakSet<Env>();

/** Checks the variables of a worker, and logs their problems once. */
function configurationOf(env: Env): CheckedConfiguration {
  const checked = checkedConfiguration(env);
  if (!checked.ok && !reported.has(env))
    log("configuration.refused", { problems: checked.problems.join("; ") });
  reported.add(env);
  return checked;
}

/**
 * Answers every request with an error page if the configuration is incomplete. The problems are
 * logged, not shown to visitors.
 */
function unconfigured(problems: string[]): Response {
  const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Coreto fora do ar</title>
<body style="font-family:system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem;line-height:1.5"><h1>O Coreto está fora do ar</h1>
<p>Há ${countedFromTwo(problems.length, "um problema", "problemas")} na configuração deste servidor, e a nossa equipe já foi avisada pelo registro. Tente de novo daqui a pouco.</p></body></html>`;
  return new Response(page, {
    status: 500,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    },
  });
}
