import { mediaSrcSet, mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";

type PostImageProps = {
  media: Pick<MediaItem, "id" | "alt" | "width" | "height">;
  eager?: boolean;
  whole?: boolean;
  /** Displayed width, where the image shares its row. */
  sizes?: string;
  className?: string;
};

const ALONE = "(min-width: 64rem) 600px, 100vw";

/**
 * Image of a post. Reserves its own proportions, so that the layout does not shift; lists crop a
 * very tall one.
 */
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
