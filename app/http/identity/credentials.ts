import type { Env } from "#app/configuration/env.ts";
import { hasClerkCredentials, isClerkConfigured } from "#app/lib/clerk.ts";

/** Whether a request may have a session. Every other request is a visitor's, and costs nothing. */
export function hasCredentials(env: Env, request: Request): boolean {
  if (isClerkConfigured(env)) return hasClerkCredentials(request);
  return (
    request.headers.has("Authorization") ||
    (request.headers.get("Cookie") ?? "").includes("__Host-coreto-session=")
  );
}
