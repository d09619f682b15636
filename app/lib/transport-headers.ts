/** The security headers of every answer, also to programs; public/_headers has them for files. */
export const TRANSPORT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"],
];

/** Adds them to an answer to a program. A WebSocket stays as it is: a copy would lose it. */
export function withTransportHeaders(response: Response): Response {
  if (response.status === 101) return response;
  const answer = new Response(response.body, response);
  for (const [name, value] of TRANSPORT_HEADERS) answer.headers.set(name, value);
  return answer;
}
