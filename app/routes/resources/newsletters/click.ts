import { countClick } from "#app/domain/newsletters/commands/reactions.server.ts";
import { clickTarget } from "#app/domain/newsletters/queries/addresses.server.ts";
import { isFollowedByPerson } from "#app/http/mail-programs.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/click.ts";

const GONE = "Este endereço não é de nenhum e-mail nosso. Confira se ele veio inteiro.";

/**
 * A link of a post's email: counts the click and leads on. The signature names the target, so that
 * nobody makes an address of ours that leads elsewhere.
 */
export async function loader({ request, params, url, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const to = url.searchParams.get("to") ?? "";
  const target = foundOr404(await clickTarget(ctx, { ...params, to }), GONE);
  if (isFollowedByPerson(request)) await countClick(ctx, params);
  return new Response(null, {
    status: 302,
    headers: {
      Location: target,
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
    },
  });
}
