import { at, circle, ellipse, group, line, path, polygon, rect, sheet, times } from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const ink = "#1B1A22";
const skies = ["#FFD166", "#8ECAE6", "#F4978E", "#B8E0C8", "#CDB4DB", "#FFE8D6"];
type Cast = { skin: string; hair: string; shirt: string };
const casts: Cast[] = [
  { skin: "#8A4B2A", hair: ink, shirt: "#E63946" },
  { skin: "#E9B893", hair: "#6B2D12", shirt: "#2A6F97" },
  { skin: "#C98B63", hair: "#2B2118", shirt: "#F2B632" },
];

/** The heroine: round hair, big eyes; `mood` -1 sad, 0 flat, 1 glad. Stands on y = 0, 230 high. */
function girl(cast: Cast, mood: number, lookX: number): string {
  return (
    path(
      "M -62 0 C -62 -90 -30 -104 0 -104 C 30 -104 62 -90 62 0 Z",
      cast.shirt,
      `stroke="${ink}" stroke-width="5"`,
    ) +
    circle(0, -176, 78, cast.hair) +
    circle(-64, -150, 34, cast.hair) +
    circle(64, -150, 34, cast.hair) +
    ellipse(0, -152, 54, 58, cast.skin, `stroke="${ink}" stroke-width="4"`) +
    path("M -56 -164 C -40 -214 40 -214 56 -164 C 20 -186 -20 -186 -56 -164 Z", cast.hair) +
    circle(-20, -152, 14, "#FFFFFF") +
    circle(20, -152, 14, "#FFFFFF") +
    circle(-20 + lookX * 6, -150, 6, ink) +
    circle(20 + lookX * 6, -150, 6, ink) +
    line(`M -16 -118 q 16 ${mood * 16} 32 0`, ink, 5)
  );
}

/** Her cat, 110 high. */
function cat(colour: string, mood: number): string {
  return (
    path(
      "M -50 0 C -60 -60 -30 -70 0 -70 C 30 -70 60 -60 50 0 Z",
      colour,
      `stroke="${ink}" stroke-width="4"`,
    ) +
    path(
      "M -44 -70 L -48 -122 L -18 -104 H 18 L 48 -122 L 44 -70 C 40 -50 -40 -50 -44 -70 Z",
      colour,
      `stroke="${ink}" stroke-width="4"`,
    ) +
    circle(-16, -82, 5, ink) +
    circle(16, -82, 5, ink) +
    line(`M -8 -68 q 8 ${mood * 8} 16 0`, ink, 3) +
    line("M 48 -10 C 90 -10 80 -60 96 -70", colour, 12)
  );
}

/** A balloon with hand-drawn lines in place of words. */
function balloon(
  x: number,
  y: number,
  width: number,
  height: number,
  tail: number,
  wordCount: number,
): string {
  return (
    ellipse(x, y, width / 2, height / 2, "#FFFFFF", `stroke="${ink}" stroke-width="4"`) +
    polygon(
      [
        [x + tail * 12 - 10, y + height / 2 - 8],
        [x + tail * 46, y + height / 2 + 34],
        [x + tail * 12 + 16, y + height / 2 - 6],
      ],
      "#FFFFFF",
    ) +
    line(
      `M ${x + tail * 12 - 10} ${y + height / 2 - 3} L ${x + tail * 46} ${y + height / 2 + 34} L ${x + tail * 12 + 16} ${y + height / 2 - 3}`,
      ink,
      4,
    ) +
    times(wordCount, (index) =>
      line(
        `M ${x - width * 0.26} ${y - (wordCount - 1) * 8 + index * 17} h ${width * (index === wordCount - 1 ? 0.3 : 0.52)}`,
        ink,
        5,
      ),
    )
  );
}

const screen = (x: number, y: number, width: number, height: number, colour: string): string =>
  times(Math.floor(width / 18) * Math.floor(height / 18), (index) => {
    const columns = Math.floor(width / 18);
    return circle(
      x + 9 + (index % columns) * 18,
      y + 9 + Math.floor(index / columns) * 18,
      3.4,
      colour,
    );
  });

