import { randomFrom } from "#drizzle/seed/random.ts";

export const RATE_HZ = 22_050;

const noise = (seed: string): (() => number) => {
  const random = randomFrom(seed);
  return () => random.next() * 2 - 1;
};

const secondsOf = (seconds: number): Float32Array =>
  new Float32Array(Math.round(seconds * RATE_HZ));
export const quiet = secondsOf;

/** Adds what `sampleAt` gives, for `length` seconds from `start`. */
function add(
  into: Float32Array,
  { start, length }: { start: number; length: number },
  sampleAt: (seconds: number) => number,
): void {
  const first = Math.round(start * RATE_HZ);
  const last = Math.min(into.length, first + Math.round(length * RATE_HZ));
  for (let index = Math.max(0, first); index < last; index += 1)
    into[index] = (into[index] ?? 0) + sampleAt((index - first) / RATE_HZ);
}

/** Rises in `attack` and falls in `release` seconds. */
const envelope = (at: number, length: number, attack: number, release: number): number =>
  Math.max(0, Math.min(1, at / attack, (length - at) / release));

/** A bowed string: a rounded sawtooth with vibrato and a little of the bow's noise. */
function bow(
  into: Float32Array,
  note: { start: number; length: number; hz: (at: number) => number; gain?: number },
): void {
  const { start, length, hz, gain = 0.2 } = note;
  const hiss = noise(`bow ${start}`);
  let phase = 0;
  add(into, { start, length }, (at) => {
    const vibrato = 1 + 0.004 * Math.sin(at * 2 * Math.PI * 5.4) * Math.min(1, at * 2);
    phase += (hz(at) * vibrato) / RATE_HZ;
    let wave = 0;
    for (let partial = 1; partial <= 12; partial += 1) {
      // The body of the instrument answers most around 1 kHz.
      const body = 1 + 1.2 * Math.exp(-(((hz(at) * partial - 1_000) / 500) ** 2));
      wave += (Math.sin(2 * Math.PI * phase * partial) / partial) * body;
    }
    return (wave * 0.5 + hiss() * 0.05) * gain * envelope(at, length, 0.08, 0.15);
  });
}

function whistle(
  into: Float32Array,
  call: { start: number; length: number; from: number; to: number; gain: number },
): void {
  let phase = 0;
  add(into, call, (at) => {
    phase += (call.from + ((call.to - call.from) * at) / call.length) / RATE_HZ;
    return Math.sin(2 * Math.PI * phase) * call.gain * envelope(at, call.length, 0.02, 0.05);
  });
}

/** The bird that says its name: bem-te-vi. */
function bird(into: Float32Array, start: number): void {
  whistle(into, { start, length: 0.22, from: 2_500, to: 3_100, gain: 0.1 });
  whistle(into, { start: start + 0.3, length: 0.1, from: 2_800, to: 3_000, gain: 0.08 });
  whistle(into, { start: start + 0.45, length: 0.4, from: 3_300, to: 2_300, gain: 0.11 });
}

const steady = (hz: number) => (): number => hz;
const A4 = 440;
const semitone = (steps: number): number => A4 * 2 ** (steps / 12);

/** An open string that begins flat, is tightened twice and then sounds with its neighbour. */
function tuning(): Float32Array {
  const into = secondsOf(12);
  const [low, high] = [semitone(-7), semitone(0)];
  bow(into, { start: 0.3, length: 2.4, hz: (at) => low * (at < 1.2 ? 0.965 : 0.975) });
  bow(into, { start: 3, length: 2.4, hz: (at) => low * Math.min(1, 0.978 + at * 0.012) });
  bow(into, { start: 5.7, length: 1.8, hz: steady(high) });
  bow(into, { start: 7.7, length: 3.8, hz: steady(low), gain: 0.15 });
  bow(into, { start: 7.8, length: 3.7, hz: steady(high), gain: 0.13 });
  for (const start of [1.6, 5.2, 8.9]) bird(into, start);
  return into;
}

/** Semitones from A and beats, at night: a slow tune of two parts. */
const MOON: [number, number][] = [
  [-7, 1],
  [-3, 1],
  [0, 2],
  [2, 1],
  [0, 1],
  [-3, 2],
  [-5, 1],
  [-3, 1],
  [0, 1],
  [-5, 1],
  [-7, 3],
];

function moon(): Float32Array {
  const into = secondsOf(13);
  let start = 0.6;
  for (const [steps, beats] of MOON) {
    const length = beats * 0.78;
    bow(into, { start, length: length + 0.06, hz: steady(semitone(steps)), gain: 0.19 });
    start += length;
  }
  // Crickets: short trains of a high tone.
  add(into, { start: 0, length: 13 }, (at) => {
    const isChirping = at % 0.7 < 0.28;
    const pulse = Math.max(0, Math.sin(2 * Math.PI * 28 * at));
    return isChirping ? Math.sin(2 * Math.PI * 4_300 * at) * pulse * 0.035 : 0;
  });
  return into;
}

/** The terrace before, at and after a shot that touches the post. */
function goal(): Float32Array {
  const into = secondsOf(10);
  const hiss = noise("terrace");
  let smooth = 0;
  add(into, { start: 0, length: 10 }, (at) => {
    const swell = 0.12 + 0.5 * Math.exp(-(((at - 5.4) / 1.3) ** 2));
    smooth += (hiss() - smooth) * (at > 4.2 ? 0.3 : 0.16);
    return smooth * swell * envelope(at, 10, 0.4, 1.2);
  });
  // The long "ihhh" of many people, each at a pitch of their own.
  for (let voice = 0; voice < 9; voice += 1) {
    const hz = 330 + voice * 37;
    const cry = { start: 4.3 + voice * 0.05, length: 2.4, from: hz, to: hz * 1.12 };
    whistle(into, { ...cry, gain: 0.035 });
    whistle(into, { ...cry, from: hz * 6, to: hz * 6.6, gain: 0.012 });
  }
  add(
    into,
    { start: 4.1, length: 0.5 },
    (at) => Math.sin(2 * Math.PI * 190 * at) * Math.exp(-at * 14) * 0.7,
  );
  return into;
}

export const recordings = () => ({
  "afinando-a-rabeca": tuning(),
  "lua-de-goiana": moon(),
  "golaco-na-trave": goal(),
});

/** When a saw or a plane moves, in seconds. */
export type Stroke = { start: number; length: number; tool: "saw" | "plane" };

/** The sound of tools: noise, dark for a saw and bright for a plane. */
export function lifted({ seconds, strokes }: { seconds: number; strokes: Stroke[] }): Float32Array {
  const into = secondsOf(seconds);
  for (const { start, length, tool } of strokes) {
    const hiss = noise(`${tool} ${start}`);
    let smooth = 0;
    add(into, { start, length }, (at) => {
      const white = hiss();
      smooth += (white - smooth) * (tool === "saw" ? 0.25 : 0.6);
      const teeth = tool === "saw" ? 0.6 + 0.4 * Math.sin(2 * Math.PI * 46 * at) : 1;
      return (
        (tool === "saw" ? smooth : white - smooth) * teeth * 0.45 * envelope(at, length, 0.05, 0.08)
      );
    });
  }
  return into;
}
