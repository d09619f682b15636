import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { formatSize, hasThumbnail, mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { FileAlt, FileButton, FilePreview, FileProgress, FileRow } from "./file-row.tsx";
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
    <FileRow
      name={item.name}
      preview={<Preview item={item} file={uploads.fileOf(item.key)} />}
      state={stateText(item)}
      actions={
        <>
          <FileButton
            label={`Subir ${item.name}`}
            disabled={isFirst}
            onClick={() => uploads.move(item.key, -1)}
          >
            <ArrowUp aria-hidden="true" className="size-5" />
          </FileButton>
          <FileButton
            label={`Descer ${item.name}`}
            disabled={isLast}
            onClick={() => uploads.move(item.key, 1)}
          >
            <ArrowDown aria-hidden="true" className="size-5" />
          </FileButton>
          <FileButton label={`Retirar ${item.name}`} onClick={() => uploads.remove(item)}>
            <X aria-hidden="true" className="size-5" />
          </FileButton>
        </>
      }
    >
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
    </FileRow>
  );
}

/** Preview of a file: the file itself, its thumbnail after a reload, or an icon of its type. */
function Preview({ item, file }: { item: PickedFile; file: File | undefined }) {
  const storedUrl =
    item.media && hasThumbnail(item.media)
      ? mediaUrl(item.media.id, item.media.kind === "image" ? "640" : "poster")
      : null;
  return (
    <FilePreview
      file={file && item.state !== "failed" ? file : null}
      storedUrl={storedUrl}
      kind={item.kind ?? "document"}
    />
  );
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
    <FileProgress name={item.name} percent={percent}>
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
    </FileProgress>
  );
}

/**
 * Alt text field. It shows as soon as the file is chosen, and is sent only with an uploaded file.
 * Both form lists then have the same length.
 */
function Alt({ item, onChange }: { item: PickedFile; onChange: (alt: string) => void }) {
  if (item.state === "waiting" || item.state === "failed") return null;
  const isSeen = item.kind === "image" || item.kind === "video";
  return (
    <FileAlt
      label={isSeen ? "Descrição para quem não vê" : "O que é"}
      name={item.media ? "mediaAlts" : undefined}
      alt={item.alt}
      onChange={onChange}
    />
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
