import { showVideo } from "./show-video.ts";

/**
 * Text of a post. `html` must come from `renderMarkdown`. A click on a video card replaces it by
 * its player.
 */
export function PostText({
  html,
  className = "",
  readId,
}: {
  html: string;
  className?: string;
  /** The post whose reading time the page's script counts. */
  readId?: string;
}) {
  // The click bubbles from the card's own link: without JavaScript that link leads to the video.
  return (
    <div
      dir="auto"
      data-read={readId}
      onClick={(event) => showVideo(event.nativeEvent)}
      className={`written ${className}`}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
