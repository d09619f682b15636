import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import { Refusal } from "#app/domain/errors.ts";
import { FormFileTooHeavy } from "#app/domain/media/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { resolveActor } from "./acting.server.ts";
import { BodyTooLarge, limitedBody } from "./body.ts";
import { domainContext, viewerContext } from "./contexts.ts";
import { refusalOf, httpStatusOf } from "./refusal.ts";

const LARGEST_JSON_BYTES = 16 * 1024;
/** The largest file of a form, and the form around it. */
const LARGEST_FILE_BYTES = 12 * 1024 * 1024;

type ResourceRequest = { context: Readonly<RouterContextProvider>; request: Request };
type ResourceActor = { ctx: Context; ownerId: string };

/**
 * Answers a script of our own pages for a page: JSON, and a refusal as `{ error }`. Requires
 * permission to publish there; uploads belong to the page that the member acts for.
 */
export async function publisherResponse(
  { context, request }: ResourceRequest,
  act: (acting: ResourceActor) => Promise<unknown>,
): Promise<Response> {
  return await answeredJson(async () => {
    const viewer = context.get(viewerContext);
    if (!viewer)
      throw new Refusal("unauthenticated", "Sua sessão acabou. Entre de novo para continuar.");
    const ctx = context.get(domainContext);
    const { actor } = await resolveActor(ctx, request, viewer);
    if (!actor.may("posts:publish")) throw new TeamPermissionDenied();
    if (!actor.space.isCreator)
      throw new Refusal("forbidden", "Abra a sua página para enviar arquivos.");
    return await act({ ctx, ownerId: actor.space.personId });
  });
}

/** Answers a script of our own pages for the current member: uncached JSON, or 401. */
export async function memberResponse(
  context: ResourceRequest["context"],
  answer: (ctx: Context, member: Member) => Promise<unknown>,
): Promise<Response> {
  const viewer = context.get(viewerContext);
  const headers = { "Cache-Control": "private, no-store" };
  if (!viewer)
    return Response.json(
      { error: "Sua sessão acabou. Entre de novo para continuar." },
      { status: 401, headers },
    );
  return await answeredJson(() => answer(context.get(domainContext), viewer), headers);
}

async function answeredJson(
  act: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  try {
    const answer = await act();
    return answer === undefined
      ? new Response(null, { status: 204, headers })
      : Response.json(answer, { headers });
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return Response.json(
      { error: refusal.message },
      { status: httpStatusOf(refusal.kind), headers },
    );
  }
}

/** Refuses every other method. */
export function allowMethods(request: Request, methods: readonly string[]): void {
  if (!methods.includes(request.method))
    throw new Response(null, { status: 405, headers: { Allow: methods.join(", ") } });
}

/** Reads the file `file` of a form that a script sends. Refuses a form without one, or over 12 MB. */
export async function parseResourceFile(request: Request): Promise<File> {
  try {
    const file = (await limitedBody(request, LARGEST_FILE_BYTES).formData()).get("file");
    if (file instanceof File && file.size > 0) return file;
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new FormFileTooHeavy();
  }
  throw new Refusal("invalid", "Não conseguimos ler o arquivo. Escolha de novo.");
}

/** Parses the body with `schema`, or refuses with its first message. */
export async function parseResourceBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const body: unknown = await limitedBody(request, LARGEST_JSON_BYTES)
    .json()
    .catch(() => null);
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new Refusal(
      "invalid",
      parsed.error.issues[0]?.message ?? "Não conseguimos ler o pedido.",
    );
  return parsed.data;
}
