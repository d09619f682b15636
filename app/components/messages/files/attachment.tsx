import { Mic, Paperclip } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { CheckboxField, FileField, TextField } from "#app/components/ui/fields/field.tsx";
import { ACCEPTED_FILES, ALT_MAX } from "#app/domain/media/rules/limits.ts";
import { MESSAGE_FILES_A_DAY, MESSAGE_FILES_MAX } from "#app/domain/messages/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const MessageFiles = lazy(async () => ({
  default: (await import("./message-files.tsx")).MessageFiles,
}));
const AudioRecorder = lazy(async () => ({
  default: (await import("#app/components/messages/recordings/audio-recorder.tsx")).AudioRecorder,
}));

/** Files, or an audio that is recorded here: one of the two. */
export function Attachment({
  uploadPath,
  problem,
  sentCount = 0,
  canSell,
  canRecord = true,
  initial,
  onWait,
}: {
  /** Where each file is uploaded before the message is sent. */
  uploadPath: string;
  /** Hears why the message cannot be sent yet; null once it can. */
  onWait: (why: string | null) => void;
  problem: FormProblem | undefined;
  /** Offers a price. */
  canSell: boolean;
  /** Counts the sent files: each ends the recorder. */
  sentCount?: number;
  /** Offers to record an audio. */
  canRecord?: boolean;
  /** What is stored of a message that is changed. */
  initial?: Typed;
}) {
  const [recordsSince, setRecordsSince] = useState<number | null>(null);
  const [savedFields, setSavedFields] = useState<SavedFields | null>(null);
  const around = useRef<HTMLDivElement>(null);
  const offersRecorder = useHydrated() && canRecord && "MediaRecorder" in window;
  const isRecording = recordsSince === sentCount;
  const filesSent = useSentWithFiles(sentCount, recordsSince);
  const given = useGivenFiles(around, filesSent);
  const [hasOpened, setOpened] = useState(false);
  const [discardedCount, setDiscardedCount] = useState(0);
  const saved = savedFields?.sentCount === sentCount ? savedFields : null;
  const typed = typedOf(problem, saved ?? (problem ? null : (initial ?? null)));
  const record = (since: number | null) => {
    const form = around.current?.closest("form");
    if (form) setSavedFields(savedFieldsOf(form, sentCount));
    if (since === null) setDiscardedCount((count) => count + 1);
    setRecordsSince(since);
  };
  return (
    <div ref={around}>
      {isRecording ? (
        <RecordingFields {...{ problem, typed, canSell }} onClose={() => record(null)} />
      ) : null}
      {/* The chosen files wait while an audio is recorded, and are not sent with it. */}
      <fieldset
        disabled={isRecording}
        hidden={isRecording}
        className={isRecording ? undefined : "flex min-w-0 flex-wrap items-start gap-x-5"}
      >
        <FileFields
          key={filesSent}
          saleKey={discardedCount}
          problem={problem}
          typed={typed}
          canSell={canSell}
          isOpen={given.length > 0}
          onOpen={() => setOpened(true)}
        >
          {hasOpened || given.length > 0 ? (
            <Suspense fallback={null}>
              <MessageFiles
                {...{ uploadPath, given, problem }}
                onWait={isRecording ? noWait : onWait}
              />
            </Suspense>
          ) : (
            <PlainFiles problem={problem} />
          )}
        </FileFields>
        {offersRecorder ? <RecordButton onClick={() => record(sentCount)} /> : null}
      </fieldset>
    </div>
  );
}

const noWait = () => undefined;

/** Counts the sent messages that took the files with them. A recording is sent without them. */
function useSentWithFiles(sentCount: number, recordsSince: number | null): number {
  const [counted, setCounted] = useState({ sentCount, filesSent: sentCount });
  if (counted.sentCount === sentCount) return counted.filesSent;
  const filesSent = counted.filesSent + (recordsSince === counted.sentCount ? 0 : 1);
  setCounted({ sentCount, filesSent });
  return filesSent;
}

/** An audio that is recorded here, in the place of the files. */
function RecordingFields({
  problem,
  typed,
  canSell,
  onClose,
}: {
  problem: FormProblem | undefined;
  typed: Typed;
  canSell: boolean;
  onClose: () => void;
}) {
  return (
    <div className="flex flex-col gap-2">
      <Suspense fallback={null}>
        <AudioRecorder onClose={onClose} />
      </Suspense>
      <SaleFields typed={typed} error={problem?.errors["price"]} canSell={canSell} />
      {problem?.errors["file"] ? (
        <p role="alert" className="text-small font-medium text-refusal">
          {problem.errors["file"]}
        </p>
      ) : null}
    </div>
  );
}

function RecordButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-11 items-center gap-2 text-small font-semibold text-leaf"
    >
      <Mic aria-hidden="true" className="size-4" />
      Gravar áudio
    </button>
  );
}

