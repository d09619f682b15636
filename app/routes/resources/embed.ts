import { validVideo, playerUrl } from "#app/domain/media/rules/videos.ts";
import { playerPage } from "#app/http/player-page.ts";
import type { Route } from "./+types/embed.ts";

const CACHED_FOR_A_DAY = "public, max-age=86400";

/** Returns the page that frames a provider's video player after a click on its card. */
export function loader({ params }: Route.LoaderArgs) {
  const video = validVideo(params.provider, params.videoId);
  if (!video)
    return new Response("Não conhecemos este vídeo.", {
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  return playerPage(playerUrl(video), CACHED_FOR_A_DAY);
}
