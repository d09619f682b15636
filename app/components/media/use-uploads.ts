import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import type { Dispatch } from "react";
import { MEDIA_PER_POST_MAX } from "#app/domain/media/rules/limits.ts";
import type { MediaItem, MediaKind, UploadState } from "#app/domain/media/schema.ts";
import { posterFrame } from "./poster-frame.ts";
import {
  fingerprintOf,
  abortUploadRequest,
  uploadFile,
  UploadRefused,
  unfinishedUploads,
} from "./upload-file.ts";

/** One file of the picker, from selection until its post is saved. */
export type PickedFile = {
  key: string;
  name: string;
  kind: MediaKind | null;
  sizeBytes: number;
  sentBytes: number;
  /** `waiting` started before this page was opened: the person has to choose its file again. */
  state: "sending" | "paused" | "waiting" | "finishing" | "ready" | "failed";
  message: string | null;
  /** For a failed file: a retry may succeed. */
  isWorthTrying: boolean;
  alt: string;
  upload: UploadState | null;
  media: MediaItem | null;
};

type Change =
  | { type: "added"; items: PickedFile[] }
  | { type: "changed"; key: string; to: Partial<PickedFile> }
  | { type: "removed"; key: string }
  | { type: "moved"; key: string; by: -1 | 1 };

function changed(items: PickedFile[], change: Change): PickedFile[] {
  if (change.type === "added") {
    const keys = new Set(items.map(({ key }) => key));
    return [...items, ...change.items.filter(({ key }) => !keys.has(key))];
  }
  if (change.type === "removed") return items.filter(({ key }) => key !== change.key);
  if (change.type === "changed")
    return items.map((item) => (item.key === change.key ? { ...item, ...change.to } : item));
  const from = items.findIndex(({ key }) => key === change.key);
  const to = from + change.by;
  const moved = items[from];
  if (!moved || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, moved);
}

const readyItem = (media: MediaItem): PickedFile => ({
  key: media.id,
  name: media.filename || "Imagem",
  kind: media.kind,
  sizeBytes: media.sizeBytes,
  sentBytes: media.sizeBytes,
  state: "ready",
  message: null,
  isWorthTrying: true,
  alt: media.alt,
  upload: null,
  media,
});

const waitingItem = (upload: UploadState): PickedFile => ({
  key: upload.id,
  name: upload.filename,
  kind: upload.kind,
  sizeBytes: upload.sizeBytes,
  sentBytes: Math.min(upload.parts.length * upload.partSizeBytes, upload.sizeBytes),
  state: "waiting",
  message: null,
  isWorthTrying: true,
  alt: "",
  upload,
  media: null,
});

const QUEUED = "Na fila";

const queuedItem = (key: string, { name, size }: File): PickedFile => ({
  key,
  name,
  kind: null,
  sizeBytes: size,
  sentBytes: 0,
  state: "paused",
  message: QUEUED,
  isWorthTrying: true,
  alt: "",
  upload: null,
  media: null,
});

let chosen = 0;

type Chosen = { key: string; file: File };

/**
 * Splits chosen files into those that resume an interrupted upload and new ones, up to the file
 * limit.
 */
function sorted(items: PickedFile[], list: Iterable<File>): { goneOn: Chosen[]; added: Chosen[] } {
  const waiting = items.filter(({ state }) => state === "waiting");
  const all = [...list].map((file) => ({
    file,
    resumed: waiting.find(({ upload }) => upload?.fingerprint === fingerprintOf(file)),
  }));
  const fresh = all.flatMap(({ file, resumed }) =>
    resumed ? [] : [{ key: `file-${(chosen += 1)}`, file }],
  );
  return {
    goneOn: all.flatMap(({ file, resumed }) => (resumed ? [{ key: resumed.key, file }] : [])),
    added: fresh.slice(0, Math.max(0, MEDIA_PER_POST_MAX - items.length)),
  };
}

/** Loads unfinished uploads and returns uploaded files that no post has yet. */
function useUnfinished(resumes: boolean, dispatch: Dispatch<Change>): MediaItem[] {
  const [offered, setOffered] = useState<MediaItem[]>([]);
  useEffect(() => {
    if (!resumes) return;
    const gone = new AbortController();
    unfinishedUploads(gone.signal)
      .then(({ uploads, ready }) => {
        dispatch({ type: "added", items: uploads.map(waitingItem) });
        setOffered(ready);
      })
      // Resuming is optional: a failure to load earlier uploads is ignored.
      .catch(() => undefined);
    return () => gone.abort();
  }, [resumes, dispatch]);
  return offered;
}

