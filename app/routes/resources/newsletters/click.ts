import { countClick } from "#app/domain/newsletters/commands/reactions.server.ts";
import { clickTarget } from "#app/domain/newsletters/queries/addresses.server.ts";
import { countQuietly, isFollowedByPerson } from "#app/http/mail-programs.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/click.ts";

/**
 * A link of a post's email: counts the click and leads on. The signature names the target, so that
 * nobody makes an address of ours that leads elsewhere. An address that a mail program changed
 * leads to the post's own page, and counts nothing.
 */
export async function loader({ request, params, url, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const to = url.searchParams.get("to") ?? "";
  const target = await clickTarget(ctx, { ...params, to });
  if (target !== null && isFollowedByPerson(request))
    await countQuietly(ctx, () => countClick(ctx, params));
  return new Response(null, {
    status: 302,
    headers: {
      Location: target ?? `${ctx.settings.appOrigin}/post/${encodeURIComponent(params.postId)}`,
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
    },
  });
}
