import { at, circle, ellipse, group, line, path, polygon, rect, sheet, times } from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const glaze = "#F4F3EC";
const tones: [string, string, string][] = [
  ["#1B3F8B", "#6F93C9", "#E0A12B"],
  ["#14506B", "#6FB0B8", "#D98E2B"],
  ["#23306E", "#8FA0D6", "#C8743A"],
];

/** One tile of side 160 around the origin; `kind` picks the quarter that is turned four times. */
function tile(kind: number, [dark, soft, warm]: [string, string, string]): string {
  const quarters = [
    path("M 0 0 C 10 -40 40 -70 78 -78 C 70 -40 40 -10 0 0 Z", dark) +
      circle(44, -44, 9, glaze) +
      path("M 80 -30 A 50 50 0 0 1 30 -80 H 80 Z", soft),
    path("M 0 -12 L 66 -80 H 80 V -66 L 12 0 Z", dark) +
      path("M 0 -80 C 0 -50 20 -34 34 -34 C 34 -50 20 -80 0 -80 Z", soft) +
      circle(58, -26, 8, warm),
    path("M 0 0 Q 0 -70 -26 -80 H 26 Q 0 -70 0 0", dark) +
      path("M 80 -80 A 62 62 0 0 0 18 -80 A 62 62 0 0 0 80 -18 Z", dark) +
      path("M 80 -80 A 34 34 0 0 0 46 -80 A 34 34 0 0 0 80 -46 Z", warm) +
      ellipse(36, -36, 8, 8, soft),
    polygon(
      [
        [0, 0],
        [40, -80],
        [0, -56],
        [-40, -80],
      ],
      dark,
    ) +
      polygon(
        [
          [0, -10],
          [14, -46],
          [0, -38],
          [-14, -46],
        ],
        glaze,
      ) +
      path("M 80 -80 V -40 L 40 -80 Z", soft),
  ];
  const quarter = quarters[kind % quarters.length] ?? "";
  return (
    rect(-80, -80, 160, 160, glaze) +
    [0, 90, 180, 270].map((turn) => group(`rotate(${turn})`, quarter)).join("") +
    circle(0, 0, 12, warm) +
    rect(-80, -80, 160, 160, "none", 'stroke="#CFCDC0" stroke-width="3"')
  );
}

const wall = (kind: number, tone: [string, string, string]): string =>
  times(24, (index) =>
    group(at(80 + (index % 6) * 160, 80 + Math.floor(index / 6) * 160), tile(kind, tone)),
  );

/** A panel of plain tiles with a scene in blue, framed by the pattern. */
function panel(random: Random, draw: (tone: [string, string, string]) => string): string {
  const tone = random.pick(tones);
  const kind = random.int(0, 3);
  const grout =
    times(4, (index) => line(`M ${160 + index * 160 + 160} 80 V 560`, "#D9D7CA", 2)) +
    times(2, (index) => line(`M 160 ${240 + index * 160} H 800`, "#D9D7CA", 2));
  return sheet(
    glaze,
    wall(kind, tone),
    rect(148, 68, 664, 504, tone[0]),
    rect(158, 78, 644, 484, tone[2]),
    rect(164, 84, 632, 472, glaze),
    draw(tone),
    grout,
  );
}

function parede(random: Random) {
  const tone = random.pick(tones);
  const first = random.int(0, 3);
  const second = (first + random.int(1, 3)) % 4;
  const mode = random.int(0, 2);
  return {
    svg: sheet(
      glaze,
      times(24, (index) => {
        const column = index % 6;
        const row = Math.floor(index / 6);
        const swap =
          mode === 0 ? (column + row) % 2 === 0 : mode === 1 ? row % 2 === 0 : column % 3 === 1;
        return group(at(80 + column * 160, 80 + row * 160), tile(swap ? first : second, tone));
      }),
    ),
    alt: "Parede de azulejos antigos: dois padrões alternados em azul, com miolo amarelo.",
  };
}

function sobrado(random: Random) {
  const floors = random.int(2, 3);
  return {
    svg: panel(
      random,
      ([dark, soft, warm]) =>
        times(3, (index) => {
          const x = 190 + index * 196;
          const high = 120 * floors + random.between(-20, 30);
          const top = 540 - high;
          return (
            rect(
              x,
              top,
              186,
              high,
              index === 1 ? soft : glaze,
              `stroke="${dark}" stroke-width="4"`,
            ) +
            polygon(
              [
                [x - 8, top],
                [x + 93, top - 46],
                [x + 194, top],
              ],
              dark,
            ) +
            times(floors * 2, (window) => {
              const wx = x + 26 + (window % 2) * 84;
              const wy = top + 26 + Math.floor(window / 2) * 112;
              return (
                path(
                  `M ${wx} ${wy + 70} V ${wy + 22} A 25 22 0 0 1 ${wx + 50} ${wy + 22} V ${wy + 70} Z`,
                  dark,
                ) +
                line(`M ${wx + 25} ${wy + 4} V ${wy + 70}`, glaze, 3) +
                (Math.floor(window / 2) < floors - 1 ? rect(wx - 8, wy + 70, 66, 8, warm) : "")
              );
            })
          );
        }) + rect(164, 540, 632, 16, dark),
    ),
    alt: `Painel de azulejo: três sobrados antigos de ${floors === 2 ? "dois" : "três"} andares, com janelas de arco e sacadas.`,
  };
}