/** Files of a picker and the actions on each. Uploads one file at a time, in order. */
export function useUploads({
  initial,
  resumes,
}: {
  initial: MediaItem[];
  /** Offers uploads that an earlier page started. */
  resumes: boolean;
}) {
  const [items, dispatch] = useReducer(changed, initial, (media) => media.map(readyItem));
  const files = useRef(new Map<string, File>());
  const stops = useRef(new Map<string, AbortController>());
  const change = useCallback(
    (key: string, to: Partial<PickedFile>) => dispatch({ type: "changed", key, to }),
    [],
  );

  const offered = useUnfinished(resumes, dispatch);

  const start = useCallback(
    async (item: PickedFile) => {
      const file = files.current.get(item.key);
      if (!file || stops.current.has(item.key)) return;
      const stop = new AbortController();
      stops.current.set(item.key, stop);
      change(item.key, { state: "sending", message: null });
      try {
        const media = await uploadFile({
          file,
          upload: item.upload,
          signal: stop.signal,
          onOpened: (upload) => change(item.key, { upload, kind: upload.kind }),
          onProgress: (sentBytes) => change(item.key, { sentBytes }),
          onFinishing: () => change(item.key, { state: "finishing" }),
          poster: () => posterFrame(file),
        });
        change(item.key, { state: "ready", media, upload: null, kind: media.kind });
      } catch (error) {
        if (!stop.signal.aborted)
          change(item.key, {
            state: "failed",
            message: error instanceof Error ? error.message : "",
            isWorthTrying: !(error instanceof UploadRefused),
          });
      } finally {
        stops.current.delete(item.key);
      }
    },
    [change],
  );

  // Starts the next upload as soon as none is in progress.
  const isBusy = items.some(({ state }) => state === "sending" || state === "finishing");
  const next = isBusy
    ? undefined
    : items.find((item) => item.state === "paused" && item.message === QUEUED);
  useEffect(() => {
    if (next) void start(next);
  }, [next, start]);

  return {
    items,
    /** Files uploaded before this page was opened that no post has yet. */
    offered: offered.filter(({ id }) => items.every(({ media }) => media?.id !== id)),
    take: (media: MediaItem) => dispatch({ type: "added", items: [readyItem(media)] }),
    /** True while a post published now would miss a file. */
    isBusy: items.some(
      ({ state }) => state === "sending" || state === "finishing" || state === "paused",
    ),
    isFull: items.length >= MEDIA_PER_POST_MAX,
    /** Adds chosen files, and returns the keys of their rows. */
    add(list: Iterable<File>): string[] {
      const { goneOn, added } = sorted(items, list);
      for (const { key, file } of [...goneOn, ...added]) files.current.set(key, file);
      for (const { key } of goneOn) change(key, { state: "paused", message: QUEUED });
      dispatch({ type: "added", items: added.map(({ key, file }) => queuedItem(key, file)) });
      return [...goneOn, ...added].map(({ key }) => key);
    },
    pause(key: string) {
      stops.current.get(key)?.abort();
      change(key, { state: "paused", message: null });
    },
    async resume(item: PickedFile) {
      if (!files.current.has(item.key)) return;
      const upload = item.upload && (await stateOf(item.upload));
      change(item.key, {
        upload,
        state: "paused",
        message: QUEUED,
        sentBytes: upload ? item.sentBytes : 0,
      });
    },
    remove(item: PickedFile) {
      stops.current.get(item.key)?.abort();
      files.current.delete(item.key);
      if (item.upload) void abortUploadRequest(item.upload.id);
      dispatch({ type: "removed", key: item.key });
    },
    move: (key: string, by: -1 | 1) => dispatch({ type: "moved", key, by }),
    describe: (key: string, alt: string) => change(key, { alt }),
    update: change,
    fileOf: (key: string) => files.current.get(key),
  };
}

/**
 * Reads the server's state of an upload: a part may have arrived during a pause. Null if the server
 * no longer has it, and a new upload starts.
 */
async function stateOf(upload: UploadState): Promise<UploadState | null> {
  const response = await fetch(`/resources/uploads/${upload.id}`).catch(() => null);
  if (!response) return upload;
  return response.ok ? ((await response.json()) as UploadState) : null;
}
