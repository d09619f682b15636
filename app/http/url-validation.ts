import { data } from "react-router";
import type { MiddlewareFunction } from "react-router";

// oxlint-disable-next-line no-control-regex -- control characters are exactly what must be seen
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Whether a path, as it came with its escapes, is text: nothing of ours has a control character in
 * its address, and half a letter names nothing.
 */
export function isValidPathname(pathname: string): boolean {
  try {
    return !CONTROL.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}

/**
 * What no address of ours can be leads nowhere, before a page makes a header, or an address of
 * another page, of a part of it.
 */
export const pathnameMiddleware: MiddlewareFunction<Response> = ({ request }) => {
  if (!isValidPathname(new URL(request.url).pathname))
    throw data({ message: "Não encontramos esta página." }, { status: 404 });
};
