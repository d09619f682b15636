import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { inRoot } from "./paths.ts";
import { lifted, quiet, recordings, RATE_HZ } from "./seed-files/sound.ts";
import { carpentry, sewing } from "./seed-files/frames.ts";
import type { Film } from "./seed-files/frames.ts";

/**
 * Makes the recordings and videos that the seed uploads, in `drizzle/seed/files`. They are drawn
 * and synthesized here, so that nobody else has a right to them. Needs ffmpeg, which neither the
 * product nor the seed does; run it by hand after changing a drawing or a sound.
 */
const target = (name: string): string => inRoot("drizzle", "seed", "files", name);

function ffmpeg(args: string[], input: Uint8Array): void {
  const { status, stderr } = spawnSync(
    "ffmpeg",
    ["-y", "-loglevel", "error", "-bitexact", ...args],
    { input, maxBuffer: 1_000_000 },
  );
  if (status !== 0) throw new Error(`ffmpeg: ${String(stderr)}`);
}

const asPcm = (samples: Float32Array): Uint8Array =>
  new Uint8Array(
    Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 32_000).buffer,
  );
const pcmInput = ["-f", "s16le", "-ar", String(RATE_HZ), "-ac", "1"];

for (const [name, samples] of Object.entries(recordings()))
  ffmpeg(
    [...pcmInput, "-i", "-", "-b:a", "32k", "-map_metadata", "-1", target(`${name}.mp3`)],
    asPcm(samples),
  );

async function film(name: string, { frames, fps, sound, posterAt }: Film): Promise<void> {
  const pictures = [];
  for (const svg of frames)
    pictures.push(await sharp(Buffer.from(svg)).resize(640, 426).removeAlpha().raw().toBuffer());
  const soundFile = join(tmpdir(), `${name}.pcm`);
  writeFileSync(soundFile, asPcm(sound ? lifted(sound) : quiet(frames.length / fps)));
  const video = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "640x426", "-r", String(fps)];
  const coded = ["-c:v", "libx264", "-preset", "veryslow", "-crf", "30", "-pix_fmt", "yuv420p"];
  const tail = ["-shortest", "-map_metadata", "-1", "-movflags", "+faststart"];
  const spoken = ["-c:a", "aac", "-b:a", "24k"];
  ffmpeg(
    [...video, "-i", "-", ...pcmInput, "-i", soundFile, ...coded, ...spoken, ...tail].concat(
      target(`${name}.mp4`),
    ),
    Buffer.concat(pictures),
  );
  const raw = { width: 640, height: 426, channels: 3 as const };
  await sharp(pictures[Math.round(posterAt * fps)], { raw })
    .webp({ quality: 70 })
    .toFile(target(`${name}.webp`));
}

await film("oficina", carpentry());
await film("avesso", sewing());
