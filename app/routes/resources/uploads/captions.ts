import { removeCaptions, storeCaptions } from "#app/domain/media/commands/companions.server.ts";
import { CaptionsInvalid } from "#app/domain/media/errors.ts";
import { LARGEST_CAPTIONS_BYTES } from "#app/domain/media/rules/limits.ts";
import { BodyTooLarge, limitedBody } from "#app/http/body.ts";
import { publisherResponse, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/captions.ts";

/** Replaces or removes the captions of a video or audio file. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["PUT", "DELETE"]);
  return publisherResponse({ context, request }, async ({ ctx, ownerId }) => {
    const own = { ownerId, mediaId: params.id };
    if (request.method === "DELETE") return await removeCaptions(ctx, own);
    await storeCaptions(ctx, { ...own, text: await textOf(request) });
  });
}

async function textOf(request: Request): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await limitedBody(request, LARGEST_CAPTIONS_BYTES).arrayBuffer(),
    );
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw new CaptionsInvalid("As legendas precisam ter até 1 MB.");
    throw new CaptionsInvalid("Salve as legendas em UTF-8 e envie de novo.");
  }
}