function panel(
  id: string,
  x: number,
  y: number,
  width: number,
  height: number,
  sky: string,
  ...children: string[]
): string {
  return `<clipPath id="${id}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#${id})">${rect(x, y, width, height, sky)}${screen(x, y, width, height, "#FFFFFF66")}${children.join("")}</g>${rect(x, y, width, height, "none", `stroke="${ink}" stroke-width="6"`)}`;
}

function tira(random: Random) {
  const cast = random.pick(casts);
  const tones = random.shuffled(skies);
  const fur = random.pick(["#F08A24", "#5B5B66", "#FFFFFF"]);
  const moods = random.shuffled([-1, 0, 1]);
  return {
    svg: sheet(
      "#FBF6EA",
      times(3, (index) => {
        const x = 40 + index * 300;
        return panel(
          `p${index}`,
          x,
          110,
          280,
          420,
          tones[index] ?? "#FFD166",
          rect(x, 440, 280, 90, tones[(index + 3) % 6] ?? "#B8E0C8"),
          group(
            at(x + (index === 1 ? 170 : 110), 520, 1.05),
            girl(cast, moods[index] ?? 0, index === 1 ? -1 : 1),
          ),
          index === 1 && random.chance(0.4)
            ? ""
            : group(
                at(x + (index === 1 ? 66 : 216), 522, 0.82),
                cat(fur, moods[(index + 1) % 3] ?? 0),
              ),
          random.chance(0.8)
            ? balloon(x + 140, 190, 200, 96, index === 1 ? 1 : -1, random.int(2, 3))
            : "",
        );
      }),
    ),
    alt: "Tira de três quadros: uma menina de cabelo armado conversa com o gato, que muda de humor.",
  };
}

function retrato(random: Random) {
  const cast = random.pick(casts);
  const sky = random.pick(skies);
  return {
    svg: sheet(
      "#FBF6EA",
      panel(
        "one",
        40,
        40,
        880,
        560,
        sky,
        times(16, (index) =>
          group(
            at(480, 380, 1, index * 22.5),
            polygon(
              [
                [0, -14],
                [760, -90],
                [760, 90],
                [0, 14],
              ],
              index % 2 === 0 ? "#FFFFFF55" : "#FFFFFF00",
            ),
          ),
        ),
        group(
          at(480 + random.between(-90, 90), 620, 2.15),
          girl(cast, random.pick([1, 1, 0]), random.pick([-1, 1])),
        ),
        balloon(random.pick([190, 760]), 150, 220, 120, random.pick([-1, 1]), 3),
      ),
    ),
    alt: "Quadro único: a menina de cabelo armado de perto, com linhas de impacto atrás e um balão de fala.",
  };
}

function cidade(random: Random) {
  const cast = random.pick(casts);
  const tones = random.shuffled(skies);
  const houses = times(7, (index) => {
    const x = 50 + index * 126;
    const high = random.between(150, 300);
    return (
      rect(
        x,
        500 - high,
        116,
        high,
        tones[index % 6] ?? "#F4978E",
        `stroke="${ink}" stroke-width="5"`,
      ) +
      polygon(
        [
          [x - 8, 500 - high],
          [x + 58, 450 - high],
          [x + 124, 500 - high],
        ],
        "#C44536",
        `stroke="${ink}" stroke-width="5"`,
      ) +
      rect(x + 20, 530 - high, 30, 36, "#FFFFFF", `stroke="${ink}" stroke-width="4"`) +
      rect(
        x + 66,
        530 - high,
        30,
        36,
        random.chance(0.5) ? "#FFD166" : "#FFFFFF",
        `stroke="${ink}" stroke-width="4"`,
      ) +
      rect(x + 44, 440, 34, 60, ink)
    );
  });
  return {
    svg: sheet(
      "#FBF6EA",
      panel(
        "one",
        40,
        40,
        880,
        560,
        tones[5] ?? "#8ECAE6",
        houses,
        rect(40, 500, 880, 100, "#6D6875"),
        times(8, (index) => rect(70 + index * 112, 546, 60, 8, "#FFFFFF")),
        group(at(random.between(260, 700), 560, 0.8), girl(cast, 1, 1)),
        group(at(random.between(120, 220), 566, 0.7), cat("#F08A24", 1)),
        line("M 40 150 Q 300 220 520 150 T 920 160", ink, 4),
      ),
    ),
    alt: "Quadro largo: a menina e o gato andam por uma rua de casinhas coloridas, com fios no céu.",
  };
}

