import { beginUpload } from "#app/domain/media/commands/uploads.server.ts";
import { unfinishedMedia } from "#app/domain/media/queries.server.ts";
import { uploadSchema } from "#app/domain/media/schema.ts";
import { answerToPublisher, jsonBody, onlyMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/uploads.ts";

/** What is on its way, and what came and is in no post yet. */
export function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  return answerToPublisher({ context, request }, ({ ctx, ownerId }) =>
    unfinishedMedia(ctx, { ownerId }),
  );
}

/** Opens an upload. */
export function action({ context, request }: Route.ActionArgs): Promise<Response> {
  onlyMethods(request, ["POST"]);
  return answerToPublisher(
    { context, request },
    async ({ ctx, ownerId }) =>
      await beginUpload(ctx, { ownerId, ...(await jsonBody(request, uploadSchema)) }),
  );
}
