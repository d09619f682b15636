import { counted } from "#app/domain/text.ts";
import { FileText } from "lucide-react";
import { MediaPlayer } from "#app/components/media/media-player.tsx";
import { formatSize, mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { PostImage } from "./post-image.tsx";

type PostMediaProps = {
  media: MediaItem[];
  /** Signed URLs of playable media, by id; media without one use the plain URL. */
  links?: Record<string, string>;
  /** Loads the first image eagerly. */
  eager?: boolean;
};

/** All files of an unlocked post: players, images and downloads. Works without JavaScript. */
export function PostMedia({ media, links = {}, eager = false }: PostMediaProps) {
  const images = media.filter(({ kind }) => kind === "image");
  const played = media.filter(({ kind }) => kind === "video" || kind === "audio");
  const documents = media.filter(({ kind }) => kind === "document");
  return (
    <>
      {played.map((item) => (
        <MediaPlayer
          key={item.id}
          item={item}
          src={links[item.id] ?? mediaUrl(item.id, "original")}
        />
      ))}
      <Gallery images={images} eager={eager && played.length === 0} />
      {documents.map((item) => (
        <DocumentLink key={item.id} item={item} />
      ))}
    </>
  );
}

/** One image in its own proportions, or several in a grid, each opening in full. */
function Gallery({ images, eager }: { images: MediaItem[]; eager: boolean }) {
  const [only] = images;
  if (!only) return null;
  if (images.length === 1) return <PostImage media={only} eager={eager} whole />;
  return (
    <ul className="grid grid-cols-2 gap-2" aria-label={counted(images.length, "imagem", "imagens")}>
      {images.map((item, index) => (
        <li key={item.id} className={images.length % 2 === 1 && index === 0 ? "col-span-2" : ""}>
          <a
            href={mediaUrl(item.id, item.width > 1280 ? "1920" : "1280")}
            aria-label={`Abrir a imagem ${index + 1} de ${images.length}${item.alt ? `: ${item.alt}` : ""}`}
          >
            <PostImage
              media={item}
              eager={eager && index === 0}
              sizes="(min-width: 64rem) 300px, 50vw"
              className="aspect-4/3 size-full rounded-field bg-sand object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function DocumentLink({ item }: { item: MediaItem }) {
  return (
    <a
      href={mediaUrl(item.id, "original")}
      download={item.filename}
      className="flex min-h-14 items-center gap-3 rounded-field border border-line p-3 font-semibold hover:border-edge"
    >
      <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-sand text-leaf">
        <FileText aria-hidden="true" className="size-5" />
      </span>
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{item.alt || item.filename}</span>
        <span className="text-small font-normal text-muted">
          Baixar PDF · {formatSize(item.sizeBytes)}
        </span>
      </span>
    </a>
  );
}

const OTHERS: Record<Exclude<MediaItem["kind"], "image">, [one: string, many: string]> = {
  video: ["vídeo", "vídeos"],
  audio: ["áudio", "áudios"],
  document: ["PDF", "PDFs"],
};

/** Media on a card: the first picture, and a text about the other files. */
export function MediaPreview({ media, eager }: { media: MediaItem[]; eager: boolean }) {
  const image = media.find(({ kind }) => kind === "image");
  const poster = media.find(({ kind, hasPoster }) => kind === "video" && hasPoster);
  const rest = restText(media);
  if (!image && !poster && !rest) return null;
  return (
    <div className="relative">
      {image ? (
        <PostImage media={image} eager={eager} />
      ) : poster ? (
        <Poster item={poster} eager={eager} />
      ) : null}
      {rest ? (
        <span
          className={`${image || poster ? "absolute bottom-3 left-3 bg-ink text-paper" : "bg-sand text-ink"} inline-flex rounded-full px-3 py-1.5 text-small font-semibold`}
        >
          {rest}
        </span>
      ) : null}
    </div>
  );
}

function Poster({ item, eager }: { item: MediaItem; eager: boolean }) {
  return (
    <img
      src={mediaUrl(item.id, "poster")}
      alt={item.alt}
      width={item.width || 16}
      height={item.height || 9}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      className="max-h-[560px] w-full rounded-field bg-sand object-cover"
    />
  );
}

function restText(media: MediaItem[]): string {
  const images = media.filter(({ kind }) => kind === "image").length;
  const parts = images > 1 ? [counted(images, "imagem", "imagens")] : [];
  for (const kind of ["video", "audio", "document"] as const) {
    const count = media.filter((item) => item.kind === kind).length;
    if (count > 0) parts.push(counted(count, ...OTHERS[kind]));
  }
  return parts.join(" · ");
}
