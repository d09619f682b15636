import { Paperclip } from "lucide-react";
import { lazy, Suspense } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { formatSize, mediaUrl } from "#app/domain/media/rules.ts";
import { FILE_LABELS, filesLabel } from "#app/domain/messages/rules.ts";
import type { MessageFile } from "#app/domain/messages/schema.ts";

const RecordingPlayer = lazy(async () => ({
  default: (await import("#app/components/messages/recordings/recording-player.tsx"))
    .RecordingPlayer,
}));

/**
 * The files of a message: pictures in a grid, the others below. Sensitive ones are covered until a
 * click, and not loaded before.
 */
export function MessageFilesView({ files }: { files: MessageFile[] }) {
  if (files.length === 0) return null;
  if (!files.some(({ isSensitive }) => isSensitive)) return <AllShown files={files} />;
  return (
    <details className="rounded-field bg-sand">
      <summary className="flex min-h-24 items-center px-4 text-center font-semibold">
        {filesLabel(files.map(({ kind }) => kind))} com conteúdo sensível. Tocar para mostrar ou
        esconder.
      </summary>
      <AllShown files={files} />
    </details>
  );
}

function AllShown({ files }: { files: MessageFile[] }) {
  const images = files.filter(({ kind }) => kind === "image");
  const [first] = images;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {first && images.length === 1 ? <Shown file={first} /> : <PictureGrid images={images} />}
      {files
        .filter(({ kind }) => kind !== "image")
        .map((file) => (
          <Shown key={file.id} file={file} />
        ))}
    </div>
  );
}

/** Pictures cut to squares; each opens whole. */
function PictureGrid({ images }: { images: MessageFile[] }) {
  if (images.length === 0) return null;
  return (
    <ul
      aria-label={filesLabel(images.map(({ kind }) => kind))}
      className={`grid w-72 max-w-full gap-1 ${images.length === 2 || images.length === 4 ? "grid-cols-2" : "grid-cols-3"}`}
    >
      {images.map(({ id, alt, width, height }, at) => (
        <li key={id}>
          <a href={mediaUrl(id, "1280")} target="_blank" rel="noreferrer" className="block">
            <img
              src={mediaUrl(id, "640")}
              alt={alt || `Foto ${at + 1} sem descrição`}
              width={width}
              height={height}
              loading="lazy"
              className="aspect-square h-auto w-full rounded-field bg-sand object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Shown({ file }: { file: MessageFile }) {
  const { id, kind, alt, width, height, filename, sizeBytes } = file;
  const name = alt || (file.recording ? "" : filename) || FILE_LABELS[kind];
  const original = mediaUrl(id, "original");
  switch (kind) {
    case "image":
      return (
        <a href={mediaUrl(id, "1280")} target="_blank" rel="noreferrer" className="block">
          <img
            src={mediaUrl(id, "640")}
            srcSet={`${mediaUrl(id, "640")} 640w, ${mediaUrl(id, "1280")} 1280w`}
            sizes="(min-width: 1024px) 480px, 80vw"
            alt={alt || "Foto sem descrição"}
            width={width}
            height={height}
            loading="lazy"
            className="h-auto max-h-96 max-w-full rounded-field object-cover"
          />
        </a>
      );
    case "video":
      return (
        <video
          controls
          playsInline
          preload="metadata"
          src={original}
          aria-label={name}
          width={width || undefined}
          height={height || undefined}
          className="h-auto max-h-96 max-w-full rounded-field"
        />
      );
    case "audio":
      return <AudioView src={original} name={name} recording={file.recording} />;
    case "document":
      return (
        <a
          href={original}
          target="_blank"
          rel="noreferrer"
          className="flex min-h-11 items-center gap-2 font-semibold underline underline-offset-3"
        >
          <Paperclip aria-hidden="true" className="size-5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {filename || name} · {formatSize(sizeBytes)}
          </span>
        </a>
      );
  }
}

/** The browser's own player; for a recording, ours once the page is awake. */
function AudioView({
  src,
  name,
  recording,
}: {
  src: string;
  name: string;
  recording: MessageFile["recording"];
}) {
  const isHydrated = useHydrated();
  const plain = (
    <audio controls preload="metadata" src={src} aria-label={name} className="max-w-full" />
  );
  if (!recording || !isHydrated) return plain;
  return (
    <Suspense fallback={plain}>
      <RecordingPlayer src={src} name={name} recording={recording} />
    </Suspense>
  );
}
