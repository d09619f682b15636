const POSTER_WIDTH_PIXELS = 1280;
/** The first frame is often black, so the poster is a frame one second in. */
const POSTER_AT_SECONDS = 1;
/** Time limit: a file that the browser cannot play may raise no error. */
const GIVE_UP_MS = 15_000;

/**
 * Frame of a video as a JPG, drawn by this browser from the file. Null when it cannot play the
 * file.
 */
export async function posterFrame(file: File): Promise<Blob | null> {
  const url = URL.createObjectURL(file);
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.preload = "auto";
  try {
    if (!(await reached(video, "loadeddata", () => (video.src = url)))) return null;
    const isLong = Number.isFinite(video.duration) && video.duration > POSTER_AT_SECONDS * 2;
    if (isLong && !(await reached(video, "seeked", () => (video.currentTime = POSTER_AT_SECONDS))))
      return null;
    return await drawn(video);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

function reached(
  video: HTMLVideoElement,
  event: "loadeddata" | "seeked",
  begin: () => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), GIVE_UP_MS);
    const end = (isReached: boolean) => () => {
      clearTimeout(timer);
      resolve(isReached);
    };
    video.addEventListener(event, end(true), { once: true });
    video.addEventListener("error", end(false), { once: true });
    begin();
  });
}

async function drawn(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth, videoHeight } = video;
  const context = document.createElement("canvas").getContext("2d");
  if (!context || videoWidth === 0) return null;
  const scale = Math.min(1, POSTER_WIDTH_PIXELS / videoWidth);
  context.canvas.width = Math.round(videoWidth * scale);
  context.canvas.height = Math.round(videoHeight * scale);
  context.drawImage(video, 0, 0, context.canvas.width, context.canvas.height);
  return await new Promise((resolve) => context.canvas.toBlob(resolve, "image/jpeg", 0.85));
}
