import { RouterContextProvider } from "react-router";
import type { Context } from "#app/domain/context.ts";
import type { MediaItem, UploadState } from "#app/domain/media/schema.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import * as media from "#app/routes/resources/media.ts";
import * as captions from "#app/routes/resources/uploads/captions.ts";
import * as completion from "#app/routes/resources/uploads/completion.ts";
import * as part from "#app/routes/resources/uploads/part.ts";
import * as poster from "#app/routes/resources/uploads/poster.ts";
import * as upload from "#app/routes/resources/uploads/upload.ts";
import * as uploads from "#app/routes/resources/uploads/uploads.ts";
import type { TestPerson } from "./people.ts";
import { testEnv } from "./worker-env.ts";

const ROUTES: { pattern: RegExp; module: object }[] = [
  { pattern: /^\/media\/(?<id>[^/]*)\/(?<variant>[^/]*)$/, module: media },
  { pattern: /^\/resources\/uploads$/, module: uploads },
  { pattern: /^\/resources\/uploads\/(?<id>[^/]+)$/, module: upload },
  { pattern: /^\/resources\/uploads\/(?<id>[^/]+)\/parts\/(?<number>[^/]+)$/, module: part },
  { pattern: /^\/resources\/uploads\/(?<id>[^/]+)\/completion$/, module: completion },
  { pattern: /^\/resources\/uploads\/(?<id>[^/]+)\/poster$/, module: poster },
  { pattern: /^\/resources\/media\/(?<id>[^/]+)\/captions$/, module: captions },
];

type Asking = {
  method?: string;
  body?: BodyInit | null;
  headers?: Record<string, string>;
  isCreator?: boolean;
};

/**
 * Calls the upload and media routes as `viewer` (null: a visitor), without rendering and without a
 * session.
 */
export async function requestAs(
  ctx: Context,
  viewer: TestPerson | null,
  path: string,
  { method = "GET", body = null, headers = {}, isCreator = true }: Asking = {},
): Promise<Response> {
  const url = new URL(path, testEnv.APP_ORIGIN);
  const found = ROUTES.map(({ pattern, module }) => ({
    match: pattern.exec(url.pathname),
    module,
  })).find(({ match }) => match);
  if (!found) throw new Error(`no route for ${path}`);
  const context = new RouterContextProvider();
  context.set(domainContext, ctx);
  context.set(
    viewerContext,
    viewer && { ...viewer, avatarUrl: null, isCreator, isModerator: false, leavingAt: null },
  );
  const handler = method === "GET" || method === "HEAD" ? "loader" : "action";
  const handle = Reflect.get(found.module, handler) as (args: unknown) => Promise<Response>;
  const request = new Request(url, { method, body, headers });
  try {
    return await handle({ context, request, url, params: { ...found.match?.groups }, pattern: "" });
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

export type UploadDescription = { filename: string; contentType?: string; fingerprint?: string };

/** Starts an upload of `bytes`. */
export async function startedUpload(
  ctx: Context,
  owner: TestPerson,
  bytes: Uint8Array,
  file: UploadDescription,
): Promise<UploadState> {
  const answer = await requestAs(ctx, owner, "/resources/uploads", {
    method: "POST",
    body: JSON.stringify({ ...file, sizeBytes: bytes.byteLength }),
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

/** The bytes of one upload part. */
export function uploadPart(
  bytes: Uint8Array<ArrayBuffer>,
  upload: UploadState,
  number: number,
): Uint8Array<ArrayBuffer> {
  return bytes.slice((number - 1) * upload.partSizeBytes, number * upload.partSizeBytes);
}

export async function sendPart(
  ctx: Context,
  owner: TestPerson | null,
  upload: UploadState,
  number: number | string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return await requestAs(ctx, owner, `/resources/uploads/${upload.id}/parts/${number}`, {
    method: "PUT",
    body: bytes,
    headers: { "Content-Length": String(bytes.byteLength) },
  });
}

export const completedUpload = (
  ctx: Context,
  owner: TestPerson,
  upload: UploadState,
): Promise<Response> =>
  requestAs(ctx, owner, `/resources/uploads/${upload.id}/completion`, { method: "POST" });

/** Sends every part. Returns the response to the completion request. */
export async function sendUpload(
  ctx: Context,
  owner: TestPerson,
  bytes: Uint8Array<ArrayBuffer>,
  file: UploadDescription,
): Promise<Response> {
  const upload = await startedUpload(ctx, owner, bytes, file);
  const count = Math.ceil(bytes.byteLength / upload.partSizeBytes);
  for (let number = 1; number <= count; number += 1) {
    const answer = await sendPart(ctx, owner, upload, number, uploadPart(bytes, upload, number));
    if (answer.status !== 200)
      throw new Error(`part ${number}: ${answer.status} ${await answer.text()}`);
  }
  return await completedUpload(ctx, owner, upload);
}

/** `sendUpload` for an upload that must succeed. */
export async function sendUploadOk(
  ctx: Context,
  owner: TestPerson,
  bytes: Uint8Array<ArrayBuffer>,
  file: UploadDescription,
): Promise<MediaItem> {
  const answer = await sendUpload(ctx, owner, bytes, file);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return await answer.json();
}
