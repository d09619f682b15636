import type { MiddlewareFunction } from "react-router";
import { cloudflareContext } from "./contexts.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const ORIGINLESS_PREFIXES = ["/api/", "/unsubscribe/"];
/** Where the device's share sheet sends to (`share_target` in public/manifest.webmanifest). */
const SHARE_PATH = "/post/shared";
const REFUSAL_MESSAGE = "Este pedido não veio do Coreto e foi recusado.";

export type OriginCheckInput = {
  method: string;
  pathname: string;
  requestOrigin: string;
  headers: Headers;
  appOrigin: string | undefined;
};

/**
 * Whether a request may change data. Every unsafe method must have our own Origin; a missing one is
 * refused too. The share sheet of a device sends none, and says that no site did. The API and the
 * addresses that stop emails (RFC 8058) are for programs, which send no Origin: without cookies no
 * browser can be abused.
 */
export function isOriginAllowed({
  method,
  pathname,
  requestOrigin,
  headers,
  appOrigin,
}: OriginCheckInput): boolean {
  if (SAFE_METHODS.has(method)) return true;
  const origin = headers.get("Origin");
  if (origin !== null && origin !== "null" && (origin === requestOrigin || origin === appOrigin))
    return true;
  // No page sends a share, so that it has no origin. A page cannot set or get this header's value.
  if (pathname === SHARE_PATH && headers.get("Sec-Fetch-Site") === "none")
    return origin === null || origin === "null";
  if (!ORIGINLESS_PREFIXES.some((path) => pathname.startsWith(path)) || headers.has("Cookie"))
    return false;
  return origin === null || /^bearer /i.test(headers.get("Authorization") ?? "");
}

/**
 * The 403 of a request that may not change data; null for one that may. The worker asks before
 * React Router, which would answer a foreign or malformed Origin with a bare 400 and log a fault.
 */
export function originRefusal(request: Request, appOrigin: string | undefined): Response | null {
  const { origin: requestOrigin, pathname } = new URL(request.url);
  const { method, headers } = request;
  if (isOriginAllowed({ method, pathname, requestOrigin, headers, appOrigin })) return null;
  return pathname.startsWith("/api/")
    ? Response.json({ error: REFUSAL_MESSAGE }, { status: 403 })
    : new Response(REFUSAL_MESSAGE, {
        status: 403,
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      });
}

/** Refuses requests from other origins, on resource routes too. Webhooks reach another worker. */
export const originMiddleware: MiddlewareFunction<Response> = ({ request, context }) =>
  originRefusal(request, context.get(cloudflareContext).env.APP_ORIGIN) ?? undefined;
