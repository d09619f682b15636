import { MINUTE_MS } from "#app/domain/time.ts";

/** Bars of a waveform, each from 0 to PEAK_MAX. */
export const PEAKS_COUNT = 48;
const PEAK_MAX = 100;
/** The longest recording. At its bit rate it stays far below the largest file. */
export const RECORDING_MAX_MS = 5 * MINUTE_MS;

/** What is known of an audio that was recorded in the browser; the file itself may not tell it. */
export type Recording = { durationMs: number; peaks: number[] };

/**
 * Computes the waveform of samples from -1 to 1: the loudest of each of PEAKS_COUNT stretches,
 * relative to the loudest of all. Silence gives zeros.
 */
export function peaksOf(samples: Float32Array): number[] {
  const samplesPerPeak = Math.max(1, Math.ceil(samples.length / PEAKS_COUNT));
  const loudest = Array.from({ length: PEAKS_COUNT }, (_, at) =>
    samples
      .subarray(at * samplesPerPeak, (at + 1) * samplesPerPeak)
      .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const most = Math.max(...loudest);
  return loudest.map((peak) => (most === 0 ? 0 : Math.round((peak / most) * PEAK_MAX)));
}

/**
 * Parses what the recorder says in two fields of the form: milliseconds, and peaks with commas.
 * Null without a recording and for anything that the recorder cannot have written.
 */
export function parseRecording(durationMs: string, peaks: string): Recording | null {
  if (!/^\d{1,7}$/.test(durationMs) || !/^\d{1,3}(,\d{1,3}){47}$/.test(peaks)) return null;
  const numbers = peaks.split(",").map(Number);
  if (numbers.some((peak) => peak > PEAK_MAX)) return null;
  return { durationMs: Math.min(Number(durationMs), RECORDING_MAX_MS), peaks: numbers };
}

/** Formats a duration as "0:07" or "4:30". */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
