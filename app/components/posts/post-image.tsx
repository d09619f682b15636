import { mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";

/** Room is kept in the image's own shape, so that nothing jumps; a very tall one is cut in lists. */
export function PostImage({ media, eager = false, whole = false }: { media: MediaItem; eager?: boolean; whole?: boolean }) {
  return (
    <img
      src={mediaUrl(media.id, "640")}
      srcSet={`${mediaUrl(media.id, "640")} 640w, ${mediaUrl(media.id, "1280")} 1280w`}
      sizes="(min-width: 64rem) 600px, 100vw"
      alt={media.alt}
      width={media.width}
      height={media.height}
      loading={eager ? "eager" : "lazy"}
      fetchPriority={eager ? "high" : "auto"}
      decoding="async"
      className={`h-auto w-full rounded-field bg-sand ${whole ? "" : "max-h-[560px] object-cover"}`}
    />
  );
}
