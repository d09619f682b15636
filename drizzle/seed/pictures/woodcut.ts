import {
  around,
  at,
  circle,
  ellipse,
  group,
  line,
  path,
  polygon,
  rect,
  sheet,
  times,
} from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const tints = ["#F4E9D2", "#F2DCA8", "#EBD3C4", "#E9E6D8", "#F0C9A0"];
const black = "#17130F";

/** A cut of the gouge: a thin wedge. */
const cut = (x: number, y: number, length: number, angle: number, colour: string): string =>
  group(
    at(x, y, 1, angle),
    path(`M 0 0 Q ${length / 2} 5 ${length} 0 Q ${length / 2} -5 0 0`, colour),
  );

/** Black block with a frame cut all around, as the town's print shop does it. */
function print(random: Random, ground: string, ...children: string[]): string {
  const teeth = (x: number, y: number, dx: number, dy: number, count: number): string =>
    times(count, (index) =>
      polygon(
        around(
          x + dx * index,
          y + dy * index,
          11 + random.between(-2, 2),
          3,
          dx === 0 ? Math.PI / 2 : 0,
        ),
        ground,
      ),
    );
  return sheet(
    ground,
    rect(26, 26, 908, 588, black),
    teeth(54, 48, 35.6, 0, 25),
    teeth(54, 594, 35.6, 0, 25),
    teeth(48, 84, 0, 33.7, 15),
    teeth(912, 84, 0, 33.7, 15),
    rect(70, 70, 820, 500, ground),
    ...children,
  );
}

const earth = (random: Random, y: number): string =>
  path(
    `M 70 ${y} ${times(20, () => `l 41 ${random.between(-9, 9).toFixed(1)}`)} V 570 H 70 Z`,
    black,
  );
const scratches = (random: Random, y: number, ground: string): string =>
  times(26, () =>
    cut(
      random.between(90, 860),
      random.between(y + 20, 560),
      random.between(20, 70),
      random.between(-6, 6),
      ground,
    ),
  );

function rays(random: Random, x: number, y: number, ground: string, face: boolean): string {
  const count = random.pick([16, 20, 24]);
  const spikes = times(count, (index) => {
    const angle = (index / count) * 360;
    return group(
      at(x, y, 1, angle),
      polygon(
        [
          [0, -8],
          [random.between(150, 180) * (index % 2 === 0 ? 1 : 0.78), 0],
          [0, 8],
        ],
        black,
      ),
    );
  });
  const features = face
    ? circle(x - 26, y - 12, 9, black) +
      circle(x + 26, y - 12, 9, black) +
      line(`M ${x} ${y - 6} v 24`, black, 6) +
      line(`M ${x - 28} ${y + 30} q 28 22 56 0`, black, 6)
    : times(8, (index) => cut(x, y, 60, index * 45, black));
  return (
    spikes +
    circle(x, y, 96, ground) +
    circle(x, y, 84, black) +
    circle(x, y, 72, ground) +
    features
  );
}

function sol(random: Random) {
  const ground = random.pick(tints);
  const x = random.between(300, 660);
  return {
    svg: print(
      random,
      ground,
      rays(random, x, 250, ground, true),
      earth(random, 470),
      scratches(random, 470, ground),
      [160, 800].map((cx) => cactus(random, cx, 480, random.between(0.7, 1), ground)).join(""),
    ),
    alt: "Xilogravura: um sol com rosto, de raios pontudos, sobre o chão seco com dois mandacarus.",
  };
}

function cactus(random: Random, x: number, y: number, scale: number, ground: string): string {
  const arm = (side: number, high: number): string =>
    path(
      `M 0 ${-high} C ${side * 30} ${-high + 10} ${side * 74} ${-high + 10} ${side * 74} ${-high - 50} V ${-high - 100} Q ${side * 74} ${-high - 124} ${side * 56} ${-high - 124} Q ${side * 38} ${-high - 124} ${side * 38} ${-high - 100} V ${-high - 52} Q ${side * 30} ${-high - 40} 0 ${-high - 40} Z`,
      black,
    );
  return group(
    at(x, y, scale),
    rect(-24, -260, 48, 270, black, 'rx="24"'),
    arm(1, random.between(60, 100)),
    arm(-1, random.between(90, 130)),
    times(
      7,
      (index) =>
        cut(-8, -230 + index * 34, 22, 60, ground) + cut(8, -220 + index * 34, 22, 60, ground),
    ),
  );
}

