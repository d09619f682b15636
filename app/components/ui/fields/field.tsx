import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";
import { areaClass, borderOf, INPUT } from "./field-look.ts";
import type { Look } from "./field-look.ts";
import { useFieldState } from "./use-field-state.ts";
import type { FieldRules } from "./use-field-state.ts";

type Described = {
  label: string;
  name: string;
  error?: string | undefined;
  hint?: ReactNode;
  className?: string;
};

type FrameProps = Described &
  Look & {
    id: string;
    required?: boolean | undefined;
    near?: string | null;
    children: ReactNode;
  };

function Frame({
  id,
  label,
  look = "box",
  error,
  hint,
  near,
  required,
  className = "",
  children,
}: FrameProps) {
  return (
    <div className={`flex flex-col ${look === "box" ? "gap-1.5" : "gap-3"} ${className}`}>
      <label htmlFor={id} className={look === "box" ? "text-small font-semibold" : "sr-only"}>
        {label}
        {required === false ? <span className="font-normal text-muted"> (opcional)</span> : null}
      </label>
      {children}
      <Notes id={id} error={error} hint={hint} />
      {near ? (
        <p id={`${id}-near`} className="text-small text-muted tabular-nums">
          {near}
        </p>
      ) : null}
    </div>
  );
}

function Notes({ id, error, hint }: { id: string; error: string | undefined; hint: ReactNode }) {
  return (
    <>
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-small font-medium text-refusal">
          {error}
        </p>
      ) : null}
    </>
  );
}

/**
 * Joins the ids of the field's descriptions. An existing description, such as a price's net, comes
 * first.
 */
function described(
  id: string,
  error: string | undefined,
  hint: ReactNode,
  hintId: string | undefined,
  near: string | null = null,
) {
  const ids = [
    hintId,
    hint ? `${id}-hint` : "",
    error ? `${id}-error` : "",
    near ? `${id}-near` : "",
  ]
    .filter(Boolean)
    .join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? true : undefined };
}

type Ruled = Pick<FieldRules, "limit" | "problemOf">;

type InputProps = Described &
  Ruled &
  Omit<ComponentProps<"input">, "prefix" | "name"> & { prefix?: ReactNode };

/**
 * Text input with its label, hint and error. An explicit `required={false}` adds "(opcional)" to
 * the label.
 */
export function TextField({
  label,
  name,
  error: refused,
  limit,
  problemOf,
  hint,
  className,
  prefix,
  type = "text",
  ...input
}: InputProps) {
  const own = useId();
  const id = input.id ?? own;
  const { error, near, onInput } = useFieldState<HTMLInputElement>(
    { error: refused, limit, problemOf },
    input.value ?? input.defaultValue,
    input.onInput,
  );
  return (
    <Frame
      id={id}
      label={label}
      name={name}
      error={error}
      hint={hint}
      near={near}
      required={input.required}
      className={className}
    >
      <div className="relative">
        {prefix ? (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-4 flex items-center text-muted"
          >
            {prefix}
          </span>
        ) : null}
        <input
          {...input}
          {...described(id, error, hint, input["aria-describedby"], near)}
          id={id}
          name={name}
          type={type}
          onInput={onInput}
          className={`${INPUT} ${borderOf(error)} min-h-12 ${prefix ? "pl-12" : ""}`}
        />
      </div>
    </Frame>
  );
}

export function TextArea({
  label,
  name,
  error: refused,
  limit,
  problemOf,
  hint,
  className,
  look = "box",
  rows = 5,
  ...area
}: Described & Ruled & Look & Omit<ComponentProps<"textarea">, "name">) {
  const own = useId();
  const id = area.id ?? own;
  const { error, near, onInput } = useFieldState<HTMLTextAreaElement>(
    { error: refused, limit, problemOf },
    area.value ?? area.defaultValue,
    area.onInput,
  );
  return (
    <Frame
      id={id}
      label={label}
      look={look}
      name={name}
      error={error}
      hint={hint}
      near={near}
      required={area.required}
      className={className}
    >
      <textarea
        {...area}
        {...described(id, error, hint, area["aria-describedby"], near)}
        id={id}
        name={name}
        rows={rows}
        onInput={onInput}
        className={areaClass(look, error)}
      />
    </Frame>
  );
}

type SelectProps = Described &
  Omit<ComponentProps<"select">, "name"> & { options: { value: string; label: string }[] };

export function SelectField({
  label,
  name,
  error: refused,
  hint,
  className,
  options,
  ...select
}: SelectProps) {
  const own = useId();
  const id = select.id ?? own;
  const { error, onInput } = useFieldState<HTMLSelectElement>(
    { error: refused },
    select.defaultValue,
    select.onInput,
  );
  return (
    <Frame
      id={id}
      label={label}
      name={name}
      error={error}
      hint={hint}
      required={select.required}
      className={className}
    >
      <select
        {...select}
        {...described(id, error, hint, select["aria-describedby"])}
        id={id}
        name={name}
        onInput={onInput}
        className={`${INPUT} ${borderOf(error)} min-h-12`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function FileField({
  label,
  name,
  error: refused,
  hint,
  className,
  ...input
}: Described & Omit<ComponentProps<"input">, "name" | "type">) {
  const own = useId();
  const id = input.id ?? own;
  const { error, onInput } = useFieldState<HTMLInputElement>(
    { error: refused },
    null,
    input.onInput,
  );
  return (
    <Frame
      id={id}
      label={label}
      name={name}
      error={error}
      hint={hint}
      required={input.required}
      className={className}
    >
      <input
        {...input}
        {...described(id, error, hint, input["aria-describedby"])}
        id={id}
        name={name}
        type="file"
        onInput={onInput}
        className={`${INPUT} ${borderOf(error)} min-h-12 border-dashed py-2 pl-2 text-small file:mr-3 file:min-h-8 file:cursor-pointer file:rounded-full file:border-0 file:bg-sand file:px-4 file:font-semibold file:text-ink`}
      />
    </Frame>
  );
}

export function CheckboxField({
  label,
  name,
  error,
  hint,
  className = "",
  ...input
}: Omit<Described, "label"> & { label: ReactNode } & Omit<
    ComponentProps<"input">,
    "name" | "type"
  >) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2.5">
        <input
          {...input}
          {...described(id, error, hint, input["aria-describedby"])}
          id={id}
          name={name}
          type="checkbox"
          className="mt-0.5 size-5 shrink-0 accent-leaf"
        />
        <span>{label}</span>
      </label>
      <Notes id={id} error={error} hint={hint} />
    </div>
  );
}
