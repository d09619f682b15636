import { limitNote } from "#app/components/ui/limit-note.ts";
import { ArrowDown, ArrowUp, FileText, Film, Image, Music, X } from "lucide-react";
import { useCallback, useId, useState } from "react";
import type { ReactNode } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { formatSize, hasThumbnail, mediaUrl } from "#app/domain/media/rules.ts";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { uploadCaptions, UploadRefused, deleteCaptions } from "./upload-file.ts";
import type { PickedFile, useUploads } from "./use-uploads.ts";

type RowProps = {
  item: PickedFile;
  isFirst: boolean;
  isLast: boolean;
  uploads: ReturnType<typeof useUploads>;
  choose: () => void;
  onPicture: ((media: MediaItem) => void) | undefined;
};

/** Row of one file: its progress, its actions and, once uploaded, its preview. */
export function PickedRow({ item, isFirst, isLast, uploads, choose, onPicture }: RowProps) {
  const { media } = item;
  return (
    <li
      className="flex flex-col gap-3 rounded-field border border-line bg-card p-3"
      aria-label={item.name}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Preview item={item} file={uploads.fileOf(item.key)} />
        <div className="flex min-w-40 flex-1 flex-col">
          <span className="truncate font-semibold">{item.name}</span>
          <span className="text-small text-muted">{stateText(item)}</span>
        </div>
        <div className="-mr-1 ml-auto flex shrink-0 items-center">
          <IconButton
            label={`Subir ${item.name}`}
            disabled={isFirst}
            onClick={() => uploads.move(item.key, -1)}
          >
            <ArrowUp aria-hidden="true" className="size-5" />
          </IconButton>
          <IconButton
            label={`Descer ${item.name}`}
            disabled={isLast}
            onClick={() => uploads.move(item.key, 1)}
          >
            <ArrowDown aria-hidden="true" className="size-5" />
          </IconButton>
          <IconButton label={`Retirar ${item.name}`} onClick={() => uploads.remove(item)}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        </div>
      </div>
      {item.state === "failed" ? (
        <p className="text-small font-medium text-refusal">{item.message ?? "Não foi enviado."}</p>
      ) : null}
      {item.state === "ready" || (item.state === "failed" && !item.isWorthTrying) ? null : (
        <Progress item={item} uploads={uploads} choose={choose} />
      )}
      {item.media ? <input type="hidden" name="mediaIds" value={item.media.id} /> : null}
      <Alt item={item} onChange={(alt) => uploads.describe(item.key, alt)} />
      {media?.kind === "image" && onPicture ? (
        <Button
          type="button"
          variant="outline"
          size="sm"
          className="self-start"
          aria-label={`Pôr ${item.name} no texto`}
          onClick={() => onPicture({ ...media, alt: item.alt })}
        >
          Pôr no texto
        </Button>
      ) : null}
      {item.media && (item.kind === "video" || item.kind === "audio") ? (
        <Captions item={item} media={item.media} uploads={uploads} />
      ) : null}
    </li>
  );
}

function IconButton({
  label,
  children,
  ...button
}: {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      className="inline-flex size-11 items-center justify-center rounded-full hover:bg-sand disabled:opacity-40"
      {...button}
    >
      {children}
    </button>
  );
}

const ICONS = { image: Image, video: Film, audio: Music, document: FileText };

/** Preview of a file: the file itself, its thumbnail after a reload, or an icon of its type. */
function Preview({ item, file }: { item: PickedFile; file: File | undefined }) {
  if (file?.type.startsWith("image/") && item.state !== "failed") return <LocalImage file={file} />;
  const storedUrl =
    item.media && hasThumbnail(item.media)
      ? mediaUrl(item.media.id, item.media.kind === "image" ? "640" : "poster")
      : null;
  if (storedUrl) return <img src={storedUrl} alt="" className={THUMBNAIL} />;
  const Icon = ICONS[item.kind ?? "document"];
  return (
    <span className="inline-flex size-14 shrink-0 items-center justify-center rounded-field bg-sand text-muted">
      <Icon aria-hidden="true" className="size-6" />
    </span>
  );
}

const THUMBNAIL = "size-14 shrink-0 rounded-field bg-sand object-cover";

function LocalImage({ file }: { file: File }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={show} alt="" className={THUMBNAIL} />;
}

function stateText(item: PickedFile): string {
  const size = formatSize(item.sizeBytes);
  if (item.state === "ready") return `Enviado · ${size}`;
  if (item.state === "failed") return `Não foi enviado · ${size}`;
  if (item.state === "finishing") return "Conferindo o arquivo…";
  if (item.state === "waiting")
    return "Envio interrompido. Escolha o mesmo arquivo para continuar de onde parou.";
  const sent = `${formatSize(item.sentBytes)} de ${size}`;
  if (item.state === "sending" && item.sentBytes === 0) return `Na fila · ${size}`;
  if (item.state === "paused")
    return item.message ? `${item.message} · ${size}` : `Em pausa · ${sent}`;
  return sent;
}

