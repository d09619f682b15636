let hostsUsed = 0;

/**
 * The request at a host of its own. The edge's cache knows no page of that host, and no other
 * request shares its rendering.
 */
export function atOwnHost(request: Request): Request {
  const url = new URL(request.url);
  url.hostname = `fresh-${(hostsUsed += 1)}.localhost`;
  return new Request(url, request);
}
