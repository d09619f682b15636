import { mediaSrcSet, mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";

type PostImageProps = {
  media: Pick<MediaItem, "id" | "alt" | "width" | "height">;
  eager?: boolean;
  whole?: boolean;
  /** How wide it is drawn, where it shares its row. */
  sizes?: string;
  className?: string;
};

const ALONE = "(min-width: 64rem) 600px, 100vw";

/** Room is kept in the image's own shape, so that nothing jumps; a very tall one is cut in lists. */
export function PostImage({
  media,
  eager = false,
  whole = false,
  sizes = ALONE,
  className,
}: PostImageProps) {
  return (
    <img
      src={mediaUrl(media.id, "640")}
      srcSet={mediaSrcSet(media)}
      sizes={sizes}
      alt={media.alt}
      width={media.width}
      height={media.height}
      loading={eager ? "eager" : "lazy"}
      fetchPriority={eager ? "high" : "auto"}
      decoding="async"
      className={
        className ??
        `h-auto w-full rounded-field bg-sand ${whole ? "" : "max-h-[560px] object-cover"}`
      }
    />
  );
}