/** What holds for a file and for a recording, and is kept while one is changed for the other. */
type Typed = { price: string | undefined; isSensitive: boolean };
type SavedFields = Typed & { sentCount: number };

function savedFieldsOf(form: HTMLFormElement, sentCount: number): SavedFields {
  const price = new FormData(form).get("price");
  return {
    sentCount,
    price: typeof price === "string" ? price : undefined,
    isSensitive: new FormData(form).has("isSensitive"),
  };
}

const typedOf = (problem: FormProblem | undefined, savedFields: Typed | null): Typed =>
  savedFields ?? {
    price: problem?.values["price"],
    isSensitive: problem?.values["isSensitive"] === "true",
  };

const NONE: File[] = [];

/** Files that were dropped on the form around, or pasted into it, since files were sent last. */
function useGivenFiles(around: RefObject<HTMLElement | null>, filesSent: number): File[] {
  const [given, setGiven] = useState({ files: NONE, filesSent });
  useEffect(() => {
    const form = around.current?.closest("form");
    const take = (event: Event, data: DataTransfer | null) => {
      if (!data || data.files.length === 0) return;
      event.preventDefault();
      setGiven({ files: [...data.files], filesSent });
    };
    const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
    const onDrop = (event: DragEvent) => take(event, event.dataTransfer);
    // Without this the browser would open the file in place of the page.
    const onDragOver = (event: DragEvent) => event.preventDefault();
    form?.addEventListener("paste", onPaste);
    form?.addEventListener("drop", onDrop);
    form?.addEventListener("dragover", onDragOver);
    return () => {
      form?.removeEventListener("paste", onPaste);
      form?.removeEventListener("drop", onDrop);
      form?.removeEventListener("dragover", onDragOver);
    };
  }, [around, filesSent]);
  return given.filesSent === filesSent ? given.files : NONE;
}

/** The fields of a message's files, folded until they are wanted. */
function FileFields({
  saleKey,
  problem,
  typed,
  canSell,
  isOpen,
  onOpen,
  children,
}: {
  /** Another one shows `typed` anew. */
  saleKey: number;
  problem: FormProblem | undefined;
  typed: Typed;
  canSell: boolean;
  isOpen: boolean;
  onOpen: () => void;
  children: ReactNode;
}) {
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <details
      className="min-w-0 open:basis-full"
      onToggle={(event) => {
        if (event.currentTarget.open) onOpen();
      }}
      open={Boolean(
        isOpen ||
        (errors["file"] ?? errors["alt"] ?? errors["price"] ?? (values["alt"] || typed.price)),
      )}
    >
      <summary className="flex min-h-11 w-fit items-center gap-2 text-small font-semibold text-leaf">
        <Paperclip aria-hidden="true" className="size-4" />
        Anexar arquivos
      </summary>
      <div className="flex flex-col gap-3 pb-2">
        {children}
        <SaleFields key={saleKey} typed={typed} error={errors["price"]} canSell={canSell} />
      </div>
    </details>
  );
}

/** Without JavaScript, and until it is loaded: all files in one field, with one description. */
function PlainFiles({ problem }: { problem: FormProblem | undefined }) {
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <>
      <FileField
        label="Arquivos"
        name="file"
        multiple
        accept={ACCEPTED_FILES}
        required={false}
        error={errors["file"]}
        hint={`Até ${MESSAGE_FILES_MAX} fotos, vídeos, áudios ou PDFs, de até 10 MB cada um e 12 MB juntos. ${MESSAGE_FILES_A_DAY} por dia.`}
      />
      <TextField
        label="Descrição"
        name="alt"
        required={false}
        limit={ALT_MAX}
        defaultValue={values["alt"]}
        error={errors["alt"]}
        hint="Para quem não vê as imagens."
      />
    </>
  );
}

/** Whether the files or the recording are covered, and what they cost the other side. */
function SaleFields({
  typed,
  error,
  canSell,
}: {
  typed: Typed;
  error: string | undefined;
  canSell: boolean;
}) {
  return (
    <>
      <CheckboxField
        label="Conteúdo sensível"
        name="isSensitive"
        value="true"
        defaultChecked={typed.isSensitive}
        hint="Fica coberto até a pessoa escolher ver. Vale para todos os arquivos."
      />
      {canSell ? (
        <TextField
          label="Preço"
          name="price"
          prefix="R$"
          inputMode="decimal"
          autoComplete="off"
          placeholder="15,00"
          required={false}
          defaultValue={typed.price}
          error={error}
          hint="De R$ 5,00 a R$ 5.000,00, por todos os arquivos juntos. A pessoa só vê os arquivos depois de comprar; o texto fica aberto."
        />
      ) : null}
    </>
  );
}
