import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { durationText, peaksOf, RECORDING_MAX_MS } from "#app/domain/messages/rules/recording.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import { RecordingPlayer } from "./recording-player.tsx";

const TYPES = ["audio/webm;codecs=opus", "audio/mp4"];
/** Speech is clear with it, and five minutes stay below 2 MB. */
const BITS_PER_SECOND = 48_000;

type Recorded = Recording & { file: File; url: string };
type RecorderState =
  | { step: "asking" }
  | { step: "recording"; elapsedMs: number }
  | { step: "recorded"; recorded: Recorded }
  | { step: "refused"; why: string };

/**
 * Records an audio, lets it be heard, and leaves it in the form's field `file`. It asks for the
 * microphone as soon as it is shown. `onClose` discards everything.
 */
export function AudioRecorder({ onClose }: { onClose: () => void }) {
  const { state, stop } = useRecorder();
  return (
    <div className="flex flex-col gap-2 rounded-field border border-line bg-card p-3">
      <p role="status" className="text-small">
        {statusText(state)}
      </p>
      {state.step === "recorded" ? <RecordedFields recorded={state.recorded} /> : null}
      <div className="flex flex-wrap gap-2">
        {state.step === "recording" ? (
          <Button type="button" size="sm" onClick={stop}>
            Parar · {durationText(state.elapsedMs)}
          </Button>
        ) : null}
        <Button type="button" size="sm" variant="outline" onClick={onClose}>
          {state.step === "refused" ? "Fechar" : "Descartar"}
        </Button>
      </div>
    </div>
  );
}

function statusText(state: RecorderState): string {
  switch (state.step) {
    case "asking":
      return "Permita o microfone para gravar.";
    case "recording":
      return "Gravando. Até 5 minutos.";
    case "recorded":
      return "Ouça antes de enviar.";
    case "refused":
      return state.why;
  }
}

/** What the form sends. A browser lets a page fill a file input only by a DataTransfer. */
function RecordedFields({ recorded }: { recorded: Recorded }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const files = new DataTransfer();
    files.items.add(recorded.file);
    if (input.current) input.current.files = files.files;
  }, [recorded]);
  return (
    <>
      <RecordingPlayer src={recorded.url} name="A sua gravação" recording={recorded} />
      <input ref={input} type="file" name="file" hidden />
      <input type="hidden" name="recordingMs" value={recorded.durationMs} />
      <input type="hidden" name="recordingPeaks" value={recorded.peaks.join(",")} />
    </>
  );
}

function useRecorder(): { state: RecorderState; stop: () => void } {
  const [state, setState] = useState<RecorderState>({ step: "asking" });
  const recorder = useRef<MediaRecorder | null>(null);
  const stop = useCallback(() => {
    if (recorder.current?.state === "recording") recorder.current.stop();
  }, []);
  useEffect(() => {
    let isGone = false;
    let stream: MediaStream | null = null;
    let url: string | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;
    const release = () => {
      clearInterval(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    void (async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      } catch (error) {
        if (!isGone) setState({ step: "refused", why: refusalText(error) });
        return;
      }
      if (isGone) return release();
      const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
      const recording = new MediaRecorder(stream, {
        audioBitsPerSecond: BITS_PER_SECOND,
        ...(mimeType ? { mimeType } : {}),
      });
      recorder.current = recording;
      const parts: Blob[] = [];
      const startedAt = performance.now();
      const elapsed = () => Math.min(performance.now() - startedAt, RECORDING_MAX_MS);
      recording.addEventListener("dataavailable", ({ data }) => parts.push(data));
      recording.addEventListener("stop", () => {
        const durationMs = Math.round(elapsed());
        release();
        if (isGone) return;
        void recordedFrom(parts, recording.mimeType, durationMs).then((recorded) => {
          if (isGone) return URL.revokeObjectURL(recorded.url);
          url = recorded.url;
          setState({ step: "recorded", recorded });
        });
      });
      recording.start();
      setState({ step: "recording", elapsedMs: 0 });
      timer = setInterval(() => {
        if (elapsed() >= RECORDING_MAX_MS) stop();
        else setState({ step: "recording", elapsedMs: elapsed() });
      }, 250);
    })();
    return () => {
      isGone = true;
      stop();
      release();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [stop]);
  return { state, stop };
}

async function recordedFrom(
  parts: Blob[],
  mimeType: string,
  durationMs: number,
): Promise<Recorded> {
  const type = mimeType.split(";")[0] || "audio/webm";
  const file = new File(parts, type === "audio/mp4" ? "audio.m4a" : "audio.webm", { type });
  return {
    file,
    url: URL.createObjectURL(file),
    durationMs,
    peaks: peaksOf(await samplesOf(file)),
  };
}

/** The decoded first channel. Without a decoder the waveform is flat. */
async function samplesOf(file: File): Promise<Float32Array> {
  const audio = new AudioContext();
  try {
    return (await audio.decodeAudioData(await file.arrayBuffer())).getChannelData(0);
  } catch {
    return new Float32Array();
  } finally {
    void audio.close();
  }
}

function refusalText(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  return name === "NotAllowedError" || name === "SecurityError"
    ? "O navegador não deixou usar o microfone. Permita o microfone nos ajustes deste site e tente de novo."
    : "Não encontramos um microfone. Ligue um e tente de novo.";
}
