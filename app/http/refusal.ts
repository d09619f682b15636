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

/** The HTTP status of a kind of refusal: the only mapping between both. */
export function httpStatusOf(kind: RefusalKind): number {
  return STATUS[kind];
}

/** Returns `error` as an expected refusal, or null for a fault that must not be shown. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof StaleWrite) return new Refusal("conflict", STALE_MESSAGE);
  return null;
}

/**
 * Whether `error` belongs in the log: neither a refusal, nor an unknown address or method, which
 * strangers can send without limit.
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

/** Returns the value of a query; throws a 404 with `message` without one. */
export function foundOr404<Value>(
  value: Value | null | undefined,
  message = "Não encontramos esta página.",
): Value {
  if (value === null || value === undefined) throw data({ message }, { status: 404 });
  return value;
}
