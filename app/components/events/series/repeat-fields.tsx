import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { WEEKDAY_NAMES } from "#app/domain/events/series/rules.ts";
import { counted } from "#app/domain/text.ts";

type Preview = { dates: string[]; total: number; problem: string | null };

const ASKED = [
  "startsAt",
  "endsAt",
  "timeZone",
  "repeat",
  "weekdays",
  "repeatEnds",
  "repeatUntil",
  "repeatTimes",
];
const PAUSE_MS = 300;

/** The dates of the form around `element`, as they are typed; `shown` without JavaScript. */
function usePreview(shown: Preview | null) {
  const element = useRef<HTMLDivElement>(null);
  const { load, data } = useFetcher<{ preview: Preview | null }>();
  useEffect(() => {
    const form = element.current?.closest("form");
    if (!form) return;
    let timer = 0;
    const ask = (event: Event): void => {
      const { name } = event.target as HTMLInputElement;
      if (!ASKED.includes(name)) return;
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const typed = [...new FormData(form)].filter(([field]) => ASKED.includes(field));
        void load(`/events/dates?${new URLSearchParams(typed as [string, string][])}`);
      }, PAUSE_MS);
    };
    form.addEventListener("input", ask);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("input", ask);
    };
  }, [load]);
  return { element, preview: data ? data.preview : shown };
}

/** The part "Repetir" of a new event's form, with its next dates. */
export function RepeatFields({
  values,
  errors,
  shown,
}: FieldsProps & {
  /** The dates of a form that was sent to see them. */
  shown: Preview | null;
}) {
  const { element, preview } = usePreview(shown);
  return (
    <div ref={element} className="group/repeat flex flex-col gap-5">
      <SelectField
        label="Repetir"
        name="repeat"
        defaultValue={values["repeat"] ?? "none"}
        error={errors["repeat"]}
        options={[
          { value: "none", label: "Não repete" },
          { value: "daily", label: "Todo dia" },
          { value: "weekly", label: "Toda semana" },
          { value: "biweekly", label: "A cada duas semanas" },
          { value: "monthly_day", label: "Todo mês, no mesmo dia do mês" },
          { value: "monthly_weekday", label: "Todo mês, no mesmo dia da semana" },
        ]}
        hint="No mesmo dia da semana: como a terceira quinta-feira, ou a última. Dia 31 é o último dia nos meses mais curtos."
      />
      <div className="contents group-has-[option[value=none]:checked]/repeat:hidden">
        <Choices
          className={
            errors["weekdays"]
              ? ""
              : "hidden group-has-[option[value=biweekly]:checked]/repeat:flex group-has-[option[value=weekly]:checked]/repeat:flex"
          }
          legend="Dias da semana"
          hint="Sem nenhum marcado, é o dia em que começa."
          name="weekdays"
          type="checkbox"
          defaultValue={(values["weekdays"] ?? "").split("\n")}
          error={errors["weekdays"]}
          options={WEEKDAY_NAMES.map((name, index) => ({ value: String(index), label: name }))}
        />
        <RepeatEnd values={values} errors={errors} />
        <NextDates preview={preview} />
        <noscript>
          <Button variant="outline" name="preview" value="true">
            Ver as datas
          </Button>
        </noscript>
      </div>
    </div>
  );
}

type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

function RepeatEnd({ values, errors }: FieldsProps) {
  return (
    <>
      <Choices
        legend="Até quando"
        name="repeatEnds"
        defaultValue={values["repeatEnds"] ?? "until"}
        error={errors["repeatEnds"]}
        options={[
          { value: "until", label: "Até uma data" },
          { value: "times", label: "Um número de vezes" },
        ]}
      />
      <TextField
        type="date"
        label="Última data"
        name="repeatUntil"
        defaultValue={values["repeatUntil"]}
        error={errors["repeatUntil"]}
        className={
          errors["repeatUntil"] ? "" : "group-has-[input[value=times]:checked]/repeat:hidden"
        }
      />
      <TextField
        label="Quantas vezes"
        name="repeatTimes"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={values["repeatTimes"]}
        error={errors["repeatTimes"]}
        className={
          errors["repeatTimes"] ? "" : "group-has-[input[value=until]:checked]/repeat:hidden"
        }
      />
    </>
  );
}

function NextDates({ preview }: { preview: Preview | null }) {
  return (
    <div role="status" className="flex flex-col gap-1">
      {preview === null ? null : preview.problem === null ? (
        <>
          <p className="text-small font-semibold">
            {counted(preview.total, "data", "datas")}. As próximas:
          </p>
          <ul className="flex flex-col gap-1 text-small">
            {preview.dates.map((date) => (
              <li key={date} className="first-letter:uppercase">
                {date}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="text-small text-muted">{preview.problem}</p>
      )}
    </div>
  );
}
