import { abortUpload } from "#app/domain/media/commands/uploads.server.ts";
import { UploadGone } from "#app/domain/media/errors.ts";
import { uploadOf } from "#app/domain/media/queries.server.ts";
import { answerToPublisher, onlyMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/upload.ts";

/** How an upload stands: which parts came. */
export function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  return answerToPublisher({ context, request }, async ({ ctx, ownerId }) => {
    const upload = await uploadOf(ctx, { ownerId, uploadId: params.id });
    if (!upload) throw new UploadGone();
    return upload;
  });
}

/** Gives an upload up. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  onlyMethods(request, ["DELETE"]);
  return answerToPublisher({ context, request }, ({ ctx, ownerId }) =>
    abortUpload(ctx, { ownerId, uploadId: params.id }),
  );
}
