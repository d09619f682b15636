/**
 * Replaces a clicked video card by its player; ignores other clicks. The player is our page
 * (/embed), the only one that may frame the provider's. PUBLIC_SCRIPT does the same where there is
 * no framework.
 */
export function showVideo(event: MouseEvent): void {
  const card = event.target instanceof Element ? event.target.closest("a[data-video]") : null;
  const video = card?.getAttribute("data-video");
  if (!card || !video || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  event.preventDefault();
  const player = document.createElement("iframe");
  player.src = `/embed/${video}`;
  player.title = "Vídeo";
  player.allow = "autoplay; fullscreen; picture-in-picture; encrypted-media";
  player.className = "video-player";
  card.replaceWith(player);
  player.focus();
}
