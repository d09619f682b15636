import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { actOnKey } from "./player-keys.ts";
import { useReach } from "./use-reach.ts";
import { rememberPosition, rememberedPosition } from "./player-position.ts";

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/** The browser's player with saved position, more speeds and common keyboard shortcuts. */
export function MediaPlayer({ item, src: newestSrc }: { item: MediaItem; src: string }) {
  const player = useRef<HTMLMediaElement>(null);
  // Each revalidation signs a new link. Using it would stop playback and restart the media.
  const [src] = useState(newestSrc);
  const [speed, setSpeed] = useState(1);
  const isCounted = useRef(false);
  const reach = useReach(item.id, isCounted);
  const isAwake = useHydrated();
  const resumedAt = usePosition(player, item.id);
  const name = item.alt || item.filename;
  const track =
    item.captionsVersion > 0 ? (
      <track
        kind="captions"
        srcLang="pt-BR"
        label="Português"
        src={`${mediaUrl(item.id, "captions")}?v=${item.captionsVersion}`}
        default
      />
    ) : null;
  const shared = {
    src,
    controls: true,
    preload: "metadata",
    "aria-label": name,
    onPlay: () => {
      if (!isCounted.current) reportPlay(item.id);
      isCounted.current = true;
    },
    onTimeUpdate: () => reach.current.move(player.current),
    onPause: () => reach.current.move(player.current),
    onEnded: () => reach.current.move(player.current),
    onRateChange: () => setSpeed(player.current?.playbackRate ?? 1),
  } as const;
  return (
    <figure
      className="flex flex-col gap-2 rounded-field bg-sand p-2"
      onKeyDown={(event: KeyboardEvent) => {
        if (player.current && actOnKey(event, player.current, SPEEDS)) event.preventDefault();
      }}
    >
      {item.kind === "video" ? (
        <div className="relative isolate overflow-hidden rounded-field bg-ink">
          <video
            ref={player as React.RefObject<HTMLVideoElement>}
            {...shared}
            playsInline
            poster={item.hasPoster ? mediaUrl(item.id, "poster") : undefined}
            width={item.width || 16}
            height={item.height || 9}
            className="h-auto max-h-[80vh] w-full"
          >
            {track}
          </video>
        </div>
      ) : (
        <>
          <audio ref={player as React.RefObject<HTMLAudioElement>} {...shared} className="w-full">
            {track}
          </audio>
          {track ? <SpokenLine player={player} /> : null}
        </>
      )}
      <figcaption className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 px-1">
        <span className="min-w-0 flex-1 truncate text-small text-muted">{name}</span>
        {isAwake ? (
          <Speed
            speed={speed}
            onChange={(chosen) => player.current && (player.current.playbackRate = chosen)}
          />
        ) : null}
      </figcaption>
      {resumedAt === null ? null : (
        <p role="status" className="flex flex-wrap items-center gap-3 px-1 text-small text-muted">
          Continua de {clock(resumedAt)}.
          <button
            type="button"
            className="min-h-11 font-semibold text-leaf hover:underline"
            onClick={() => player.current && (player.current.currentTime = 0)}
          >
            Começar do início
          </button>
        </p>
      )}
    </figure>
  );
}

/** Counts a play, once a page. The browser sends it even if the page closes. */
function reportPlay(mediaId: string): void {
  navigator.sendBeacon("/resources/plays", new URLSearchParams({ media: mediaId }));
}

function Speed({ speed, onChange }: { speed: number; onChange: (speed: number) => void }) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-small font-semibold">
        Velocidade
      </label>
      <select
        id={id}
        value={speed}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        className="min-h-11 rounded-field border border-edge bg-card px-3 text-small text-ink"
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one.toLocaleString("pt-BR")}×
          </option>
        ))}
      </select>
    </span>
  );
}

/** Captions of an audio file, shown below it: browsers show captions only over a picture. */
function SpokenLine({ player }: { player: React.RefObject<HTMLMediaElement | null> }) {
  const [line, setLine] = useState("");
  useEffect(() => {
    const [captions] = player.current?.textTracks ?? [];
    if (!captions) return;
    const show = () =>
      setLine(
        [...(captions.activeCues ?? [])]
          .map((cue) => (cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? "") : ""))
          .join("\n"),
      );
    captions.addEventListener("cuechange", show);
    return () => captions.removeEventListener("cuechange", show);
  }, [player]);
  return <p className="min-h-6 px-1 text-center whitespace-pre-line">{line}</p>;
}

/** Restores the saved position once the duration is known. Returns it in seconds for a notice. */
function usePosition(
  player: React.RefObject<HTMLMediaElement | null>,
  mediaId: string,
): number | null {
  const [resumedAt, setResumedAt] = useState<number | null>(null);
  useEffect(() => {
    const element = player.current;
    if (!element) return;
    const resume = () => {
      const seconds = rememberedPosition(mediaId, element.duration);
      if (seconds === null) return;
      goTo(element, seconds);
      setResumedAt(seconds);
    };
    const savePosition = () => rememberPosition(mediaId, element.currentTime, element.duration);
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) resume();
    else element.addEventListener("loadedmetadata", resume, { once: true });
    for (const event of ["pause", "timeupdate", "ended"])
      element.addEventListener(event, savePosition);
    return () => {
      element.removeEventListener("loadedmetadata", resume);
      for (const event of ["pause", "timeupdate", "ended"])
        element.removeEventListener(event, savePosition);
    };
  }, [player, mediaId]);
  return resumedAt;
}

function goTo(element: HTMLMediaElement, seconds: number): void {
  element.currentTime = seconds;
}

/** Formats seconds as "1:02:03" or "2:03". */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0")))
    .join(":");
}
