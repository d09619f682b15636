import { Mic, Paperclip } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useHydrated } from "#app/components/shell/use-hydrated.ts";
import { CheckboxField, FileField, TextField } from "#app/components/ui/field.tsx";
import { ACCEPTED_FILES, ALT_MAX } from "#app/domain/media/rules/limits.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const AudioRecorder = lazy(async () => ({
  default: (await import("./audio-recorder.tsx")).AudioRecorder,
}));

/** A file, or an audio that is recorded here: one of the two. */
export function Attachment({
  problem,
  sentCount,
  canSell,
}: {
  problem: FormProblem | undefined;
  /** Offers a price. */
  canSell: boolean;
  /** Counts the sent files: each ends the recorder. */
  sentCount: number;
}) {
  const [recordsSince, setRecordsSince] = useState<number | null>(null);
  const [savedFields, setSavedFields] = useState<SavedFields | null>(null);
  const around = useRef<HTMLDivElement>(null);
  const canRecord = useHydrated() && "MediaRecorder" in window;
  const typed = typedOf(problem, savedFields?.sentCount === sentCount ? savedFields : null);
  const record = (since: number | null) => {
    const form = around.current?.closest("form");
    if (form) setSavedFields(savedFieldsOf(form, sentCount));
    setRecordsSince(since);
  };
  if (recordsSince === sentCount)
    return (
      <div ref={around} className="flex flex-col gap-2">
        <Suspense fallback={null}>
          <AudioRecorder onClose={() => record(null)} />
        </Suspense>
        <SaleFields typed={typed} error={problem?.errors["price"]} canSell={canSell} />
        {problem?.errors["file"] ? (
          <p role="alert" className="text-small font-medium text-refusal">
            {problem.errors["file"]}
          </p>
        ) : null}
      </div>
    );
  return (
    <div ref={around} className="flex flex-wrap items-start gap-x-5">
      <FileFields key={sentCount} problem={problem} typed={typed} canSell={canSell} />
      {canRecord ? (
        <button
          type="button"
          onClick={() => record(sentCount)}
          className="flex min-h-11 items-center gap-2 text-small font-semibold text-leaf"
        >
          <Mic aria-hidden="true" className="size-4" />
          Gravar áudio
        </button>
      ) : null}
    </div>
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

const typedOf = (problem: FormProblem | undefined, savedFields: SavedFields | null): Typed =>
  savedFields ?? {
    price: problem?.values["price"],
    isSensitive: problem?.values["isSensitive"] === "true",
  };

/** The fields of a message's file, folded until they are wanted. */
function FileFields({
  problem,
  typed,
  canSell,
}: {
  problem: FormProblem | undefined;
  typed: Typed;
  canSell: boolean;
}) {
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <details
      className="min-w-0 open:basis-full"
      open={Boolean(
        errors["file"] ?? errors["alt"] ?? errors["price"] ?? (values["alt"] || typed.price),
      )}
    >
      <summary className="flex min-h-11 w-fit items-center gap-2 text-small font-semibold text-leaf">
        <Paperclip aria-hidden="true" className="size-4" />
        Anexar arquivo
      </summary>
      <div className="flex flex-col gap-3 pb-2">
        <FileField
          label="Arquivo"
          name="file"
          accept={ACCEPTED_FILES}
          required={false}
          error={errors["file"]}
          hint="Foto, vídeo, áudio ou PDF de até 10 MB."
        />
        <TextField
          label="Descrição"
          name="alt"
          required={false}
          limit={ALT_MAX}
          defaultValue={values["alt"]}
          error={errors["alt"]}
          hint="Para quem não vê a imagem."
        />
        <SaleFields typed={typed} error={errors["price"]} canSell={canSell} />
      </div>
    </details>
  );
}

/** Whether the file or the recording is covered, and what it costs the other side. */
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
        hint="Fica coberto até a pessoa escolher ver."
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
          hint="De R$ 5,00 a R$ 5.000,00. A pessoa só vê o arquivo depois de comprar; o texto fica aberto."
        />
      ) : null}
    </>
  );
}
