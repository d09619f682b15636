import { counted } from "#app/domain/text.ts";
import { useCallback, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import type { RefObject } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { FileField, TextField } from "#app/components/ui/fields/field.tsx";
import { formatSize, hasThumbnail, mediaUrl } from "#app/domain/media/rules.ts";
import {
  ACCEPTED_FILES,
  ACCEPTED_IMAGES,
  ALT_MAX,
  MEDIA_PER_POST_MAX,
} from "#app/domain/media/rules/limits.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { pictureMarkdown } from "#app/domain/posts/rules/pictures.ts";
import { PickedRow } from "./picked-row.tsx";
import { useUploads } from "./use-uploads.ts";

type MediaPickerProps = {
  /** Media that the post already has. */
  initial?: MediaItem[];
  errors: Record<string, string>;
  values: Record<string, string>;
  /** Runs when uploads start or finish: a post published in between would miss its files. */
  onBusyChange?: (isBusy: boolean) => void;
  /** Takes a picture that belongs into the text. */
  onPicture?: (media: MediaItem) => void;
  /** Lets the text field hand over pictures, which go into the text once they are uploaded. */
  pictures?: RefObject<PictureTaker | null>;
};

export type PictureTaker = { addToText: (files: Iterable<File>) => void };

const LIMITS =
  "Imagens até 25 MB, vídeos MP4 ou WEBM até 2 GB, áudios MP3, M4A ou OGG (não WAV) até 500 MB, PDF até 100 MB.";
const NONE: MediaItem[] = [];

/**
 * Picker of a post's files of any type, which uploads them while the author writes. The form gets
 * `mediaIds` and `mediaAlts` in the same order. Without JavaScript the form has one image: `image`
 * and `imageAlt`.
 */
export function MediaPicker(props: MediaPickerProps) {
  const isAwake = useHydrated();
  return isAwake ? <Uploads {...props} /> : <OneImage {...props} />;
}

function OneImage({ initial = NONE, errors, values }: MediaPickerProps) {
  const again =
    Object.keys(errors).length > 0 ? " Escolha a imagem de novo: o navegador não a guarda." : "";
  return (
    <>
      <FileField
        label="Imagem"
        name="image"
        accept={ACCEPTED_IMAGES}
        error={errors["image"]}
        required={false}
        hint={`JPG, PNG, GIF, WEBP ou AVIF, até 10 MB.${again}`}
      />
      <TextField
        label="Descrição para quem não vê"
        name="imageAlt"
        defaultValue={values["imageAlt"]}
        error={errors["imageAlt"]}
        required={false}
        limit={ALT_MAX}
        hint="O que aparece na imagem, em uma frase. Quem usa leitor de tela agradece."
      />
      <PictureCodes media={initial.filter(({ kind }) => kind === "image")} />
    </>
  );
}

/** Without JavaScript, the author copies the Markdown of a saved picture into the text. */
function PictureCodes({ media }: { media: MediaItem[] }) {
  if (media.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 text-small">
      <p className="text-muted">
        Para pôr uma imagem salva dentro do texto, copie a linha dela para onde quiser:
      </p>
      {media.map((item) => (
        <div key={item.id} className="flex items-center gap-3">
          <img
            src={mediaUrl(item.id, "640")}
            alt={item.alt}
            className="size-11 shrink-0 rounded-field bg-sand object-cover"
          />
          <code className="min-w-0 break-all select-all">{pictureMarkdown(item)}</code>
        </div>
      ))}
    </div>
  );
}

function Uploads({ initial = NONE, errors, onBusyChange, onPicture, pictures }: MediaPickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const uploads = useUploads({ initial, resumes: initial.length === 0 });
  const { items, isBusy } = uploads;
  const addToText = useTextPictures(uploads, onPicture);
  useImperativeHandle(pictures, () => ({ addToText }), [addToText]);
  useEffect(() => onBusyChange?.(isBusy), [isBusy, onBusyChange]);
  const error = useUntilChanged(
    errors["mediaIds"] ?? errors["mediaAlts"] ?? errors["image"],
    errors,
    items.map(({ key, state, alt }) => `${key} ${state} ${alt}`).join("\n"),
  );
  return (
    <fieldset
      className={`flex min-w-0 flex-col gap-3 rounded-field border border-dashed p-4 ${error ? "border-refusal" : "border-edge"} ${isOver ? "bg-signal-soft" : ""}`}
      data-invalid={error ? "" : undefined}
      aria-describedby={`${id}-limits`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        uploads.add(event.dataTransfer.files);
      }}
    >
      <legend className="px-1 text-small font-semibold">
        Arquivos <span className="font-normal text-muted">(opcional)</span>
      </legend>
      {items.length > 0 ? (
        <ol className="flex flex-col gap-3">
          {items.map((item, index) => (
            <PickedRow
              key={item.key}
              item={item}
              isFirst={index === 0}
              isLast={index === items.length - 1}
              uploads={uploads}
              choose={() => input.current?.click()}
              onPicture={onPicture}
            />
          ))}
        </ol>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="button"
          variant="outline"
          disabled={uploads.isFull}
          onClick={() => input.current?.click()}
        >
          {items.length === 0 ? "Escolher arquivos" : "Adicionar arquivos"}
        </Button>
        <span className="hidden text-small text-muted sm:inline">ou arraste para cá</span>
        <input
          ref={input}
          type="file"
          multiple
          accept={ACCEPTED_FILES}
          aria-label="Imagens, vídeos, áudios ou PDF"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            uploads.add(event.currentTarget.files ?? []);
            // Lets the person choose the same file again, to resume its upload.
            event.currentTarget.value = "";
          }}
        />
      </div>
      {uploads.offered.length > 0 && !uploads.isFull ? (
        <Offered media={uploads.offered} take={uploads.take} />
      ) : null}
      <p id={`${id}-limits`} className="text-small text-muted">
        {uploads.isFull ? `Uma publicação leva até ${MEDIA_PER_POST_MAX} arquivos.` : LIMITS}
      </p>
      {error ? <p className="text-small font-medium text-refusal">{error}</p> : null}
      <p className="sr-only" role="status">
        {spoken(items)}
      </p>
    </fieldset>
  );
}

