import { useId } from "react";
import type { ReactNode } from "react";

export type Choice = { value: string; label: string; hint?: ReactNode; disabled?: boolean };

type ChoicesProps = {
  legend: string;
  name: string;
  options: Choice[];
  /** One value, or several for check boxes. */
  defaultValue?: string | string[] | undefined;
  error?: string | undefined;
  hint?: ReactNode;
  type?: "radio" | "checkbox";
  className?: string;
  /** The legend is shown by what surrounds the question. */
  hidesLegend?: boolean;
  onValueChange?: (value: string) => void;
};

/** Question with visible answers: native radios or check boxes, each in a card. */
export function Choices({
  legend,
  name,
  options,
  defaultValue,
  error,
  hint,
  type = "radio",
  className = "",
  hidesLegend = false,
  onValueChange,
}: ChoicesProps) {
  const id = useId();
  const chosen = Array.isArray(defaultValue) ? defaultValue : [defaultValue];
  const notes = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <fieldset
      className={`flex min-w-0 flex-col gap-2 ${className}`}
      aria-describedby={notes || undefined}
      data-invalid={error ? "" : undefined}
    >
      <legend className={hidesLegend ? "sr-only" : "mb-2 text-small font-semibold"}>
        {legend}
      </legend>
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      ) : null}
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-12 items-start gap-3 rounded-field border border-edge bg-card px-4 py-3 has-checked:border-leaf has-checked:bg-signal-soft has-disabled:opacity-60 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf"
        >
          <input
            type={type}
            name={name}
            value={option.value}
            disabled={option.disabled}
            defaultChecked={chosen.includes(option.value)}
            onChange={
              onValueChange ? (event) => onValueChange(event.currentTarget.value) : undefined
            }
            aria-describedby={option.hint ? `${id}-${option.value}` : undefined}
            className="mt-0.5 size-5 shrink-0 accent-leaf outline-none"
          />
          <span className="flex min-w-0 flex-col">
            <span className="font-semibold">{option.label}</span>
            {option.hint ? (
              <span id={`${id}-${option.value}`} className="text-small text-muted">
                {option.hint}
              </span>
            ) : null}
          </span>
        </label>
      ))}
      {error ? (
        <p id={`${id}-error`} className="text-small font-medium text-refusal">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
