import { isbot } from "isbot";
import { renderToReadableStream, renderToStaticMarkup } from "react-dom/server";
import { ServerRouter } from "react-router";
import type { EntryContext, RouterContextProvider } from "react-router";
import { log } from "./compose.server.ts";
import { loggableFault } from "#app/db/errors.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { isFault } from "#app/http/refusal.ts";
import { contentSecurityPolicy } from "#app/http/headers/security-headers.ts";

/**
 * Renders a document. Streams it to people, and completes it first for crawlers. A page without
 * scripts is one text: it needs no marks for hydration, no data for the browser, and half the
 * time.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { env } = loadContext.get(cloudflareContext);
  const isStatic = routerContext.staticHandlerContext.matches.some((match) =>
    isStaticHandle(match.route.handle),
  );
  const nonce = isStatic ? null : crypto.randomUUID();
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(env, nonce));
  if (request.method === "HEAD") return new Response(null, { status, headers });
  if (isStatic)
    return new Response(staticDocument(request.url, routerContext), { status, headers });

  let failed = false;
  const body = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={nonce ?? undefined} />,
    {
      nonce: nonce ?? undefined,
      signal: request.signal,
      onError(error) {
        if (request.signal.aborted) return;
        failed = true;
        logFault("page.render_failed", error);
      },
    },
  );
  if (isbot(request.headers.get("User-Agent"))) await body.allReady;
  return new Response(body, { status: failed ? 500 : status, headers });
}

/** A component that throws makes React Router render its error page instead. */
function staticDocument(url: string, context: EntryContext): string {
  const withoutData = { ...context, serverHandoffStream: undefined };
  return `<!DOCTYPE html>${renderToStaticMarkup(<ServerRouter context={withoutData} url={url} />)}`;
}

/** Logs faults of loaders and actions. Ignores requests that the visitor aborted. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (request.signal.aborted || !isFault(error)) return;
  logFault("page.failed", error);
}

function logFault(event: "page.failed" | "page.render_failed", error: unknown): void {
  log(event, loggableFault(error));
}

function isStaticHandle(handle: unknown): boolean {
  return (
    typeof handle === "object" && handle !== null && "static" in handle && handle.static === true
  );
}