/** Uploaded files of an unfinished post, kept for a week. */
function Offered({ media, take }: { media: MediaItem[]; take: (item: MediaItem) => void }) {
  return (
    <details className="rounded-field border border-line bg-card px-3">
      <summary className="min-h-11 cursor-pointer py-2.5 text-small font-semibold">
        {counted(media.length, "arquivo enviado", "arquivos enviados")} antes, ainda sem publicação
      </summary>
      <ul className="flex flex-col gap-2 pb-3">
        {media.map((item) => {
          const name = item.filename || item.alt || "Imagem";
          return (
            <li key={item.id} className="flex items-center gap-3">
              {hasThumbnail(item) ? (
                <img
                  src={mediaUrl(item.id, item.kind === "image" ? "640" : "poster")}
                  alt={item.alt}
                  className="size-11 rounded-field bg-sand object-cover"
                />
              ) : null}
              <span className="min-w-0 flex-1 truncate text-small">
                {name} · {formatSize(item.sizeBytes)}
              </span>
              <Button
                type="button"
                variant="outline"
                size="sm"
                aria-label={`Usar ${name}`}
                onClick={() => take(item)}
              >
                Usar
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** Uploads files and hands each picture to `onPicture` once it arrived. */
function useTextPictures(
  uploads: ReturnType<typeof useUploads>,
  onPicture: MediaPickerProps["onPicture"],
): PictureTaker["addToText"] {
  const { items, add } = uploads;
  const expected = useRef(new Set<string>());
  const latest = useRef({ add, onPicture });
  useEffect(() => {
    latest.current = { add, onPicture };
    for (const { key, state, media } of items) {
      if (state !== "ready" || !expected.current.delete(key)) continue;
      if (media?.kind === "image") onPicture?.(media);
    }
  });
  return useCallback((files) => {
    for (const key of latest.current.add(files)) expected.current.add(key);
  }, []);
}

/** Text for screen readers: how many uploads are complete, without percentages. */
function spoken(items: { state: string; name: string; message: string | null }[]): string {
  const failed = items.find(({ state }) => state === "failed");
  if (failed) return `${failed.name}: ${failed.message ?? "não foi enviado."}`;
  const ready = items.filter(({ state }) => state === "ready").length;
  return items.length === 0
    ? ""
    : `${ready} de ${counted(items.length, "arquivo enviado", "arquivos enviados")}.`;
}

/** `error` of a refused form, until what it was about (`subject`) changes. */
function useUntilChanged(error: string | undefined, problem: object, subject: string) {
  const [seen, setSeen] = useState({ problem, subject });
  if (error === undefined) return undefined;
  if (seen.problem !== problem) {
    setSeen({ problem, subject });
    return error;
  }
  return seen.subject === subject ? error : undefined;
}
