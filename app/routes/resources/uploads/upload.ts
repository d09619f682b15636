import { abortUpload } from "#app/domain/media/commands/uploads.server.ts";
import { UploadNotFound } from "#app/domain/media/errors.ts";
import { openUploadState } from "#app/domain/media/queries.server.ts";
import { publisherResponse, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/upload.ts";

/** Returns the status of an upload: the parts that arrived. */
export function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  return publisherResponse({ context, request }, async ({ ctx, ownerId }) => {
    const upload = await openUploadState(ctx, { ownerId, uploadId: params.id });
    if (!upload) throw new UploadNotFound();
    return upload;
  });
}

/** Aborts an upload. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["DELETE"]);
  return publisherResponse({ context, request }, ({ ctx, ownerId }) =>
    abortUpload(ctx, { ownerId, uploadId: params.id }),
  );
}
