import { missingParts, partLength } from "#app/domain/media/rules/parts.ts";
import type { MediaItem, UploadState } from "#app/domain/media/schema.ts";

/** The server refused the file, with a message for the person. A retry gets the same answer. */
export class UploadRefused extends Error {
  override readonly name = "SendingRefused";
}

/** Several attempts got no answer. Sent parts stay, and the same upload can resume. */
class UploadInterrupted extends Error {
  override readonly name = "SendingLost";
}

const TRIES = 6;
const FIRST_WAIT_MS = 1_000;
const LOST_MESSAGE = "A conexão caiu. O que já foi enviado está guardado.";

export type FileUpload = {
  file: File;
  /** The upload to resume; null starts a new one. */
  upload: UploadState | null;
  signal: AbortSignal;
  onOpened(upload: UploadState): void;
  onProgress(sentBytes: number): void;
  onFinishing(): void;
  /** Loads a frame of a video, or null when none is available. */
  poster(): Promise<Blob | null>;
};

/** Fingerprint that recognises the file of an interrupted upload. */
export function fingerprintOf(file: File): string {
  return `${file.name} ${file.size} ${file.lastModified}`;
}

/**
 * Uploads `file` in parts, retries each lost part with back-off, and returns the resulting media.
 * Stops at once when `signal` aborts.
 */
export async function uploadFile(sending: FileUpload): Promise<MediaItem> {
  const upload = sending.upload ?? (await open(sending));
  sending.onOpened(upload);
  const poster = upload.kind === "video" ? sending.poster() : Promise.resolve(null);
  await sendParts(sending, upload);
  sending.onFinishing();
  await sendPoster(upload, await poster, sending.signal);
  return await complete(sending, upload);
}

export async function abortUploadRequest(uploadId: string): Promise<void> {
  await fetch(`/resources/uploads/${uploadId}`, { method: "DELETE" });
}

/** Loads unfinished uploads, and uploaded files that no post has yet. */
export async function unfinishedUploads(
  signal: AbortSignal,
): Promise<{ uploads: UploadState[]; ready: MediaItem[] }> {
  return (await answered(await fetch("/resources/uploads", { signal }))) as {
    uploads: UploadState[];
    ready: MediaItem[];
  };
}

/** Uploads captions of a file. Throws the server's message on refusal. */
export async function uploadCaptions(mediaId: string, file: File): Promise<void> {
  await answered(
    await fetch(`/resources/media/${mediaId}/captions`, { method: "PUT", body: file }),
  );
}

/** Deletes the captions of a file. Throws the server's message on refusal. */
export async function deleteCaptions(mediaId: string): Promise<void> {
  await answered(await fetch(`/resources/media/${mediaId}/captions`, { method: "DELETE" }));
}

async function open({ file, signal }: FileUpload): Promise<UploadState> {
  const body = JSON.stringify({
    filename: file.name,
    contentType: file.type,
    sizeBytes: file.size,
    fingerprint: fingerprintOf(file),
  });
  return (await again(
    signal,
    async () => await answered(await fetch("/resources/uploads", { method: "POST", body, signal })),
  )) as UploadState;
}

async function sendParts(sending: FileUpload, upload: UploadState): Promise<void> {
  const { file, signal, onProgress } = sending;
  const missing = missingParts(upload);
  let sentBytes =
    file.size - missing.reduce((sum, number) => sum + (partLength(upload, number) ?? 0), 0);
  onProgress(sentBytes);
  for (const number of missing) {
    const start = (number - 1) * upload.partSizeBytes;
    const part = file.slice(start, start + upload.partSizeBytes);
    await again(signal, () =>
      putPart(`/resources/uploads/${upload.id}/parts/${number}`, part, signal, (bytes) =>
        onProgress(sentBytes + bytes),
      ),
    );
    sentBytes += part.size;
    onProgress(sentBytes);
  }
}

/** Uploads one part with XMLHttpRequest: fetch reports no upload progress. */
function putPart(
  path: string,
  part: Blob,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const settle = (act: () => void) => {
      signal.removeEventListener("abort", stop);
      act();
    };
    signal.addEventListener("abort", stop);
    request.open("PUT", path);
    request.upload.addEventListener("progress", (event) => onSent(event.loaded));
    request.addEventListener("load", () =>
      settle(() =>
        request.status < 300 ? resolve() : reject(refusalOf(request.status, request.responseText)),
      ),
    );
    request.addEventListener("error", () => settle(() => reject(new TypeError("network"))));
    request.addEventListener("abort", () =>
      settle(() => reject(new DOMException("stopped", "AbortError"))),
    );
    request.send(part);
  });
}

/** Uploads a video's poster, and ignores a failure: the creator's pattern then takes its place. */
async function sendPoster(
  upload: UploadState,
  poster: Blob | null,
  signal: AbortSignal,
): Promise<void> {
  if (poster === null) return;
  await fetch(`/resources/uploads/${upload.id}/poster`, {
    method: "PUT",
    body: poster,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
  });
}

async function complete({ signal }: FileUpload, upload: UploadState): Promise<MediaItem> {
  return (await again(
    signal,
    async () =>
      await answered(
        await fetch(`/resources/uploads/${upload.id}/completion`, { method: "POST", signal }),
      ),
  )) as MediaItem;
}

async function answered(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw refusalOf(response.status, text);
  return text === "" ? null : JSON.parse(text);
}

function refusalOf(status: number, text: string): Error {
  if (status >= 500 || status === 408) return new TypeError(`status ${status}`);
  return new UploadRefused(
    messageIn(text) ?? "Não conseguimos receber este arquivo. Tente de novo.",
  );
}

function messageIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" &&
      body !== null &&
      "error" in body &&
      typeof body.error === "string"
      ? body.error
      : null;
  } catch {
    return null;
  }
}

/** Retries after 1, 2, 4… seconds, or at once when the connection returns. A refusal is final. */
async function again<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (signal.aborted || error instanceof UploadRefused) throw error;
      if (attempt === TRIES) throw new UploadInterrupted(LOST_MESSAGE);
      await untilWorthTrying(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
    }
  }
}

function untilWorthTrying(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      signal.removeEventListener("abort", go);
      resolve();
    };
    const timer = setTimeout(go, waitMs);
    addEventListener("online", go);
    signal.addEventListener("abort", go);
  });
}
