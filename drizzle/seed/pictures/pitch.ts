import {
  around,
  at,
  circle,
  group,
  line,
  path,
  polygon,
  rect,
  ring,
  sheet,
  star,
  times,
} from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const earths = ["#B5622E", "#A4512B", "#C47A3D", "#8F4A2A"];
const grasses = ["#2F7A46", "#3B8C50", "#276B3E"];
const kits: [string, string][] = [
  ["#E23D28", "#FFFFFF"],
  ["#1D3F9B", "#F2C230"],
  ["#111111", "#FFFFFF"],
  ["#0E6B46", "#FFFFFF"],
  ["#F2C230", "#111111"],
  ["#7A1FA2", "#FFFFFF"],
];
const lime = "#F4EDE0";

const field = (ground: string): string =>
  sheet(
    ground,
    rect(60, 50, 840, 540, "none", `stroke="${lime}" stroke-width="6"`),
    line("M 480 50 V 590", lime, 6),
    ring(480, 320, 92, lime, 6),
    circle(480, 320, 8, lime),
    rect(60, 180, 130, 280, "none", `stroke="${lime}" stroke-width="6"`),
    rect(770, 180, 130, 280, "none", `stroke="${lime}" stroke-width="6"`),
    rect(60, 250, 52, 140, "none", `stroke="${lime}" stroke-width="6"`),
    rect(848, 250, 52, 140, "none", `stroke="${lime}" stroke-width="6"`),
    "§",
  ).replace("</svg>", "");

const onField = (ground: string, ...children: string[]): string =>
  `${field(ground).replace("§", "")}${children.join("")}</svg>`;
const worn = (random: Random, colour: string): string =>
  times(20, () =>
    path(
      `M ${random.between(0, 940).toFixed(0)} ${random.between(0, 630).toFixed(0)} q 30 -14 60 0 q -30 16 -60 0`,
      colour,
    ),
  );
const ball = (x: number, y: number, radius: number): string =>
  circle(x, y, radius, "#FFFFFF", `stroke="#15170F" stroke-width="${radius * 0.08}"`) +
  polygon(around(x, y, radius * 0.36, 5), "#15170F") +
  around(x, y, radius * 0.36, 5)
    .map(([px, py], index) => {
      const [ox, oy] = around(x, y, radius * 0.76, 5)[index] ?? [x, y];
      return (
        line(
          `M ${px.toFixed(1)} ${py.toFixed(1)} L ${ox.toFixed(1)} ${oy.toFixed(1)}`,
          "#15170F",
          radius * 0.07,
        ) + polygon(around(ox, oy, radius * 0.2, 5, Math.PI), "#15170F")
      );
    })
    .join("");

function jogada(random: Random) {
  const ground = random.pick([...earths, ...grasses]);
  const [home, away] = random.shuffled(kits);
  const men = Array.from(
    { length: 6 },
    (_, index) => [150 + index * 120 + random.between(-20, 20), random.between(120, 520)] as const,
  );
  const rivals = Array.from(
    { length: 6 },
    () => [random.between(240, 840), random.between(110, 530)] as const,
  );
  const passes = men
    .slice(0, -1)
    .map(([x, y], index) => {
      const [tx, ty] = men[index + 1] ?? [x, y];
      return line(
        `M ${x.toFixed(0)} ${y.toFixed(0)} Q ${((x + tx) / 2).toFixed(0)} ${((y + ty) / 2 - 70).toFixed(0)} ${tx.toFixed(0)} ${ty.toFixed(0)}`,
        "#FFFFFF",
        5,
        'stroke-dasharray="2 14"',
      );
    })
    .join("");
  return {
    svg: onField(
      ground,
      worn(random, "#00000014"),
      passes,
      rivals
        .map(([x, y]) =>
          line(`M ${x - 16} ${y - 16} l 32 32 m 0 -32 l -32 32`, away?.[0] ?? "#111111", 11),
        )
        .join(""),
      men
        .map(([x, y]) =>
          circle(
            x,
            y,
            25,
            home?.[0] ?? "#E23D28",
            `stroke="${home?.[1] ?? "#FFFFFF"}" stroke-width="6"`,
          ),
        )
        .join(""),
      ball((men.at(-1)?.[0] ?? 800) + 38, (men.at(-1)?.[1] ?? 300) + 10, 15),
    ),
    alt: "Prancheta de futebol: campo visto de cima, com a sequência de passes de um time até a área.",
  };
}

function bola(random: Random) {
  const ground = random.pick(earths);
  const [kit] = random.shuffled(kits);
  const x = random.between(340, 620);
  return {
    svg: sheet(
      ground,
      times(9, (index) =>
        polygon(
          [
            [-40 + index * 120, 0],
            [20 + index * 120, 0],
            [20 + index * 120 - 260, 640],
            [-40 + index * 120 - 260, 640],
          ],
          "#00000012",
        ),
      ),
      rect(0, 470, 960, 170, "#00000020"),
      line(`M 0 470 H 960`, lime, 10),
      times(5, (index) =>
        line(
          `M ${x - 420 + index * 20} ${230 + index * 46} h ${random.between(110, 190)}`,
          kit?.[0] ?? "#E23D28",
          12,
        ),
      ),
      ball(x, 330, random.between(168, 205)),
      times(24, () =>
        circle(
          x + random.between(-240, 240),
          random.between(500, 560),
          random.between(4, 12),
          "#E7B58A",
        ),
      ),
    ),
    alt: "Bola de capotão grande quicando na linha de cal do campo de terra, com poeira.",
  };
}

