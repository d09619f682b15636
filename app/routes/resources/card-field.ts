import { cardFieldPage } from "#app/compose-card-field.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/card-field.ts";

/** Returns the page of the card field, which the payment forms show in a frame. */
export function loader({ context, url }: Route.LoaderArgs) {
  const page = cardFieldPage(context.get(cloudflareContext).env, {
    theme: url.searchParams.get("theme"),
  });
  return (
    page ??
    new Response("Não encontramos esta página.", {
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    })
  );
}
