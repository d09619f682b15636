import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import type { Cover } from "#app/domain/collections/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";

type CollectionCoverProps = {
  cover: Cover | null;
  title: string;
  className: string;
  columns?: number;
  rows?: number;
  eager?: boolean;
  sizes?: string;
};

/**
 * Cover of a collection. A locked collection shows at most 24 pixels of it, enlarged; one without a
 * cover shows flags derived from the title.
 */
export function CollectionCover({
  cover,
  title,
  className,
  columns = 14,
  rows = 3,
  eager = false,
  sizes = "(min-width: 64rem) 640px, 100vw",
}: CollectionCoverProps) {
  if (!cover)
    return <Bandeirinhas seed={title} columns={columns} rows={rows} className={className} />;
  if (!cover.isOpen) {
    return (
      <span className={`block overflow-hidden bg-sand ${className}`}>
        <img
          src={mediaUrl(cover.mediaId, "face")}
          alt=""
          decoding="async"
          className="size-full scale-110 object-cover blur-lg"
        />
      </span>
    );
  }
  return (
    <img
      src={mediaUrl(cover.mediaId, "640")}
      srcSet={`${mediaUrl(cover.mediaId, "640")} 640w, ${mediaUrl(cover.mediaId, "1280")} 1280w`}
      sizes={sizes}
      alt={cover.alt}
      loading={eager ? "eager" : "lazy"}
      fetchPriority={eager ? "high" : "auto"}
      decoding="async"
      className={`bg-sand object-cover ${className}`}
    />
  );
}
