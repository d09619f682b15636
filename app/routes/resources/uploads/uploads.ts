import { startUpload } from "#app/domain/media/commands/uploads.server.ts";
import { unfinishedMedia } from "#app/domain/media/queries.server.ts";
import { uploadSchema } from "#app/domain/media/schema.ts";
import { publisherResponse, parseResourceBody, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/uploads.ts";

/** Lists the uploads in progress, and the finished ones that no post has yet. */
export function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  return publisherResponse({ context, request }, ({ ctx, ownerId }) =>
    unfinishedMedia(ctx, { ownerId }),
  );
}

/** Starts an upload. */
export function action({ context, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["POST"]);
  return publisherResponse(
    { context, request },
    async ({ ctx, ownerId }) =>
      await startUpload(ctx, { ownerId, ...(await parseResourceBody(request, uploadSchema)) }),
  );
}
