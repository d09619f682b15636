import { storePoster } from "#app/domain/media/commands/companions.server.ts";
import { NotAnImage } from "#app/domain/media/errors.ts";
import { LARGEST_POSTER_BYTES } from "#app/domain/media/rules/limits.ts";
import { BodyTooLarge, limitedBody } from "#app/http/body.ts";
import { publisherResponse, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/poster.ts";

/** Stores the poster of a video that is still being uploaded. The browser takes the frame. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["PUT"]);
  return publisherResponse({ context, request }, async ({ ctx, ownerId }) => {
    const bytes = await limitedBody(request, LARGEST_POSTER_BYTES)
      .arrayBuffer()
      .catch((error: unknown) => {
        throw error instanceof BodyTooLarge ? new NotAnImage("poster") : error;
      });
    await storePoster(ctx, { ownerId, uploadId: params.id, bytes });
  });
}
