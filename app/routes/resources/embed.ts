import { validVideo, playerUrl } from "#app/domain/posts/rules/videos.ts";
import type { Route } from "./+types/embed.ts";

const CACHED_FOR_A_DAY = "public, max-age=86400";

/**
 * Returns the page that frames a provider's video player after a click on its card. Only this page
 * allows the provider's origin, so that the policy of the post's page stays strict.
 */
export function loader({ params }: Route.LoaderArgs) {
  const video = validVideo(params.provider, params.videoId);
  if (!video)
    return new Response("Não conhecemos este vídeo.", {
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  const address = playerUrl(video);
  const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Vídeo</title><style>html,body,iframe{margin:0;border:0;width:100%;height:100%;background:#000}body{overflow:hidden}</style>
<iframe src="${address.replaceAll("&", "&amp;")}" title="Vídeo" allow="autoplay; fullscreen; picture-in-picture; encrypted-media"></iframe></html>`;
  return new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": CACHED_FOR_A_DAY,
      "X-Frame-Options": "SAMEORIGIN",
      "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; frame-src ${new URL(address).origin}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
    },
  });
}
