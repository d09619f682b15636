import { completeUpload } from "#app/domain/media/commands/uploads.server.ts";
import { answerToPublisher, onlyMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/completion.ts";

/** Makes the parts a file that a post can show. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  onlyMethods(request, ["POST"]);
  return answerToPublisher({ context, request }, ({ ctx, ownerId }) =>
    completeUpload(ctx, { ownerId, uploadId: params.id }),
  );
}
