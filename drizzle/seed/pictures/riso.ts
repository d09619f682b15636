import {
  at,
  circle,
  ellipse,
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

/** Two drums of the riso, printed one over the other, a little out of register. */
const drums: [string, string][] = [
  ["#FF48B0", "#0078BF"],
  ["#FF6C2F", "#3255A4"],
  ["#00A95C", "#765BA7"],
  ["#FFB511", "#3D5588"],
  ["#F15060", "#00838A"],
];
const stock = "#F5F1E6";
const over = 'style="mix-blend-mode:multiply"';

const printed = (...children: string[]): string =>
  sheet(stock, rect(28, 28, 904, 584, "#EDE7D8"), ...children);
const layer = (random: Random, ...children: string[]): string =>
  `<g ${over} transform="translate(${random.between(-4, 4).toFixed(1)} ${random.between(-4, 4).toFixed(1)})">${children.join("")}</g>`;
const skyStars = (random: Random, count: number, colour: string): string =>
  times(count, () =>
    random.chance(0.2)
      ? star(
          random.between(50, 910),
          random.between(50, 590),
          random.between(7, 13),
          colour,
          4,
          0.3,
        )
      : circle(random.between(50, 910), random.between(50, 590), random.between(1.5, 4), colour),
  );

function orbitas(random: Random) {
  const [hot, cool] = random.pick(drums);
  const x = random.between(340, 620);
  const count = random.int(5, 7);
  return {
    svg: printed(
      layer(
        random,
        circle(x, 320, 74, hot),
        times(24, (index) =>
          group(at(x, 320, 1, index * 15), rect(86, -3, index % 2 === 0 ? 34 : 18, 6, hot)),
        ),
      ),
      layer(
        random,
        times(count, (index) =>
          ring(x, 320, 130 + index * 52, cool, 3, index % 2 === 0 ? "" : 'stroke-dasharray="3 11"'),
        ),
        times(count, (index) => {
          const angle = random.between(0, 6.28);
          return circle(
            x + Math.cos(angle) * (130 + index * 52),
            320 + Math.sin(angle) * (130 + index * 52),
            random.between(12, 30),
            cool,
          );
        }),
      ),
      layer(
        random,
        times(count - 1, (index) => {
          const angle = random.between(0, 6.28);
          return circle(
            x + Math.cos(angle) * (130 + index * 52),
            320 + Math.sin(angle) * (130 + index * 52),
            random.between(6, 16),
            hot,
          );
        }),
      ),
    ),
    alt: `Riso em duas cores: o Sol no meio de ${count} órbitas com planetas de tamanhos diferentes.`,
  };
}

function fases(random: Random) {
  const [hot, cool] = random.pick(drums);
  const count = 7;
  return {
    svg: printed(
      layer(random, rect(28, 28, 904, 584, cool)),
      skyStars(random, 70, stock),
      times(count, (index) => {
        const x = 132 + index * 116;
        const y = 320 + Math.sin((index / (count - 1)) * Math.PI) * -random.between(96, 120) + 50;
        const shift = (index - 3) * 19;
        return (
          circle(x, y, 50, "#EDE7D8") +
          circle(x - 14, y + 10, 9, "#D8D0BC") +
          circle(x + 16, y - 14, 6, "#D8D0BC") +
          (index === 3
            ? ""
            : `<clipPath id="m${index}"><circle cx="${x}" cy="${y}" r="50.8"/></clipPath><g clip-path="url(#m${index})">${circle(x + (shift > 0 ? 110 - shift : -110 - shift), y, 78, "#26304A")}</g>`)
        );
      }),
      layer(
        random,
        path(
          "M 28 540 L 180 480 L 320 530 L 470 450 L 640 530 L 790 470 L 932 530 V 612 H 28 Z",
          hot,
        ),
      ),
    ),
    alt: "Riso em duas cores: as fases da Lua em arco sobre uma serra, com o céu estrelado.",
  };
}

function constelacao(random: Random) {
  const [hot, cool] = random.pick(drums);
  const count = random.int(6, 9);
  const points = Array.from(
    { length: count },
    (_, index) => [140 + (index * 680) / (count - 1), random.between(120, 520)] as const,
  );
  return {
    svg: printed(
      layer(random, circle(480, 320, 280, cool)),
      layer(
        random,
        times(8, (index) => ring(480, 320, 280 - index * 36, "#FFFFFF", 1.4, 'opacity="0.5"')),
        times(12, (index) =>
          group(at(480, 320, 1, index * 30), line("M 0 0 H 280", "#FFFFFF", 1, 'opacity="0.5"')),
        ),
      ),
      skyStars(random, 50, cool),
      line(
        points
          .map(([x, y], index) => `${index === 0 ? "M" : "L"} ${x.toFixed(0)} ${y.toFixed(0)}`)
          .join(" "),
        stock,
        5,
      ),
      line(
        points
          .map(([x, y], index) => `${index === 0 ? "M" : "L"} ${x.toFixed(0)} ${y.toFixed(0)}`)
          .join(" "),
        hot,
        2.6,
      ),
      points
        .map(([x, y]) => star(x, y, random.between(18, 34), hot, 8, 0.4) + circle(x, y, 4, stock))
        .join(""),
    ),
    alt: `Riso em duas cores: carta do céu com uma constelação de ${count} estrelas ligadas por uma linha.`,
  };
}

function saturno(random: Random) {
  const [hot, cool] = random.pick(drums);
  const tilt = random.between(-26, 26);
  const scale = random.between(0.85, 1.12);
  return {
    svg: printed(
      skyStars(random, 60, cool),
      layer(
        random,
        group(
          at(480, 320, scale, tilt),
          circle(0, 0, 180, hot),
          rect(-180, -60, 360, 26, "#FFFFFF55"),
          rect(-172, 20, 344, 40, "#FFFFFF33"),
        ),
      ),
      layer(
        random,
        group(
          at(480, 320, scale, tilt),
          path("M -340 0 A 340 86 0 0 0 340 0 A 340 60 0 0 1 -340 0", cool),
          path("M -270 0 A 270 56 0 0 0 270 0 A 270 36 0 0 1 -270 0", cool),
          path("M -340 0 A 340 86 0 0 1 -176 -74 L -178 -50 A 300 60 0 0 0 -310 0 Z", cool),
          path("M 340 0 A 340 86 0 0 0 176 -74 L 178 -50 A 300 60 0 0 1 310 0 Z", cool),
        ),
      ),
      layer(
        random,
        circle(random.between(90, 200), random.between(90, 160), 26, cool),
        circle(random.between(780, 860), random.between(480, 540), 18, hot),
      ),
    ),
    alt: "Riso em duas cores: Saturno inclinado, com os anéis cruzando na frente, e duas luas pequenas.",
  };
}

function luneta(random: Random) {
  const [hot, cool] = random.pick(drums);
  const tilt = -random.between(24, 44);
  const moonX = random.between(640, 800);
  return {
    svg: printed(
      layer(
        random,
        circle(moonX, 180, 112, hot),
        times(6, () =>
          circle(
            moonX + random.between(-66, 66),
            180 + random.between(-66, 66),
            random.between(6, 18),
            "#00000020",
          ),
        ),
      ),
      skyStars(random, 46, cool),
      layer(
        random,
        path("M 28 520 Q 250 470 480 520 T 932 510 V 612 H 28 Z", cool),
        group(
          at(330, 360, 1, tilt),
          rect(-150, -44, 250, 88, cool),
          rect(100, -32, 110, 64, cool),
          rect(210, -46, 26, 92, cool),
          rect(-190, -22, 40, 44, cool),
        ),
        line("M 320 380 L 220 560 M 330 380 L 340 570 M 340 380 L 450 556", cool, 12),
      ),
      layer(
        random,
        group(at(330, 360, 1, tilt), rect(-150, -44, 28, 88, hot), rect(70, -44, 30, 88, hot)),
        path(
          "M 150 600 C 150 500 120 480 130 440 C 150 400 200 410 206 446 C 210 480 190 490 200 600 Z",
          hot,
        ),
        circle(166, 404, 34, hot),
      ),
    ),
    alt: "Riso em duas cores: alguém olha a Lua por uma luneta de tripé no alto do morro.",
  };
}

function eclipse(random: Random) {
  const [hot, cool] = random.pick(drums);
  const shift = random.between(30, 120) * random.pick([1, -1]);
  return {
    svg: printed(
      layer(
        random,
        times(40, (index) => {
          const angle = (index / 40) * Math.PI * 2;
          const long = random.between(230, 300);
          return polygon(
            [
              [480 + Math.cos(angle - 0.03) * 196, 300 + Math.sin(angle - 0.03) * 196],
              [480 + Math.cos(angle) * long, 300 + Math.sin(angle) * long],
              [480 + Math.cos(angle + 0.03) * 196, 300 + Math.sin(angle + 0.03) * 196],
            ],
            hot,
          );
        }),
        circle(480, 300, 180, hot),
      ),
      layer(random, circle(480 + shift, 300 - shift * 0.2, 176, cool)),
      layer(
        random,
        rect(28, 552, 904, 60, cool),
        times(
          14,
          (index) =>
            ellipse(
              70 + index * 66 + random.between(-8, 8),
              552,
              18,
              random.between(22, 34),
              cool,
            ) + circle(70 + index * 66, 516, 13, cool),
        ),
      ),
    ),
    alt: "Riso em duas cores: eclipse parcial do Sol visto por uma fila de gente no horizonte.",
  };
}

/** Otávio: astronomy leaflets out of a two-drum riso. */
export const riso = { orbitas, fases, constelacao, saturno, luneta, eclipse } satisfies Hand;
