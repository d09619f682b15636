/**
 * Returns the page that frames a video provider's player. Only this page allows the provider's
 * origin, so that the policy of the page around it stays strict.
 */
export function playerPage(address: string, cacheControl: string): Response {
  const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Vídeo</title><style>html,body,iframe{margin:0;border:0;width:100%;height:100%;background:#000}body{overflow:hidden}</style>
<iframe src="${address.replaceAll("&", "&amp;")}" title="Vídeo" allow="autoplay; fullscreen; picture-in-picture; encrypted-media"></iframe></html>`;
  return new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": cacheControl,
      "X-Frame-Options": "SAMEORIGIN",
      "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; frame-src ${new URL(address).origin}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
    },
  });
}
