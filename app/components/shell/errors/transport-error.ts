import { data, isRouteErrorResponse } from "react-router";
import type { MiddlewareFunction } from "react-router";
import type { FormProblem, Typed, TransportError } from "#app/lib/form-problem.ts";

/** The transport error and typed form that a server error carries; null for any other error. */
export function transportErrorOf(error: unknown): (TransportError & { typed: Typed }) | null {
  if (!isRouteErrorResponse(error) || ![401, 503].includes(error.status)) return null;
  const body: unknown = error.data;
  return hasTypedForm(body) ? body : null;
}

function hasTypedForm(body: unknown): body is TransportError & { typed: Typed } {
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
    Object.entries(results).map(([route, outcome]) => [route, asFormProblem(outcome)]),
  );
};

function asFormProblem(outcome: Results[string]): Results[string] {
  const transportError = outcome.type === "error" ? transportErrorOf(outcome.result) : null;
  if (!transportError) return outcome;
  const problem: FormProblem = {
    errors: {},
    message: transportError.message,
    ...(transportError.link ? { link: transportError.link } : {}),
    values: transportError.typed.values,
  };
  return { type: "data", result: data(problem, { status: transportError.link ? 401 : 503 }) };
}
