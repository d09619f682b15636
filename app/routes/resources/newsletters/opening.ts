import { countOpening } from "#app/domain/newsletters/commands/reactions.server.ts";
import { isOpenAddress } from "#app/domain/newsletters/queries/addresses.server.ts";
import { countQuietly, isOpenedByPerson } from "#app/http/mail-programs.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/opening.ts";

/** A transparent GIF of one pixel. */
const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  (letter) => letter.charCodeAt(0),
);

/**
 * The image at the end of a post's email. A mail program asks for it when somebody opens the email,
 * which counts. Every answer is the same image, so that a broken one shows in no email.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  if (isOpenedByPerson(request) && (await isOpenAddress(ctx, params)))
    await countQuietly(ctx, () => countOpening(ctx, params));
  return new Response(PIXEL, {
    headers: {
      "Content-Type": "image/gif",
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