function camisas(random: Random) {
  const order = random.shuffled(kits);
  const count = 5;
  const shirt = (a: string, b: string, style: number): string =>
    `${path("M -70 -80 L -30 -96 C -16 -78 16 -78 30 -96 L 70 -80 L 108 -30 L 78 -8 L 62 -28 V 120 H -62 V -28 L -78 -8 L -108 -30 Z", a)}${style === 0 ? times(3, (index) => rect(-44 + index * 36, -76, 16, 196, b)) : ""}${style === 1 ? rect(-62, 6, 124, 34, b) : ""}${
      style === 2
        ? polygon(
            [
              [-62, -60],
              [-30, -88],
              [62, 70],
              [62, 120],
              [40, 120],
            ],
            b,
          )
        : ""
    }${style === 3 ? star(0, 10, 34, b) : ""}`;
  return {
    svg: sheet(
      random.pick(["#E8DFCB", "#9DB8C6", "#D8C39A"]),
      line("M -20 150 Q 480 230 980 140", "#3B3A36", 5),
      times(count, (index) => {
        const [a, b] = order[index] ?? ["#E23D28", "#FFFFFF"];
        const x = 116 + index * 182;
        const y = 300 + Math.sin((index / 4) * Math.PI) * 40;
        return (
          rect(x - 44, y - 128, 10, 34, "#8A5A28") +
          rect(x + 34, y - 128, 10, 34, "#8A5A28") +
          group(at(x, y, 0.86, random.between(-5, 5)), shirt(a, b, random.int(0, 3)))
        );
      }),
      rect(0, 560, 960, 80, random.pick(earths)),
      worn(random, "#00000010"),
    ),
    alt: "Varal com cinco camisas de times de várzea, cada uma de uma cor, sobre o campo de terra.",
  };
}

function torcida(random: Random) {
  const [kit] = random.shuffled(kits);
  const [a, b] = kit ?? ["#E23D28", "#FFFFFF"];
  const skins = ["#8A4B2A", "#E3B08C", "#5F3420", "#C98B63", "#F0CBA8"];
  return {
    svg: sheet(
      random.pick(["#BFD7E3", "#F2D9A8", "#E8E0CE"]),
      times(5, (row) =>
        times(14, (column) => {
          const x = 10 + column * 72 + (row % 2) * 36;
          const y = 150 + row * 104;
          return (
            path(
              `M ${x - 36} ${y + 96} C ${x - 36} ${y + 34} ${x + 36} ${y + 34} ${x + 36} ${y + 96} Z`,
              random.chance(0.72) ? a : b === "#FFFFFF" ? lime : b,
            ) +
            circle(x, y + 18, 25, random.pick(skins)) +
            (random.chance(0.3)
              ? path(
                  `M ${x - 26} ${y + 14} a 26 26 0 0 1 52 0 l 12 4 h -64 Z`,
                  a === "#111111" ? b : "#15170F",
                )
              : path(`M ${x - 25} ${y + 14} a 25 25 0 0 1 50 0 q -25 -12 -50 0`, "#1F1712")) +
            (random.chance(0.28)
              ? line(`M ${x + 24} ${y + 70} L ${x + 34} ${y - 4}`, random.pick(skins), 11)
              : "")
          );
        }),
      ),
      line("M 720 130 L 760 20", "#6B4A2C", 8),
      polygon(
        [
          [760, 10],
          [930, 40],
          [900, 84],
          [744, 66],
        ],
        a,
      ),
      star(836, 50, 20, b),
    ),
    alt: "Arquibancada cheia na beira do campo: a torcida com a camisa do time, braços levantados e bandeira.",
  };
}

function trave(random: Random) {
  const ground = random.pick(earths);
  const [kit] = random.shuffled(kits);
  const bx = random.between(280, 680);
  const by = random.between(180, 330);
  return {
    svg: sheet(
      random.pick(["#8FB8CF", "#F2C98A", "#C9D8C0"]),
      times(9, (index) =>
        rect(
          index * 112 - 20,
          250 - random.between(20, 120),
          104,
          300,
          random.pick(["#D89B6A", "#C77B5A", "#E2B88A", "#B86B4B"]),
        ),
      ),
      rect(0, 440, 960, 200, ground),
      worn(random, "#00000018"),
      times(19, (index) =>
        line(`M ${180 + index * 33.3} 130 L ${190 + index * 32} 450`, "#FFFFFF99", 2),
      ),
      times(10, (index) => line(`M 180 ${140 + index * 33} H 780`, "#FFFFFF99", 2)),
      line("M 180 460 V 130 H 780 V 460", "#FFFFFF", 16),
      ring(bx, by, 56, "#FFFFFF", 4, 'stroke-dasharray="8 12"'),
      ball(bx, by, 36),
      line(
        `M 480 620 Q ${bx.toFixed(0)} 520 ${bx.toFixed(0)} ${(by + 44).toFixed(0)}`,
        kit?.[0] ?? "#E23D28",
        6,
        'stroke-dasharray="4 16"',
      ),
    ),
    alt: "A trave do campo de bairro com a bola estufando a rede e as casas da rua atrás.",
  };
}

/** Terrão: tactics boards and terraces of neighbourhood football. */
export const pitch = { jogada, bola, camisas, torcida, trave } satisfies Hand;
