import { Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { durationText } from "#app/domain/messages/rules/recording.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import { Waveform } from "./waveform.tsx";

const SPEEDS = [1, 1.5, 2] as const;

type RecordingPlayerProps = { src: string; name: string; recording: Recording };

/** Plays a recorded audio: its waveform is the position, and three speeds. */
export function RecordingPlayer({ src, name, recording }: RecordingPlayerProps) {
  const player = useRef<HTMLAudioElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [atMs, setAtMs] = useState(0);
  const [speed, setSpeed] = useState<number>(1);
  const { durationMs } = recording;
  const toggle = () => {
    if (isPlaying) player.current?.pause();
    else void player.current?.play();
  };
  const changeSpeed = () => {
    const next = SPEEDS.find((one) => one > speed) ?? SPEEDS[0];
    setSpeed(next);
    if (player.current) player.current.playbackRate = next;
  };
  const speedText = `${speed.toLocaleString("pt-BR")}×`;
  return (
    <div role="group" aria-label={name} className="flex w-64 max-w-full items-center gap-2">
      <audio
        ref={player}
        src={src}
        preload="metadata"
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onEnded={() => {
          setIsPlaying(false);
          setAtMs(0);
        }}
        onTimeUpdate={(event) => setAtMs(event.currentTarget.currentTime * 1_000)}
      />
      <button
        type="button"
        onClick={toggle}
        aria-label={isPlaying ? "Pausar" : "Ouvir"}
        className="flex size-11 shrink-0 items-center justify-center rounded-full bg-signal text-on-signal"
      >
        {isPlaying ? (
          <Pause aria-hidden="true" className="size-5" />
        ) : (
          <Play aria-hidden="true" className="size-5" />
        )}
      </button>
      <span className="flex min-w-0 flex-1 flex-col">
        <Position
          recording={recording}
          atMs={atMs}
          onMove={(ms) => {
            setAtMs(ms);
            if (player.current) player.current.currentTime = ms / 1_000;
          }}
        />
        <span className="text-caption text-muted tabular-nums">
          {durationText(isPlaying || atMs > 0 ? atMs : durationMs)}
        </span>
      </span>
      <button
        type="button"
        onClick={changeSpeed}
        aria-label={`Velocidade: ${speedText}`}
        className="min-h-11 min-w-11 shrink-0 rounded-field text-small font-semibold text-leaf"
      >
        {speedText}
      </button>
    </div>
  );
}

type PositionProps = { recording: Recording; atMs: number; onMove(ms: number): void };

/** The waveform, under a slider that nobody sees. */
function Position({ recording: { durationMs, peaks }, atMs, onMove }: PositionProps) {
  return (
    <span className="relative block rounded-field has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf">
      <Waveform peaks={peaks} progress={durationMs === 0 ? 0 : atMs / durationMs} />
      <input
        type="range"
        aria-label="Posição"
        aria-valuetext={`${durationText(atMs)} de ${durationText(durationMs)}`}
        min={0}
        max={Math.max(durationMs, 1)}
        step={1_000}
        value={Math.min(atMs, durationMs)}
        onChange={(event) => onMove(Number(event.currentTarget.value))}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      />
    </span>
  );
}
