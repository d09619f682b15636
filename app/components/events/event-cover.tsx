import { mediaUrl } from "#app/domain/media/rules.ts";

/** The cover of an event; nothing without one. */
export function EventCover({
  event,
}: {
  event: { cover: { mediaId: string; alt: string } | null };
}) {
  if (!event.cover) return null;
  const { mediaId, alt } = event.cover;
  return (
    <img
      src={mediaUrl(mediaId, "1280")}
      srcSet={`${mediaUrl(mediaId, "640")} 640w, ${mediaUrl(mediaId, "1280")} 1280w`}
      sizes="(min-width: 64rem) 640px, 100vw"
      alt={alt}
      decoding="async"
      className="aspect-[2/1] w-full rounded-card bg-sand object-cover"
    />
  );
}
