import { startUpload } from "#app/domain/media/commands/uploads.server.ts";
import { unfinishedMedia } from "#app/domain/media/queries.server.ts";
import { uploadSchema } from "#app/domain/media/schema.ts";
import { publisherResponse, parseResourceBody, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/uploads.ts";

/** What is on its way, and what came and is in no post yet. */
export function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  return publisherResponse({ context, request }, ({ ctx, ownerId }) =>
    unfinishedMedia(ctx, { ownerId }),
  );
}

/** Opens an upload. */
export function action({ context, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["POST"]);
  return publisherResponse(
    { context, request },
    async ({ ctx, ownerId }) =>
      await startUpload(ctx, { ownerId, ...(await parseResourceBody(request, uploadSchema)) }),
  );
}