function pagina(random: Random) {
  const cast = random.pick(casts);
  const tones = random.shuffled(skies);
  const split = random.between(360, 560);
  const fur = random.pick(["#F08A24", "#5B5B66"]);
  return {
    svg: sheet(
      "#FBF6EA",
      panel(
        "a",
        40,
        36,
        split - 50,
        270,
        tones[0] ?? "#FFD166",
        group(at(split / 2, 330, 1.1), girl(cast, 0, 1)),
        balloon(split - 140, 100, 170, 84, -1, 2),
      ),
      panel(
        "b",
        split + 10,
        36,
        910 - split,
        270,
        tones[1] ?? "#FFD166",
        group(at(split + 150, 300, 1.5), cat(fur, -1)),
      ),
      panel(
        "c",
        40,
        326,
        270,
        280,
        tones[2] ?? "#FFD166",
        circle(175, 466, 90, "#FFFFFF"),
        circle(175, 466, 80, tones[4] ?? "#FFD166"),
        line("M 175 466 V 402 M 175 466 L 220 486", ink, 7),
        times(12, (index) => group(at(175, 466, 1, index * 30), line("M 0 -78 V -68", ink, 4))),
      ),
      panel(
        "d",
        330,
        326,
        590,
        280,
        tones[3] ?? "#FFD166",
        group(at(520, 620, 1.12), girl(cast, 1, 1)),
        group(at(720, 604, 1.2), cat(fur, 1)),
        balloon(770, 400, 200, 90, -1, 2),
      ),
    ),
    alt: "Página de quatro quadros: a menina, o gato contrariado, um relógio e os dois fazendo as pazes.",
  };
}

function rascunho(random: Random) {
  const pencil = random.pick(["#4A6FA5", "#B0413E"]);
  const cast: Cast = { skin: "#FBF6EA", hair: "#E7E1D2", shirt: "#F1ECDF" };
  const count = random.int(4, 5);
  return {
    svg: sheet(
      "#EFE8D8",
      rect(50, 34, 860, 572, "#FBF6EA"),
      times(11, (index) => line(`M 50 ${86 + index * 50} H 910`, "#D9E4EE", 2)),
      line("M 130 34 V 606", "#F0B8B0", 2),
      times(count, (index) => {
        const x = 220 + index * (640 / count);
        const big = random.between(0.75, 1.3);
        return (
          circle(x, 480 - 152 * big, 92 * big, "none", `stroke="${pencil}" stroke-width="2"`) +
          line(
            `M ${x} ${480 - 270 * big} V 500 M ${x - 90 * big} ${480 - 150 * big} h ${180 * big}`,
            pencil,
            2,
          ) +
          group(at(x, 480, big), girl(cast, random.pick([-1, 0, 1]), random.pick([-1, 1])))
        );
      }),
      group(
        at(860, 330, 1, 12),
        rect(-13, -200, 26, 330, "#F2B632"),
        polygon(
          [
            [-13, 130],
            [13, 130],
            [0, 172],
          ],
          "#E9CFA0",
        ),
        polygon(
          [
            [-4, 158],
            [4, 158],
            [0, 172],
          ],
          ink,
        ),
        rect(-13, -226, 26, 30, "#EFA3B8"),
      ),
    ),
    alt: `Folha de caderno com ${count} estudos de expressão da mesma personagem e um lápis em cima.`,
  };
}

/** Bia: comic strips with a girl and her cat. */
export const comics = { tira, retrato, cidade, pagina, rascunho } satisfies Hand;
