import { data } from "react-router";
import type { UNSAFE_DataWithResponseInit as DataWithResponseInit } from "react-router";
import type { z } from "zod";
import { BodyTooLarge, bodyEnds, limitedBody } from "./body.ts";
import { refusalOf, httpStatusOf } from "./refusal.ts";
import type { FormProblem, Typed } from "#app/lib/form-problem.ts";

const REQUIRED_MESSAGE = "Campo obrigatório";
const FILE_TOO_LARGE_MESSAGE = "Este arquivo é grande demais. Escolha um menor.";
const UNREADABLE_MESSAGE = "Não conseguimos ler o formulário. Tente de novo.";
const TOO_LARGE_MESSAGE = "O envio é grande demais. O limite é 12 MB.";
/** An image of 10 MB (spec section 5) and the text around it. */
const LARGEST_FORM_BYTES = 12 * 1024 * 1024;
/** Only text: the longest post is 20,000 letters, each at most 12 bytes in a form. */
const LARGEST_TEXT_BYTES = 1024 * 1024;
/** Of a form that is refused for its size: photos and scans, which a person sends by mistake. */
const LARGEST_READ_BYTES = 40 * 1024 * 1024;
const NEVER_REPEATED = /password|token|card/i;

/**
 * Parses the form, validates it with `schema` and acts. The schema's keys are the input names; a
 * repeated name is a list, an empty file input is missing. A zod error or a Refusal becomes a
 * FormProblem with the input, never passwords; anything else is thrown.
 */
export async function handleForm<Schema extends z.ZodType, Answer = Response>(
  request: Request,
  schema: Schema,
  act: (input: z.infer<Schema>, form: FormData) => Promise<Answer>,
): Promise<Answer | DataWithResponseInit<FormProblem>> {
  const form = await readForm(request);
  if (!(form instanceof FormData)) return problem(form, 400);
  const values = typedValues(form);
  const parsed = schema.safeParse(formFields(form), { error: zodIssueMessage });
  if (!parsed.success) return problem({ ...formProblemOf(parsed.error), values }, 400);
  try {
    return await act(parsed.data, form);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const errors = refusal.field ? { [refusal.field]: refusal.message } : {};
    return problem(
      {
        errors,
        message: refusal.field ? null : refusal.message,
        ...(refusal.link ? { link: refusal.link } : {}),
        values,
      },
      httpStatusOf(refusal.kind),
    );
  }
}

/** The fields of a form as zod expects them. */
function formFields(form: FormData): Record<string, FormDataEntryValue | FormDataEntryValue[]> {
  const fields = new Map<string, FormDataEntryValue[]>();
  for (const [name, value] of form) {
    if (typeof value !== "string" && value.size === 0) continue;
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, [first = "", ...rest]]) => [
      name,
      rest.length > 0 ? [first, ...rest] : first,
    ]),
  );
}

/** Zod's issues as one message per field; an issue without a field becomes the general message. */
export function formProblemOf(error: z.ZodError): Pick<FormProblem, "errors" | "message"> {
  const errors: Record<string, string> = {};
  let message: string | null = null;
  for (const issue of error.issues) {
    const [field] = issue.path;
    if (field === undefined) message ??= issue.message;
    else errors[String(field)] ??= issue.message;
  }
  return { errors, message };
}

/** The default Portuguese message of an issue. */
export function zodIssueMessage(issue: z.core.$ZodRawIssue): string {
  const input: unknown = issue.input;
  if (input === undefined || input === null || input === "") return REQUIRED_MESSAGE;
  if (issue.code === "too_small")
    return issue.inclusive === false
      ? `Use mais do que ${issue.minimum}.`
      : `Use pelo menos ${issue.minimum}.`;
  if (issue.code === "too_big")
    return issue.inclusive === false
      ? `Use menos do que ${issue.maximum}.`
      : `Use no máximo ${issue.maximum}.`;
  if (issue.code === "invalid_value") return "Escolha uma das opções.";
  return "Confira este campo.";
}

/** Reads a form's input, only to show it again. */
export async function readTypedForm(request: Request): Promise<Typed> {
  const form = await readForm(request);
  if (!(form instanceof FormData)) return { values: form.values, isWhole: false };
  const names = [...form.keys()];
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const isGivenBack = ([name, value]: [string, FormDataEntryValue]) =>
    typeof value === "string"
      ? !NEVER_REPEATED.test(name) && !(repeated.includes(name) && /[\r\n]/.test(value))
      : value.size === 0;
  return {
    values: typedValues(form),
    isWhole: [...form].every(isGivenBack),
    ...(repeated.length > 0 ? { repeated } : {}),
  };
}

async function readForm(request: Request): Promise<FormData | FormProblem> {
  const hasFiles = request.headers.get("Content-Type")?.startsWith("multipart/form-data") ?? false;
  try {
    return await limitedBody(
      request,
      hasFiles ? LARGEST_FORM_BYTES : LARGEST_TEXT_BYTES,
    ).formData();
  } catch (error) {
    if (!(error instanceof BodyTooLarge))
      return { errors: {}, message: UNREADABLE_MESSAGE, values: {} };
    return await tooLargeProblem(request);
  }
}

/**
 * Says which file of a form is too large, and gives back the texts around it. A body that hid its
 * length was read up to the limit, and nothing is left of it.
 */
async function tooLargeProblem(request: Request): Promise<FormProblem> {
  const [, boundary] = /boundary="?([^";]+)/.exec(request.headers.get("Content-Type") ?? "") ?? [];
  const form =
    boundary === undefined || request.body === null || request.body.locked
      ? new FormData()
      : await formWithoutMiddle(request.body, boundary).catch(() => new FormData());
  const [largest] = [...form]
    .flatMap(([name, value]) => (typeof value === "string" ? [] : [{ name, size: value.size }]))
    .toSorted((one, other) => other.size - one.size);
  return {
    errors: largest ? { [largest.name]: FILE_TOO_LARGE_MESSAGE } : {},
    message: TOO_LARGE_MESSAGE,
    values: largest ? typedValues(form) : {},
  };
}

/** Parses a form most of which is a file: that file is cut short. */
async function formWithoutMiddle(
  body: ReadableStream<Uint8Array>,
  boundary: string,
): Promise<FormData> {
  const { start, end } = await bodyEnds(body, {
    startBytes: LARGEST_TEXT_BYTES,
    endBytes: LARGEST_TEXT_BYTES / 16,
    mostBytes: LARGEST_READ_BYTES,
  });
  const delimiter = `\r\n--${boundary}`;
  // One letter a byte, whatever the bytes are.
  const after = new TextDecoder("latin1").decode(end).indexOf(delimiter);
  const rest = after === -1 ? `${delimiter}--\r\n` : end.subarray(after);
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  return await new Response(new Blob([start, rest]), { headers }).formData();
}

function typedValues(form: FormData): Record<string, string> {
  const typed: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value !== "string" || NEVER_REPEATED.test(name)) continue;
    const before = typed[name];
    typed[name] = before === undefined ? value : `${before}\n${value}`;
  }
  return typed;
}

function problem(found: FormProblem, status: number): DataWithResponseInit<FormProblem> {
  return data(found, { status });
}
