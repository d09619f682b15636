import { completeUpload } from "#app/domain/media/commands/uploads.server.ts";
import { publisherResponse, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/completion.ts";

/** Completes an upload: joins its parts to a file that a post can show. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["POST"]);
  return publisherResponse({ context, request }, ({ ctx, ownerId }) =>
    completeUpload(ctx, { ownerId, uploadId: params.id }),
  );
}
