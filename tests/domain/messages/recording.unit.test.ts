import { expect, test } from "vitest";
import {
  durationText,
  parseRecording,
  PEAKS_COUNT,
  peaksOf,
  RECORDING_MAX_MS,
} from "#app/domain/messages/rules/recording.ts";

const PEAKS = Array.from({ length: PEAKS_COUNT }, (_, at) => at * 2);

test("a waveform is the loudest of each stretch, relative to the loudest of all", () => {
  const samples = Float32Array.from({ length: PEAKS_COUNT * 10 }, (_, at) =>
    at % 10 === 3 ? (at < 10 ? -0.5 : 0.25) : 0,
  );
  expect(peaksOf(samples)).toEqual([100, ...Array<number>(PEAKS_COUNT - 1).fill(50)]);
});

test("silence and a recording of a few samples have a waveform too", () => {
  expect(peaksOf(new Float32Array(1_000))).toEqual(Array(PEAKS_COUNT).fill(0));
  expect(peaksOf(new Float32Array())).toEqual(Array(PEAKS_COUNT).fill(0));
  expect(peaksOf(Float32Array.of(0.1)).slice(0, 2)).toEqual([100, 0]);
});

test.each([
  ["", PEAKS.join(",")],
  ["-1", PEAKS.join(",")],
  ["1200", ""],
  ["1200", PEAKS.slice(1).join(",")],
  ["1200", [...PEAKS, 1].join(",")],
  ["1200", [101, ...PEAKS.slice(1)].join(",")],
])("%j with %j is no recording", (durationMs, peaks) => {
  expect(parseRecording(durationMs, peaks)).toBeNull();
});

test("what the recorder writes is read again, at most five minutes long", () => {
  expect(parseRecording("1200", PEAKS.join(","))).toEqual({ durationMs: 1_200, peaks: PEAKS });
  expect(parseRecording("9999999", PEAKS.join(","))?.durationMs).toBe(RECORDING_MAX_MS);
});

test.each([
  [0, "0:00"],
  [7_900, "0:07"],
  [270_000, "4:30"],
])("%d ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
