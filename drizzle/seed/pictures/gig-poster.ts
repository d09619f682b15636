import { at, circle, group, line, path, polygon, rect, ring, sheet, times } from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const inks: [string, string, string, string][] = [
  ["#F4E409", "#E4002B", "#111111", "#F7F3E8"],
  ["#FF5A36", "#1B1BFF", "#0E0E12", "#FFF4E0"],
  ["#00A88F", "#FFD23F", "#101820", "#FFF8E7"],
  ["#E6E1D3", "#E4002B", "#141414", "#FFFFFF"],
  ["#2B2BD6", "#FF7AC6", "#0B0B16", "#F8F5EA"],
];

const stripes = (random: Random, colour: string): string => {
  const width = random.between(34, 70);
  const tilt = random.pick([-240, 240]);
  return times(Math.ceil(1500 / (width * 2)), (index) => {
    const x = -300 + index * width * 2;
    return polygon(
      [
        [x, 0],
        [x + width, 0],
        [x + width + tilt, 640],
        [x + tilt, 640],
      ],
      colour,
    );
  });
};

/** Screen of dots that grow to one side, as on a cheap lambe-lambe. */
const dots = (
  x: number,
  y: number,
  columns: number,
  rows: number,
  pitch: number,
  colour: string,
): string =>
  times(columns * rows, (index) =>
    circle(
      x + (index % columns) * pitch,
      y + Math.floor(index / columns) * pitch,
      (pitch * 0.52 * ((index % columns) + 1)) / columns,
      colour,
    ),
  );

function vinil(random: Random) {
  const [ground, hot, ink, light] = random.pick(inks);
  const x = random.between(380, 600);
  return {
    svg: sheet(
      ground,
      stripes(random, random.chance(0.5) ? hot : light),
      circle(x, 330, 276, ink),
      times(11, (index) =>
        ring(x, 330, 118 + index * 14, index % 3 === 0 ? light : "#FFFFFF22", 1.6),
      ),
      circle(x, 330, 98, hot),
      circle(x, 330, 78, ground),
      circle(x, 330, 10, ink),
      path(
        `M ${x} 330 L ${x + 262} ${random.between(190, 230).toFixed(0)} L ${x + 240} 150 Z`,
        "#FFFFFF1C",
      ),
      line(`M 900 60 L 860 220 L ${x + 150} 390`, light, 14),
      rect(x + 126, 372, 40, 56, light, `transform="rotate(35 ${x + 146} 400)"`),
      circle(900, 60, 44, light),
      circle(900, 60, 20, ink),
    ),
    alt: "Cartaz de show: um disco de vinil preto sobre listras diagonais, com a agulha encostando no sulco.",
  };
}

function microfone(random: Random) {
  const [ground, hot, ink, light] = random.pick(inks);
  const tilt = random.between(14, 40) * random.pick([1, -1]);
  return {
    svg: sheet(
      ground,
      times(12, (index) =>
        polygon(
          [
            [480, 330],
            [
              480 + Math.cos((index * 30 * Math.PI) / 180) * 900,
              330 + Math.sin((index * 30 * Math.PI) / 180) * 900,
            ],
            [
              480 + Math.cos(((index * 30 + 15) * Math.PI) / 180) * 900,
              330 + Math.sin(((index * 30 + 15) * Math.PI) / 180) * 900,
            ],
          ],
          hot,
        ),
      ),
      group(
        at(480, 300, 1.15, tilt),
        path("M -52 60 L 52 60 L 30 360 H -30 Z", ink),
        rect(-62, 30, 124, 40, light, 'rx="8"'),
        circle(0, -50, 104, ink),
        times(49, (index) => {
          const gx = -72 + (index % 7) * 24;
          const gy = -122 + Math.floor(index / 7) * 24;
          return gx * gx + (gy + 50) ** 2 < 7600 ? circle(gx, gy, 8, light) : "";
        }),
        rect(-18, 120, 36, 60, hot, 'rx="10"'),
      ),
    ),
    alt: "Cartaz de show: um microfone grande e inclinado no centro de raios de cor.",
  };
}

