import { X } from "lucide-react";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import {
  FileAlt,
  FileButton,
  FilePreview,
  FileProgress,
  FileRow,
} from "#app/components/media/file-row.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { formatSize } from "#app/domain/media/rules.ts";
import { ACCEPTED_FILES, ALT_MAX } from "#app/domain/media/rules/limits.ts";
import type { MediaKind } from "#app/domain/media/schema.ts";
import { MESSAGE_FILES_A_DAY, MESSAGE_FILES_MAX } from "#app/domain/messages/rules.ts";
import { counted } from "#app/domain/text.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { useMessageFiles } from "./use-message-files.ts";
import type { ChosenFile } from "./use-message-files.ts";

const LIMITS = `Até ${MESSAGE_FILES_MAX} fotos, vídeos, áudios ou PDFs por mensagem, de até 10 MB cada um. ${MESSAGE_FILES_A_DAY} por dia. Também dá para arrastar ou colar.`;
const TOO_MANY = `Uma mensagem leva até ${MESSAGE_FILES_MAX} arquivos. Os que passaram disso ficaram de fora.`;

type MessageFilesProps = {
  uploadPath: string;
  /** Files that were dropped or pasted: each new list is added. */
  given: File[];
  /** Of the last refused form. */
  problem: FormProblem | undefined;
  onWait: (why: string | null) => void;
};

/**
 * The files of a message, uploaded while it is written. The form gets `fileIds` and `fileAlts` in
 * the same order.
 */
export function MessageFiles({ uploadPath, given, problem, onWait }: MessageFilesProps) {
  const id = useId();
  const { files, room, add, remove, retry, describe } = useMessageFiles(uploadPath);
  const [hasTooMany, setTooMany] = useState(false);
  const [seen, setSeen] = useState<FormProblem>();
  const choose = useCallback(
    (chosen: File[]) => {
      setTooMany(chosen.length > room);
      setSeen(problem);
      add(chosen, room);
    },
    [add, room, problem],
  );
  useGiven(given, choose);
  const wait = waitText(files);
  useEffect(() => {
    onWait(wait);
    return () => onWait(null);
  }, [wait, onWait]);
  const isChanged = seen === problem;
  const shownError = hasTooMany ? TOO_MANY : isChanged ? undefined : problem?.errors["file"];
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={`${id}-limits`}>
      <legend className="mb-2 text-small font-semibold">Arquivos</legend>
      {files.length > 0 ? (
        <ol className="flex flex-col gap-3">
          {files.map((one, at) => (
            <ChosenRow
              key={one.key}
              chosen={one}
              place={at + 1}
              onRetry={() => retry(one.key, one.file)}
              onDescribe={(alt) => describe(one.key, alt)}
              onRemove={() => {
                setTooMany(false);
                setSeen(problem);
                remove(one.key);
              }}
            />
          ))}
        </ol>
      ) : null}
      <ChooseButton hasFiles={files.length > 0} isFull={room === 0} onChoose={choose} />
      <p id={`${id}-limits`} className="text-small text-muted">
        {LIMITS}
      </p>
      {shownError ? (
        <p role="alert" className="text-small font-medium text-refusal">
          {shownError}
        </p>
      ) : null}
      <p role="status" className="sr-only">
        {spokenText(files)}
      </p>
    </fieldset>
  );
}

type ChooseProps = {
  hasFiles: boolean;
  isFull: boolean;
  onChoose: (files: File[]) => void;
};

function ChooseButton({ hasFiles, isFull, onChoose }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        type="button"
        size="sm"
        variant="outline"
        className="self-start"
        disabled={isFull}
        onClick={() => input.current?.click()}
      >
        {hasFiles ? "Adicionar arquivos" : "Escolher arquivos"}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        aria-label="Fotos, vídeos, áudios ou PDFs"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          onChoose([...(event.currentTarget.files ?? [])]);
          // Lets the person choose the same file again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Adds each new list of dropped or pasted files once. */
function useGiven(given: File[], choose: (files: File[]) => void): void {
  const taken = useRef<File[] | null>(null);
  useEffect(() => {
    if (given.length === 0 || taken.current === given) return;
    taken.current = given;
    choose(given);
  }, [given, choose]);
}

/** Why the message cannot be sent yet. */
function waitText(files: readonly ChosenFile[]): string | null {
  if (files.some(({ state }) => state === "failed"))
    return "Um arquivo não foi enviado. Tente de novo ou remova esse arquivo.";
  if (files.some(({ alt }) => alt.length > ALT_MAX))
    return "Uma descrição está longa demais. Encurte para enviar.";
  return files.some(({ state }) => state === "sending")
    ? "Os arquivos ainda estão subindo. Envie a mensagem quando terminarem."
    : null;
}

/** What a screen reader hears: how many are there, without percentages. */
function spokenText(files: readonly ChosenFile[]): string {
  if (files.length === 0) return "";
  const ready = files.filter(({ state }) => state === "ready").length;
  return `${ready} de ${counted(files.length, "arquivo enviado", "arquivos enviados")}.`;
}

type ChosenRowProps = {
  chosen: ChosenFile;
  place: number;
  onRetry: () => void;
  onRemove: () => void;
  onDescribe: (alt: string) => void;
};

function ChosenRow({ chosen, place, onRetry, onRemove, onDescribe }: ChosenRowProps) {
  const { file, id, state, problem, percent, alt } = chosen;
  const name = file.name || `Arquivo ${place}`;
  return (
    <FileRow
      name={name}
      preview={<FilePreview file={file} storedUrl={null} kind={kindOf(file)} />}
      state={STATE_TEXTS[state](formatSize(file.size))}
      actions={
        <FileButton label={`Remover ${name}`} onClick={onRemove}>
          <X aria-hidden="true" className="size-5" />
        </FileButton>
      }
    >
      {state === "sending" ? <FileProgress name={name} percent={percent} /> : null}
      {state === "failed" ? (
        <>
          <p className="text-small font-medium text-refusal">{problem}</p>
          <Button
            type="button"
            size="sm"
            variant="outline"
            className="self-start"
            aria-label={`Tentar de novo: ${name}`}
            onClick={onRetry}
          >
            Tentar de novo
          </Button>
        </>
      ) : null}
      {state === "ready" && id !== null ? (
        <>
          <input type="hidden" name="fileIds" value={id} />
          {isSeen(file) ? (
            <FileAlt
              label={`Descrição de ${name}`}
              name="fileAlts"
              alt={alt}
              onChange={onDescribe}
            />
          ) : (
            <input type="hidden" name="fileAlts" value="" />
          )}
        </>
      ) : null}
    </FileRow>
  );
}

const STATE_TEXTS: Record<ChosenFile["state"], (size: string) => string> = {
  sending: (size) => `Enviando · ${size}`,
  ready: (size) => `Pronto · ${size}`,
  failed: (size) => `Não foi enviado · ${size}`,
};

/** A picture or a video can be described. */
const isSeen = (file: File): boolean => ["image", "video"].includes(kindOf(file));

function kindOf({ type }: File): MediaKind {
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("video/")) return "video";
  return type.startsWith("audio/") ? "audio" : "document";
}
