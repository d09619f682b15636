import { data, isRouteErrorResponse } from "react-router";
import type { MiddlewareFunction } from "react-router";
import type { FormProblem, Typed, TransportError } from "#app/lib/form-problem.ts";

/** The transport error and typed form that a server error carries; null for any other error. */
export function transportErrorOf(error: unknown): (TransportError & { typed: Typed }) | null {
  if (!isRouteErrorResponse(error) || ![401, 503].includes(error.status)) return null;
  const body: unknown = error.data;
  return isUnheardForm(body) ? body : null;
}

function isUnheardForm(body: unknown): body is TransportError & { typed: Typed } {
  return (
    typeof body === "object" &&
    body !== null &&
    "path" in body &&
    "typed" in body &&
    typeof body.typed === "object" &&
    body.typed !== null
  );
}

type Results = Record<string, { type: "data" | "error"; result: unknown }>;

/**
 * Returns transport errors as data in the browser: the form keeps its content and shows the
 * message. A thrown error would replace the page.
 */
export const keepFormsOnTransportError: MiddlewareFunction<Results> = async (_, next) => {
  const results = await next();
  return Object.fromEntries(
    Object.entries(results).map(([route, outcome]) => [route, heard(outcome)]),
  );
};

function heard(outcome: Results[string]): Results[string] {
  const unheard = outcome.type === "error" ? transportErrorOf(outcome.result) : null;
  if (!unheard) return outcome;
  const problem: FormProblem = {
    errors: {},
    message: unheard.message,
    ...(unheard.link ? { link: unheard.link } : {}),
    values: unheard.typed.values,
  };
  return { type: "data", result: data(problem, { status: unheard.link ? 401 : 503 }) };
}
