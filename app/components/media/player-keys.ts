type Pressed = {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  target: EventTarget;
};

const SKIP_SECONDS = 10;

/**
 * Applies a key to a player: k plays or pauses, j and l skip, m mutes, c toggles captions. f
 * toggles full screen, < and > change the speed. Returns true if it did something.
 */
export function actOnKey(
  { key, altKey, ctrlKey, metaKey, target }: Pressed,
  player: HTMLMediaElement,
  speeds: number[],
): boolean {
  if (altKey || ctrlKey || metaKey || target instanceof HTMLSelectElement) return false;
  switch (key.toLowerCase()) {
    case "k":
      if (player.paused) void player.play();
      else player.pause();
      return true;
    case "j":
      player.currentTime = Math.max(0, player.currentTime - SKIP_SECONDS);
      return true;
    case "l":
      player.currentTime = Math.min(
        player.duration || Number.MAX_SAFE_INTEGER,
        player.currentTime + SKIP_SECONDS,
      );
      return true;
    case "m":
      player.muted = !player.muted;
      return true;
    case "c":
      return switchCaptions(player);
    case "f":
      return switchFullscreen(player);
    case "<":
    case ">":
      player.playbackRate = nextSpeed(player.playbackRate, speeds, key === ">" ? 1 : -1);
      return true;
    default:
      return false;
  }
}

/** The next of `speeds` in that direction, or the same at either end. */
export function nextSpeed(speed: number, speeds: number[], by: 1 | -1): number {
  const others =
    by === 1
      ? speeds.filter((one) => one > speed)
      : speeds.filter((one) => one < speed).toReversed();
  return others[0] ?? speed;
}

function switchCaptions(player: HTMLMediaElement): boolean {
  const [captions] = player.textTracks;
  if (!captions) return false;
  captions.mode = captions.mode === "showing" ? "hidden" : "showing";
  return true;
}

function switchFullscreen(player: HTMLMediaElement): boolean {
  if (!(player instanceof HTMLVideoElement)) return false;
  if (document.fullscreenElement) void document.exitFullscreen();
  else void player.requestFullscreen();
  return true;
}
