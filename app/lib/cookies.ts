/** Returns a cookie of the request by its exact name, not decoded. */
export function requestCookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.get("Cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}

const nameOf = (setCookie: string) => setCookie.slice(0, setCookie.indexOf("="));

/**
 * Returns `response` with the cookies of `headers` that it does not set itself. The cookies of an
 * action (signing out) win over those of the middleware (a refreshed session). A response for a
 * shared cache gets none: a cookie is one person's.
 */
export function withCookies(response: Response, headers: Headers): Response {
  const decided = new Set(response.headers.getSetCookie().map(nameOf));
  const added = headers.getSetCookie().filter((cookie) => !decided.has(nameOf(cookie)));
  const isShared = /\bpublic\b/.test(response.headers.get("Cache-Control") ?? "");
  if (added.length === 0 || isShared) return response;
  const answer = new Response(response.body, response);
  for (const cookie of added) answer.headers.append("Set-Cookie", cookie);
  return answer;
}