function passaro(random: Random) {
  const ground = random.pick(tints);
  const flip = random.pick([1, -1]);
  const lift = random.between(-24, 24);
  return {
    svg: print(
      random,
      ground,
      `<g transform="translate(480 ${320 + lift}) scale(${flip} 1)">${path("M -40 40 C -60 -20 20 -70 110 -50 C 130 -90 190 -96 206 -56 L 250 -44 L 206 -30 C 200 40 120 110 30 100 L -180 150 L -150 110 L -230 110 L -150 76 Z", black)}${path("M -20 10 C -90 -60 -150 -150 -110 -200 C -70 -150 -60 -190 -30 -210 C 0 -160 20 -180 50 -190 C 60 -110 90 -50 60 -10 Z", black)}${times(9, (index) => cut(-84 + index * 15, -150 + index * 4, 90 - index * 3, 62, ground))}${times(7, (index) => cut(-4 + index * 20, 66 - (index % 2) * 18, 30, -14, ground))}${circle(184, -60, 9, ground)}${line("M 40 100 l -8 60 m 8 -4 l -26 12 m 26 -12 l 16 14 M 80 92 l 4 62 m 0 -4 l -22 14 m 22 -14 l 20 12", black, 6)}</g>`,
      times(12, () =>
        cut(
          random.between(100, 830),
          random.between(100, 170),
          random.between(20, 60),
          random.between(-10, 10),
          black,
        ),
      ),
      earth(random, 520 + lift * 0.4),
      scratches(random, 520, ground),
    ),
    alt: "Xilogravura: um pássaro grande de asa aberta, com as penas marcadas a goiva.",
  };
}

function boi(random: Random) {
  const ground = random.pick(tints);
  const flip = random.pick([1, -1]);
  const spots = random.int(3, 5);
  return {
    svg: print(
      random,
      ground,
      `<g transform="translate(480 330) scale(${flip} 1)">${path("M -220 -70 C -120 -110 60 -100 130 -70 L 200 -130 C 240 -140 262 -110 266 -70 L 286 -20 L 252 4 L 190 -10 C 170 40 160 60 150 80 L 156 190 H 120 L 104 100 C 20 120 -100 116 -150 90 L -156 190 H -194 L -196 80 C -230 40 -236 -20 -220 -70 Z", black)}${line("M 206 -128 C 190 -190 230 -210 262 -206 M 236 -132 C 250 -190 300 -190 316 -172", black, 14)}${circle(240, -84, 8, ground)}${line("M -222 -60 C -270 -30 -262 60 -276 110", black, 9)}${times(spots, (index) => ellipse(-160 + index * 68, -20 + (index % 2) * 36, 26, 18, ground))}${times(10, (index) => cut(-180 + index * 32, -84 + (index % 3) * 8, 22, 20, ground))}</g>`,
      times(5, (index) =>
        group(at(170 + index * 150, 140, 0.6), polygon(around(0, 0, 40, 5), black)),
      ),
      earth(random, 500),
      scratches(random, 500, ground),
    ),
    alt: "Xilogravura: um boi malhado de chifres curvos, com estrelas em cima e o chão riscado embaixo.",
  };
}

function mandacaru(random: Random) {
  const ground = random.pick(tints);
  const count = random.int(3, 4);
  return {
    svg: print(
      random,
      ground,
      rays(random, random.pick([220, 740]), 190, ground, false),
      times(count, (index) =>
        cactus(random, 200 + index * (620 / count), 500, random.between(0.85, 1.35), ground),
      ),
      earth(random, 490),
      scratches(random, 490, ground),
    ),
    alt: `Xilogravura: ${count === 3 ? "três" : "quatro"} mandacarus em fila debaixo de um sol de raios afiados.`,
  };
}

function casa(random: Random) {
  const ground = random.pick(tints);
  const x = random.between(360, 600);
  return {
    svg: print(
      random,
      ground,
      circle(x > 480 ? 210 : 760, 170, 60, black),
      circle((x > 480 ? 210 : 760) + 22, 156, 52, ground),
      times(16, () =>
        polygon(
          around(random.between(100, 860), random.between(90, 200), random.between(4, 9), 4),
          black,
        ),
      ),
      polygon(
        [
          [x - 210, 340],
          [x, 220],
          [x + 210, 340],
        ],
        black,
      ),
      times(11, (index) => cut(x - 150 + index * 28, 322, 26, -60, ground)),
      rect(x - 180, 340, 360, 170, black),
      rect(x - 40, 400, 80, 110, ground),
      rect(x - 140, 390, 60, 60, ground),
      rect(x + 80, 390, 60, 60, ground),
      line(
        `M ${x - 110} 390 v 60 M ${x - 140} 420 h 60 M ${x + 110} 390 v 60 M ${x + 80} 420 h 60`,
        black,
        6,
      ),
      circle(x - 8, 426, 20, black),
      path(`M ${x - 32} 510 q 24 -90 48 0 Z`, black),
      cactus(random, x > 480 ? 190 : 790, 510, 0.8, ground),
      earth(random, 506),
      scratches(random, 506, ground),
    ),
    alt: "Xilogravura: casa de sítio à noite, com alguém na porta, lua e estrelas.",
  };
}

/** Jaci: the woodcut covers of cordel. */
export const woodcut = { sol, passaro, boi, mandacaru, casa } satisfies Hand;
