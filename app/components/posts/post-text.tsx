import { showVideo } from "./show-video.ts";

/**
 * `html` is what `renderMarkdown` made of a text, and nothing else. A click on a video's card puts
 * its player in the card's place.
 */
export function PostText({ html, className = "" }: { html: string; className?: string }) {
  // The click is the link's own, which bubbles: without JavaScript it leads to the video.
  return (
    <div
      dir="auto"
      onClick={(event) => showVideo(event.nativeEvent)}
      className={`written ${className}`}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