function Progress({ item, uploads, choose }: Pick<RowProps, "item" | "uploads" | "choose">) {
  const percent = item.sizeBytes === 0 ? 0 : Math.floor((item.sentBytes / item.sizeBytes) * 100);
  return (
    <div className="flex items-center gap-3">
      <progress
        aria-label={`Envio de ${item.name}`}
        value={percent}
        max={100}
        className="h-2 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-sand [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-sand [&::-webkit-progress-value]:bg-leaf"
      />
      <span className="w-11 text-right text-small tabular-nums">{percent}%</span>
      {item.state === "sending" ? (
        <Button type="button" variant="outline" size="sm" onClick={() => uploads.pause(item.key)}>
          Pausar
        </Button>
      ) : null}
      {item.state === "paused" && item.message === null ? (
        <Button type="button" variant="outline" size="sm" onClick={() => void uploads.resume(item)}>
          Continuar
        </Button>
      ) : null}
      {item.state === "failed" ? (
        <Button type="button" variant="outline" size="sm" onClick={() => void uploads.resume(item)}>
          Tentar de novo
        </Button>
      ) : null}
      {item.state === "waiting" ? (
        <Button type="button" variant="outline" size="sm" onClick={choose}>
          Escolher
        </Button>
      ) : null}
    </div>
  );
}

/**
 * Alt text field. It shows as soon as the file is chosen, and is sent only with an uploaded file.
 * Both form lists then have the same length.
 */
function Alt({ item, onChange }: { item: PickedFile; onChange: (alt: string) => void }) {
  const id = useId();
  if (item.state === "waiting" || item.state === "failed") return null;
  const note = limitNote(item.alt.length, ALT_MAX);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {item.kind === "image" || item.kind === "video" ? "Descrição para quem não vê" : "O que é"}{" "}
        <span className="font-normal text-muted">(opcional)</span>
      </label>
      <input
        id={id}
        name={item.media ? "mediaAlts" : undefined}
        value={item.alt}
        aria-invalid={note?.isOver || undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="min-h-12 w-full min-w-0 rounded-field border border-edge bg-card px-4 text-ink focus-visible:outline-offset-0"
      />
      {note ? (
        <p
          id={`${id}-note`}
          className={`text-small ${note.isOver ? "font-medium text-refusal" : "text-muted"}`}
        >
          {note.text}
        </p>
      ) : null}
    </div>
  );
}

/**
 * Adds, replaces and removes captions at once, also for a published post: the file stores them, not
 * the form.
 */
function Captions({
  item,
  media,
  uploads,
}: {
  item: PickedFile;
  media: MediaItem;
  uploads: RowProps["uploads"];
}) {
  const id = useId();
  const [result, setResult] = useState<{ isGood: boolean; message: string } | null>(null);
  const has = media.captionsVersion > 0;
  async function tried(
    act: () => Promise<void>,
    captionsVersion: number,
    message: string,
  ): Promise<void> {
    try {
      await act();
      uploads.update(item.key, { media: { ...media, captionsVersion } });
      setResult({ isGood: true, message });
    } catch (error) {
      setResult({
        isGood: false,
        message: error instanceof UploadRefused ? error.message : "A conexão caiu. Tente de novo.",
      });
    }
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {has ? "Trocar as legendas (VTT)" : "Legendas (VTT)"}{" "}
        <span className="font-normal text-muted">
          {has ? "· este arquivo tem legendas" : "(opcional)"}
        </span>
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={id}
          type="file"
          accept=".vtt,text/vtt"
          aria-describedby={`${id}-said`}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file)
              void tried(
                () => uploadCaptions(media.id, file),
                1,
                `Legendas de ${file.name} guardadas. Já valem para quem vê.`,
              );
            // Lets the person choose the same file again after a correction.
            event.currentTarget.value = "";
          }}
          className="min-h-11 min-w-0 flex-1 text-small file:mr-3 file:min-h-8 file:cursor-pointer file:rounded-full file:border-0 file:bg-sand file:px-4 file:font-semibold file:text-ink"
        />
        {has ? (
          <Button
            type="button"
            variant="outline"
            size="sm"
            aria-label={`Retirar as legendas de ${item.name}`}
            onClick={() => void tried(() => deleteCaptions(media.id), 0, "Legendas retiradas.")}
          >
            Retirar legendas
          </Button>
        ) : null}
      </div>
      <p
        id={`${id}-said`}
        role="status"
        className={`empty:-mt-1.5 text-small ${result?.isGood === false ? "font-medium text-refusal" : "text-muted"}`}
      >
        {result?.message}
      </p>
    </div>
  );
}
