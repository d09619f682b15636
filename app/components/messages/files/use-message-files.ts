import { useCallback, useEffect, useReducer, useRef } from "react";
import { readShape } from "#app/lib/json-shape.ts";
import { MESSAGE_FILES_MAX } from "#app/domain/messages/rules.ts";

/** A file of a message that is being written. */
export type ChosenFile = {
  key: string;
  file: File;
  /** From 0 to 100. */
  percent: number;
  state: "sending" | "ready" | "failed";
  /** Why it failed. */
  problem: string | null;
  /**
   * How it is described to who does not see it. The list has it, so that no reset of the form takes
   * it.
   */
  alt: string;
  /** Its id on the server; null before it is there. */
  id: string | null;
};

type Change =
  | { type: "added"; files: ChosenFile[] }
  | { type: "changed"; key: string; to: Partial<ChosenFile> }
  | { type: "removed"; key: string };

function changed(before: ChosenFile[], change: Change): ChosenFile[] {
  switch (change.type) {
    case "added":
      return [...before, ...change.files];
    case "changed":
      return before.map((one) => (one.key === change.key ? { ...one, ...change.to } : one));
    case "removed":
      return before.filter(({ key }) => key !== change.key);
  }
}

const LOST = "A conexão caiu.";
const REFUSED = "Não conseguimos receber este arquivo.";

/** Uploads chosen files at once, each by itself. A removed one is stopped. */
export function useMessageFiles(uploadPath: string) {
  const [files, dispatch] = useReducer(changed, []);
  const requests = useRef(new Map<string, XMLHttpRequest>());
  const chosenCount = useRef(0);

  const upload = useCallback(
    (key: string, file: File) => {
      const to = (change: Partial<ChosenFile>) => dispatch({ type: "changed", key, to: change });
      to({ state: "sending", percent: 0, problem: null });
      requests.current.set(
        key,
        sendFile(uploadPath, file, {
          onProgress: (percent) => to({ percent }),
          onStored: (id) => to({ state: "ready", percent: 100, id }),
          onFailed: (problem) => to({ state: "failed", problem }),
        }),
      );
    },
    [uploadPath],
  );
  const add = useCallback(
    (chosen: Iterable<File>, room: number) => {
      const added = [...chosen].slice(0, room).map((file) => ({
        key: `file-${(chosenCount.current += 1)}`,
        file,
        percent: 0,
        state: "sending" as const,
        problem: null,
        alt: "",
        id: null,
      }));
      dispatch({ type: "added", files: added });
      for (const { key, file } of added) upload(key, file);
    },
    [upload],
  );
  const remove = useCallback((key: string) => {
    requests.current.get(key)?.abort();
    requests.current.delete(key);
    dispatch({ type: "removed", key });
  }, []);
  const describe = useCallback(
    (key: string, alt: string) => dispatch({ type: "changed", key, to: { alt } }),
    [],
  );
  useEffect(() => {
    const open = requests.current;
    return () => {
      for (const request of open.values()) request.abort();
    };
  }, []);
  return { files, room: MESSAGE_FILES_MAX - files.length, add, remove, retry: upload, describe };
}

type UploadListener = {
  onProgress(percent: number): void;
  onStored(id: string): void;
  onFailed(problem: string): void;
};

/** Uploads one file with XMLHttpRequest: fetch reports no upload progress. */
function sendFile(path: string, file: File, listener: UploadListener): XMLHttpRequest {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.set("file", file);
  request.open("POST", path);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    if (total > 0) listener.onProgress(Math.floor((loaded / total) * 100));
  });
  request.addEventListener("load", () => {
    const answer = answerOf(request);
    if (answer.id === null) listener.onFailed(answer.problem);
    else listener.onStored(answer.id);
  });
  request.addEventListener("error", () => listener.onFailed(LOST));
  request.send(form);
  return request;
}

type Answer = { id: string } | { id: null; problem: string };

function answerOf({ status, responseText }: XMLHttpRequest): Answer {
  try {
    const body: unknown = JSON.parse(responseText);
    return status < 300
      ? { id: readShape(body, { id: "string" }).id }
      : { id: null, problem: readShape(body, { error: "string" }).error };
  } catch {
    return { id: null, problem: REFUSED };
  }
}