function bonde(random: Random) {
  const x = random.between(250, 330);
  return {
    svg: panel(
      random,
      ([dark, soft, warm]) =>
        `${path("M 164 420 C 260 330 360 400 470 340 C 580 290 700 380 796 320 V 556 H 164 Z", soft)}${rect(164, 500, 632, 8, dark)}${rect(164, 520, 632, 5, dark)}${line(`M 164 180 H 796`, dark, 4)}${line(`M ${x + 190} 180 L ${x + 210} 250`, dark, 5)}${rect(x - 20, 250, 440, 26, dark, 'rx="12"')}${rect(x, 276, 400, 90, glaze, `stroke="${dark}" stroke-width="4"`)}${rect(x, 366, 400, 84, warm, `stroke="${dark}" stroke-width="4"`)}${times(5, (index) => rect(x + 16 + index * 77, 288, 60, 66, index % 2 === 0 ? soft : glaze, `stroke="${dark}" stroke-width="4"`) + (index % 2 === 1 ? circle(x + 46 + index * 77, 330, 17, dark) + rect(x + 30 + index * 77, 338, 32, 16, dark) : ""))}${rect(x - 14, 450, 428, 16, dark)}${circle(x + 90, 480, 26, dark)}${circle(x + 310, 480, 26, dark)}${circle(x + 90, 480, 10, glaze)}${circle(x + 310, 480, 10, glaze)}`,
    ),
    alt: "Painel de azulejo: um bonde antigo com passageiros, trilhos embaixo e o fio em cima.",
  };
}

function igreja(random: Random) {
  const birds = random.int(3, 6);
  return {
    svg: panel(
      random,
      ([dark, soft, warm]) =>
        `${path("M 164 470 Q 330 410 480 450 T 796 440 V 556 H 164 Z", soft)}${[330, 540].map((x) => rect(x, 210, 90, 320, glaze, `stroke="${dark}" stroke-width="4"`) + path(`M ${x - 6} 210 Q ${x + 45} 120 ${x + 96} 210 Z`, dark) + rect(x + 42, 104, 6, 44, dark) + rect(x + 33, 118, 24, 6, dark) + path(`M ${x + 24} 300 V 262 A 21 21 0 0 1 ${x + 66} 262 V 300 Z`, dark) + circle(x + 45, 286, 10, warm)).join("")}${rect(420, 290, 120, 240, glaze, `stroke="${dark}" stroke-width="4"`)}${path("M 410 290 C 430 240 460 236 480 200 C 500 236 530 240 550 290 Z", soft, `stroke="${dark}" stroke-width="4"`)}${circle(480, 262, 16, dark)}${path("M 448 530 V 440 A 32 34 0 0 1 512 440 V 530 Z", dark)}${times(
          birds,
          () => {
            const x = random.between(190, 760);
            const y = random.between(110, 200);
            return line(`M ${x.toFixed(0)} ${y.toFixed(0)} q 10 -14 20 0 q 10 -14 20 0`, dark, 4);
          },
        )}${rect(164, 530, 632, 26, dark)}`,
    ),
    alt: "Painel de azulejo: igreja de duas torres no alto da ladeira, com sinos e andorinhas.",
  };
}

function porto(random: Random) {
  const boats = random.int(2, 3);
  return {
    svg: panel(
      random,
      ([dark, soft, warm]) =>
        `${path("M 164 300 L 300 190 L 380 260 L 500 150 L 640 270 L 720 220 L 796 290 V 400 H 164 Z", soft)}${times(6, (row) => line(`M 164 ${400 + row * 26} ${times(16, () => "q 10 -12 20 0 t 20 0")}`, row % 2 === 0 ? dark : soft, 4))}${times(
          boats,
          (index) => {
            const x = 230 + index * (520 / boats);
            const y = 420 + (index % 2) * 60;
            return (
              path(`M ${x - 50} ${y} H ${x + 110} L ${x + 80} ${y + 44} H ${x - 20} Z`, dark) +
              rect(x + 26, y - 150, 6, 150, dark) +
              path(`M ${x + 38} ${y - 146} L ${x + 120} ${y - 20} H ${x + 38} Z`, warm) +
              path(
                `M ${x + 20} ${y - 120} L ${x - 40} ${y - 16} H ${x + 20} Z`,
                glaze,
                `stroke="${dark}" stroke-width="4"`,
              )
            );
          },
        )}`,
    ),
    alt: `Painel de azulejo: ${boats === 2 ? "dois" : "três"} saveiros na baía, com morros atrás e ondas em linha.`,
  };
}

/** Nilo: tiles off the houses whose stories he tells. */
export const azulejo = { parede, sobrado, bonde, igreja, porto } satisfies Hand;
