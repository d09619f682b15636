import { matchesEtag } from "#app/http/files/byte-range.ts";

/** Returns `response`, or 304 if its ETag is one that the request names. Source: RFC 9110, section 13. */
export function withConditionalResponse(request: Request, response: Response): Response {
  const etag = response.headers.get("ETag");
  if (
    response.status !== 200 ||
    etag === null ||
    !matchesEtag(request.headers.get("If-None-Match"), etag)
  )
    return response;
  const headers = new Headers(response.headers);
  headers.delete("Content-Length");
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}
