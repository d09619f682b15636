import { FileText, Film, Image, Music } from "lucide-react";
import { useCallback, useId } from "react";
import type { ReactNode } from "react";
import { limitNote } from "#app/components/ui/fields/limit-note.ts";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import type { MediaKind } from "#app/domain/media/schema.ts";

/** Row of a chosen file: preview, name, state, buttons, and below them what belongs to it. */
export function FileRow({
  name,
  preview,
  state,
  actions,
  children,
}: {
  name: string;
  preview: ReactNode;
  /** How far it is. */
  state: string;
  actions: ReactNode;
  children: ReactNode;
}) {
  return (
    <li
      className="flex flex-col gap-3 rounded-field border border-line bg-card p-3"
      aria-label={name}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {preview}
        <div className="flex min-w-40 flex-1 flex-col">
          <span className="truncate font-semibold">{name}</span>
          <span className="text-small text-muted">{state}</span>
        </div>
        <div className="-mr-1 ml-auto flex shrink-0 items-center">{actions}</div>
      </div>
      {children}
    </li>
  );
}

/** Round button of a file's row, with an icon. */
export function FileButton({
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
const THUMBNAIL = "size-14 shrink-0 rounded-field bg-sand object-cover";

/** Preview of a file: a picture of this device, else the stored thumbnail, else an icon. */
export function FilePreview({
  file,
  storedUrl,
  kind,
}: {
  /** Null for one that is not shown. */
  file: File | null;
  storedUrl: string | null;
  kind: MediaKind;
}) {
  if (file?.type.startsWith("image/")) return <LocalImage file={file} />;
  if (storedUrl) return <img src={storedUrl} alt="" className={THUMBNAIL} />;
  const Icon = ICONS[kind];
  return (
    <span className="inline-flex size-14 shrink-0 items-center justify-center rounded-field bg-sand text-muted">
      <Icon aria-hidden="true" className="size-6" />
    </span>
  );
}

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

/** How much of a file is uploaded, with buttons beside it. */
export function FileProgress({
  name,
  percent,
  children,
}: {
  name: string;
  /** From 0 to 100. */
  percent: number;
  children?: ReactNode;
}) {
  return (
    <div className="flex items-center gap-3">
      <progress
        aria-label={`Envio de ${name}`}
        value={percent}
        max={100}
        className="h-2 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-sand [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-sand [&::-webkit-progress-value]:bg-leaf"
      />
      <span className="w-11 text-right text-small tabular-nums">{percent}%</span>
      {children}
    </div>
  );
}

/** The field of a file's description. Without `name` the form does not send it. */
export function FileAlt({
  label,
  name,
  alt,
  onChange,
}: {
  label: string;
  name: string | undefined;
  alt: string;
  onChange: (alt: string) => void;
}) {
  const id = useId();
  const note = limitNote(alt.length, ALT_MAX);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {label} <span className="font-normal text-muted">(opcional)</span>
      </label>
      <input
        id={id}
        name={name}
        value={alt}
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
