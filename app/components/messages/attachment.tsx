import { Mic, Paperclip } from "lucide-react";
import { lazy, Suspense, useState } from "react";
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
  const canRecord = useHydrated() && "MediaRecorder" in window;
  if (recordsSince === sentCount)
    return (
      <div className="flex flex-col gap-2">
        <Suspense fallback={null}>
          <AudioRecorder onClose={() => setRecordsSince(null)} />
        </Suspense>
        {canSell ? <PriceField problem={problem} /> : null}
        {problem?.errors["file"] ? (
          <p role="alert" className="text-small font-medium text-refusal">
            {problem.errors["file"]}
          </p>
        ) : null}
      </div>
    );
  return (
    <div className="flex flex-wrap items-start gap-x-5">
      <FileFields key={sentCount} problem={problem} canSell={canSell} />
      {canRecord ? (
        <button
          type="button"
          onClick={() => setRecordsSince(sentCount)}
          className="flex min-h-11 items-center gap-2 text-small font-semibold text-leaf"
        >
          <Mic aria-hidden="true" className="size-4" />
          Gravar áudio
        </button>
      ) : null}
    </div>
  );
}

/** The fields of a message's file, folded until they are wanted. */
function FileFields({ problem, canSell }: { problem: FormProblem | undefined; canSell: boolean }) {
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <details
      className="min-w-0 open:basis-full"
      open={Boolean(errors["file"] ?? errors["alt"] ?? errors["price"] ?? values["alt"])}
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
        <CheckboxField
          label="Conteúdo sensível"
          name="isSensitive"
          value="true"
          defaultChecked={values["isSensitive"] === "true"}
          hint="Fica coberto até a pessoa escolher ver."
        />
        {canSell ? <PriceField problem={problem} /> : null}
      </div>
    </details>
  );
}

/** What the file or the recording costs the other side. */
function PriceField({ problem }: { problem: FormProblem | undefined }) {
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <TextField
      label="Preço"
      name="price"
      prefix="R$"
      inputMode="decimal"
      autoComplete="off"
      placeholder="15,00"
      required={false}
      defaultValue={values["price"]}
      error={errors["price"]}
      hint="De R$ 5,00 a R$ 5.000,00. A pessoa só vê o arquivo depois de comprar; o texto fica aberto."
    />
  );
}
