import { Plus, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { CheckboxField, TextField } from "#app/components/ui/fields/field.tsx";
import { OPTIONS_MAX, OPTIONS_MIN, QUESTION_MAX } from "#app/domain/posts/schema/polls.ts";
import type { FieldsProps } from "./access-fields.tsx";
import { Part } from "./part.tsx";

type PollFieldsProps = FieldsProps & {
  /** The poll has votes: its texts are fixed, and only its end may change. */
  isFixed: boolean;
  /** Runs on changes other than typing, such as a removed option. */
  onChanged: () => void;
};

/**
 * Poll fields below the post, collapsed while there is no poll. Without JavaScript all ten options
 * show.
 */
export function PollFields({ values, errors, isFixed, onChanged }: PollFieldsProps) {
  const options = (values["pollOptions"] ?? "").split("\n");
  const isOpen = Boolean(
    values["pollQuestion"] ||
    options.some(Boolean) ||
    errors["pollQuestion"] ||
    errors["pollOptions"] ||
    errors["pollClosesAt"],
  );
  return (
    <Part title="Enquete" isOpen={isOpen}>
      {isFixed ? (
        <Asked values={values} options={options} error={errors["pollQuestion"]} />
      ) : (
        <>
          <TextField
            label="Pergunta"
            name="pollQuestion"
            defaultValue={values["pollQuestion"]}
            error={errors["pollQuestion"]}
            required={false}
            limit={QUESTION_MAX}
          />
          <Options initial={options} error={errors["pollOptions"]} onChanged={onChanged} />
          <CheckboxField
            label="Cada pessoa pode escolher mais de uma"
            name="pollIsMultiple"
            value="true"
            defaultChecked={values["pollIsMultiple"] === "true"}
          />
        </>
      )}
      <TextField
        type="datetime-local"
        label="Termina em"
        name="pollClosesAt"
        defaultValue={values["pollClosesAt"]}
        error={errors["pollClosesAt"]}
        required={false}
        hint="Em branco, fica aberta. Vale o horário de Brasília. Vota quem pode ver a publicação, e o resultado aparece para quem votou."
      />
    </Part>
  );
}

/** Read-only question and options of a poll with votes, sent back unchanged. */
function Asked({
  values,
  options,
  error,
}: {
  values: Record<string, string>;
  options: string[];
  error: string | undefined;
}) {
  return (
    <div className="flex flex-col gap-2">
      <p className="font-semibold">{values["pollQuestion"]}</p>
      <ul className="list-disc pl-5">
        {options.map((option) => (
          <li key={option}>{option}</li>
        ))}
      </ul>
      <p className="text-small text-muted">Já votaram: a pergunta e as opções não mudam mais.</p>
      {error ? <p className="text-small font-medium text-refusal">{error}</p> : null}
      <input type="hidden" name="pollQuestion" value={values["pollQuestion"]} />
      {options.map((option) => (
        <input key={option} type="hidden" name="pollOptions" value={option} />
      ))}
      {values["pollIsMultiple"] === "true" ? (
        <input type="hidden" name="pollIsMultiple" value="true" />
      ) : null}
    </div>
  );
}

type Row = { key: number; text: string };

function Options({
  initial,
  error,
  onChanged,
}: {
  initial: string[];
  error: string | undefined;
  onChanged: () => void;
}) {
  const id = useId();
  const isAwake = useHydrated();
  const [rows, setRows] = useState<Row[]>(() =>
    Array.from(
      { length: Math.min(OPTIONS_MAX, Math.max(OPTIONS_MIN, initial.length)) },
      (_, key) => ({ key, text: initial[key] ?? "" }),
    ),
  );
  const list = useRef<HTMLOListElement>(null);
  const shown = isAwake
    ? rows
    : Array.from({ length: OPTIONS_MAX }, (_, key) => ({ key, text: initial[key] ?? "" }));
  const focused = useFocusAfter(list);
  const add = () => {
    if (rows.length === OPTIONS_MAX) return;
    setRows([...rows, { key: Math.max(...rows.map(({ key }) => key)) + 1, text: "" }]);
    focused(rows.length);
  };
  const remove = (index: number) => {
    setRows(rows.toSpliced(index, 1));
    focused(Math.max(0, index - 1));
    onChanged();
  };
  // Enter moves to the next option instead of publishing.
  const goOn = (event: KeyboardEvent, index: number) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (index === rows.length - 1) add();
    else list.current?.querySelectorAll("input")[index + 1]?.focus();
  };
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2"
      data-invalid={error ? "" : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="mb-1 text-small font-semibold">Opções</legend>
      <ol ref={list} className="flex flex-col gap-2">
        {shown.map(({ key, text }, index) => (
          <li key={key} className="flex items-center gap-1">
            <input
              name="pollOptions"
              aria-label={`Opção ${index + 1}`}
              placeholder={`Opção ${index + 1}`}
              defaultValue={text}
              onKeyDown={(event) => goOn(event, index)}
              className={`min-h-12 w-full min-w-0 rounded-field border bg-card px-4 text-ink placeholder:text-muted focus-visible:outline-offset-0 ${error ? "border-refusal" : "border-edge"}`}
            />
            {isAwake && rows.length > OPTIONS_MIN ? (
              <button
                type="button"
                onClick={() => remove(index)}
                aria-label={`Tirar a opção ${index + 1}`}
                className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink"
              >
                <X aria-hidden="true" className="size-5" />
              </button>
            ) : null}
          </li>
        ))}
      </ol>
      {error ? (
        <p id={`${id}-error`} className="text-small font-medium text-refusal">
          {error}
        </p>
      ) : null}
      {isAwake ? (
        <Button
          type="button"
          variant="outline"
          size="sm"
          className="self-start"
          onClick={add}
          disabled={rows.length === OPTIONS_MAX}
        >
          <Plus aria-hidden="true" className="size-4" />
          {rows.length === OPTIONS_MAX ? `Até ${OPTIONS_MAX} opções` : "Adicionar opção"}
        </Button>
      ) : (
        <p className="text-small text-muted">Deixe em branco as que sobrarem.</p>
      )}
    </fieldset>
  );
}

/** Focuses the input at an index after the list renders again. */
function useFocusAfter(list: { current: HTMLOListElement | null }): (index: number) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelectorAll("input")[wanted.current]?.focus();
    wanted.current = null;
  });
  return (index) => {
    wanted.current = index;
  };
}
