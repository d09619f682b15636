import { data, isRouteErrorResponse } from "react-router";
import { StaleWrite } from "#app/db/errors.ts";
import { Refusal } from "#app/domain/errors.ts";
import type { RefusalKind } from "#app/domain/errors.ts";

const STATUS: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  limit: 429,
  unavailable: 503,
};

const STALE_MESSAGE = "Isto mudou enquanto você olhava. Confira e tente de novo.";

/** The HTTP status of a kind of refusal: the only place that knows both. */
export function httpStatusOf(kind: RefusalKind): number {
  return STATUS[kind];
}

/** `error` as an expected "no", or null when it is a fault that nobody outside should see. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof StaleWrite) return new Refusal("conflict", STALE_MESSAGE);
  return null;
}

/**
 * Whether `error` belongs in the log: not an expected "no", nor an address or a method that nothing
 * has, of which a stranger sends as many as they like.
 */
export function isFault(error: unknown): boolean {
  return refusalOf(error) === null && !(isRouteErrorResponse(error) && error.status < 500);
}

/**
 * Runs `act`; a refusal becomes a thrown `data({ message }, { status })` for the nearest
 * ErrorBoundary.
 */
export async function throwRefusals<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal
      ? data({ message: refusal.message }, { status: httpStatusOf(refusal.kind) })
      : error;
  }
}

/** For a query that found nothing: throws a 404 with `message` unless there is a value. */
export function foundOr404<Value>(
  value: Value | null | undefined,
  message = "Não encontramos esta página.",
): Value {
  if (value === null || value === undefined) throw data({ message }, { status: 404 });
  return value;
}
