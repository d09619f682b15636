import { data } from "react-router";
import type { MiddlewareFunction } from "react-router";

// oxlint-disable-next-line no-control-regex -- control characters are exactly what must be seen
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Whether a path, as received with its escapes, is valid text. Our addresses contain no control
 * characters, and a partial character is invalid.
 */
export function isValidPathname(pathname: string): boolean {
  try {
    return !CONTROL.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}

/**
 * Answers an impossible address with a 404, before a page puts a part of it into a header or
 * another address.
 */
export const pathnameMiddleware: MiddlewareFunction<Response> = ({ request }) => {
  if (!isValidPathname(new URL(request.url).pathname))
    throw data({ message: "Não encontramos esta página." }, { status: 404 });
};