function caixas(random: Random) {
  const [ground, hot, ink, light] = random.pick(inks);
  const columns = random.int(3, 4);
  const size = 760 / columns;
  const box = (x: number, y: number, w: number, h: number): string =>
    rect(x, y, w, h, ink, 'rx="10"') +
    circle(x + w / 2, y + h * 0.66, w * 0.34, light) +
    circle(x + w / 2, y + h * 0.66, w * 0.28, ink) +
    circle(x + w / 2, y + h * 0.66, w * 0.12, hot) +
    circle(x + w / 2, y + h * 0.22, w * 0.15, light) +
    circle(x + w / 2, y + h * 0.22, w * 0.08, ink) +
    [0.08, 0.92].map((t) => circle(x + w * t, y + h * 0.05, 5, light)).join("");
  return {
    svg: sheet(
      ground,
      dots(30, 30, 18, 11, 56, hot),
      times(
        columns,
        (column) =>
          box(100 + column * size + 6, 340 - (column % 2) * random.int(20, 60), size - 12, 330) +
          (random.chance(0.75)
            ? box(100 + column * size + 26, 110 + (column % 2) * -10, size - 52, 210)
            : ""),
      ),
    ),
    alt: "Cartaz de show: uma parede de caixas de som empilhadas sobre retícula de bolinhas.",
  };
}

function predios(random: Random) {
  const [ground, hot, ink, light] = random.pick(inks);
  let x = -10;
  let towers = "";
  while (x < 960) {
    const w = random.between(90, 170);
    const h = random.between(180, 440);
    const columns = Math.floor(w / 30);
    towers +=
      rect(x, 640 - h, w, h, ink) +
      times(columns * Math.floor(h / 40), (index) =>
        random.chance(0.56)
          ? rect(
              x + 12 + (index % columns) * 29,
              640 - h + 18 + Math.floor(index / columns) * 40,
              15,
              20,
              random.chance(0.2) ? hot : light,
            )
          : "",
      ) +
      (random.chance(0.4)
        ? rect(x + w / 2 - 3, 640 - h - 60, 6, 60, ink) +
          line(`M ${x + w / 2 - 20} ${640 - h - 46} h 40`, ink, 5)
        : "");
    x += w + random.between(-6, 14);
  }
  return {
    svg: sheet(
      ground,
      circle(random.between(260, 700), 230, random.between(150, 190), hot),
      dots(0, 20, 16, 6, 60, "#FFFFFF40"),
      towers,
      line("M -10 330 Q 300 420 520 340 T 980 350", ink, 4),
      line("M -10 350 Q 300 440 520 360 T 980 372", ink, 3),
    ),
    alt: "Cartaz de show: prédios da quebrada com janelas acesas, fios cruzando e um sol enorme atrás.",
  };
}

function fones(random: Random) {
  const [ground, hot, ink, light] = random.pick(inks);
  const skin = random.pick(["#6B3A22", "#8A4B2A", "#C98B63"]);
  const shirt = random.pick([hot, light]);
  const flip = random.pick([1, -1]);
  return {
    svg: sheet(
      ground,
      stripes(random, hot === shirt ? light : hot),
      `<g transform="translate(480 0) scale(${flip} 1)">${path("M -230 640 C -220 520 -120 470 0 470 C 120 470 220 520 230 640 Z", shirt)}${rect(-60, 400, 120, 110, skin, 'rx="40"')}${path("M -130 260 C -130 130 130 130 130 260 C 136 360 90 440 0 440 C -90 440 -136 360 -130 260 Z", skin)}${path("M -142 250 C -160 100 150 80 144 240 C 60 200 -60 200 -142 250 Z", ink)}${path("M 60 190 L 240 214 L 236 240 L 110 240 Z", ink)}${rect(20, 262, 110, 40, ink, 'rx="16"')}${rect(-110, 262, 110, 40, ink, 'rx="16"')}${line("M -40 380 q 40 22 80 0", ink, 8)}${line("M -146 280 C -170 60 170 60 146 280", light, 22)}${rect(-176, 236, 50, 110, light, 'rx="22"')}${rect(126, 236, 50, 110, light, 'rx="22"')}</g>`,
    ),
    alt: "Cartaz de show: retrato de frente, com boné, óculos escuros e fones grandes, sobre listras.",
  };
}

/** Rua 8: posters pasted on the wall before the gig. */
export const gigPoster = { vinil, microfone, caixas, predios, fones } satisfies Hand;
