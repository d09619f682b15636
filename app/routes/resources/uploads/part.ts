import { storePart } from "#app/domain/media/commands/uploads.server.ts";
import { publisherResponse, allowMethods } from "#app/http/resource.server.ts";
import type { Route } from "./+types/part.ts";

/** Streams one part of the file from the body to the storage. */
export function action({ context, params, request }: Route.ActionArgs): Promise<Response> {
  allowMethods(request, ["PUT"]);
  return publisherResponse({ context, request }, ({ ctx, ownerId }) => {
    const length = request.headers.get("Content-Length");
    const body = request.body ?? new Blob([]).stream();
    return storePart(ctx, {
      ownerId,
      uploadId: params.id,
      number: Number(params.number),
      sizeBytes: length === null ? null : Number(length),
      body,
    });
  });
}
