/** A video provider, and the video's id there. */
export type Video = { provider: "youtube" | "vimeo"; id: string };

const YOUTUBE_HOSTS = new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be"]);
const VIMEO_HOSTS = new Set(["vimeo.com", "www.vimeo.com"]);
const YOUTUBE_ID = /^[\w-]{11}$/;
const VIMEO_ID = /^\d{4,12}$/;

/** Returns the video of a YouTube or Vimeo URL; null for any other URL. */
export function embeddedVideo(address: string): Video | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const path = url.pathname.split("/").filter(Boolean);
  if (YOUTUBE_HOSTS.has(url.hostname)) return validVideo("youtube", youtubeId(url, path));
  return VIMEO_HOSTS.has(url.hostname)
    ? validVideo("vimeo", path.length === 1 ? path[0] : undefined)
    : null;
}

/** Validates a provider and an id from one of our paths; null when invalid. */
export function validVideo(provider: string, id: string | undefined): Video | null {
  if (provider === "youtube" && id !== undefined && YOUTUBE_ID.test(id)) return { provider, id };
  return provider === "vimeo" && id !== undefined && VIMEO_ID.test(id) ? { provider, id } : null;
}

/** Returns the URL of the provider's player that sets no cookie until the video plays. */
export function playerUrl({ provider, id }: Video): string {
  return provider === "youtube"
    ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`
    : `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`;
}

function youtubeId(url: URL, [first, second]: string[]): string | undefined {
  if (url.hostname === "youtu.be") return first;
  if (first === "watch") return url.searchParams.get("v") ?? undefined;
  return first === "shorts" || first === "embed" || first === "live" ? second : undefined;
}
