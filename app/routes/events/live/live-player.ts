import { liveEvent } from "#app/domain/events/live/queries.server.ts";
import { livePlayerUrl } from "#app/domain/events/live/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { playerPage } from "#app/http/player-page.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/live-player.ts";

/**
 * The page that frames the provider's player of a live event, for who may watch it now. The live
 * page loads it after a press of "Carregar vídeo", and does not know the address itself.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const event = await liveEvent(ctx, {
    eventId: params.id,
    viewerId: context.get(memberContext).id,
  });
  const video = foundOr404(event?.video ?? null, "Este vídeo não está aberto para você agora.");
  const address = livePlayerUrl(video, new URL(ctx.settings.appOrigin).hostname);
  return playerPage(address, "private, no-store");
}
