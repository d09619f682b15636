import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import { BodyTooLarge, limitedBody } from "#app/http/body.ts";
import { IdentityProviderUnavailable } from "#app/domain/identity/identity-provider/errors.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import { keyScopesContext, identityUnavailableContext, viewerContext } from "#app/http/contexts.ts";
import { zodIssueMessage } from "#app/http/form.ts";
import { refusalOf, httpStatusOf } from "#app/http/refusal.ts";

const LARGEST_BODY_BYTES = 1024 * 1024;

/** A refusal of the API: a status and the spec's `{"error": …}`, with the field that it is about. */
class ApiProblem extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

export const postNotFound = () => new ApiProblem(404, "Post not found");
export const collectionNotFound = () => new ApiProblem(404, "Collection not found");
export const eventNotFound = () => new ApiProblem(404, "Event not found");
export const userNotFound = () => new ApiProblem(404, "User not found");
export const unauthorized = () => new ApiProblem(401, "Unauthorized");
export const badQuery = (field: string, message: string) =>
  new ApiProblem(400, `${field}: ${message}`, field);
const insufficientScope = (scope: ApiScope) => new ApiProblem(403, `Insufficient scope: ${scope}`);

/** The viewer of an API call. A key without `scope` sees what a visitor sees, like a bad token. */
export function apiViewer(
  context: Readonly<RouterContextProvider>,
  scope: ApiScope,
): Member | null {
  return allows(context, scope) ? context.get(viewerContext) : null;
}

/**
 * The viewer of a call that requires one. Refuses a missing or bad token with 401, a key without
 * `scope` with 403.
 */
export function requiredApiViewer(
  context: Readonly<RouterContextProvider>,
  scope: ApiScope,
): Member {
  const viewer = context.get(viewerContext);
  refuseIdentityUnavailable(context);
  if (!viewer) throw unauthorized();
  if (!allows(context, scope)) throw insufficientScope(scope);
  return viewer;
}

/** Refuses an API key, whatever its scopes: it only reads what its owner granted. */
export function refuseApiKey(context: Readonly<RouterContextProvider>): void {
  if (context.get(keyScopesContext) !== null)
    throw new ApiProblem(403, "Not allowed with an API key");
}

/** Refuses with 503 while the token's owner cannot be determined: "no person" would be wrong. */
export function refuseIdentityUnavailable(context: Readonly<RouterContextProvider>): void {
  if (context.get(identityUnavailableContext) !== null) throw new IdentityProviderUnavailable();
}

function allows(context: Readonly<RouterContextProvider>, scope: ApiScope): boolean {
  const scopes = context.get(keyScopesContext);
  return scopes === null || scopes.includes(scope);
}

/**
 * Runs one API call: its result is the JSON response, a refusal its `{"error"}`. A fault is logged
 * and reveals nothing.
 */
export async function apiResponse(
  ctx: Context,
  act: () => Promise<unknown>,
  status = 200,
): Promise<Response> {
  try {
    return Response.json(await act(), { status });
  } catch (error) {
    return answerOf(ctx, error);
  }
}

/** Answers a method that a path does not support. */
export function methodNotAllowed(method: "GET" | "POST"): () => Response {
  return () =>
    Response.json({ error: "Method not allowed" }, { status: 405, headers: { Allow: method } });
}

/**
 * Parses the body with `schema`. Refuses more than 1 MB, invalid JSON, or invalid data, naming the
 * field.
 */
export async function parseApiBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await limitedText(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiProblem(400, "body: envie JSON", "body");
  }
  return checked(schema, body);
}

/** Parses the query string with `schema`. */
export function parseApiQuery<Schema extends z.ZodType>(url: URL, schema: Schema): z.infer<Schema> {
  return checked(schema, Object.fromEntries(url.searchParams));
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value, { error: zodIssueMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? "body");
  throw new ApiProblem(400, `${field}: ${issue?.message ?? "inválido"}`, field);
}

async function limitedText(request: Request): Promise<string> {
  try {
    return await limitedBody(request, LARGEST_BODY_BYTES).text();
  } catch (error) {
    throw error instanceof BodyTooLarge
      ? new ApiProblem(413, "body: o limite é 1 MB", "body")
      : error;
  }
}

function answerOf(ctx: Context, error: unknown): Response {
  if (error instanceof ApiProblem) return problemAnswer(error.status, error.message, error.field);
  const refusal = refusalOf(error);
  if (refusal) return problemAnswer(httpStatusOf(refusal.kind), refusal.message, refusal.field);
  ctx.log("api.failed", { error: error instanceof Error ? error.name : "unknown" });
  return problemAnswer(500, "Internal error");
}

function problemAnswer(status: number, error: string, field?: string): Response {
  const headers: HeadersInit = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
  return Response.json(field === undefined ? { error } : { error, field }, { status, headers });
}
