import { around, at, circle, group, line, path, polygon, rect, ring, sheet, times } from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const sets: string[][] = [
  ["#F4EDE1", "#E4572E", "#17BEBB", "#FFC914", "#2E282A"],
  ["#14213D", "#FCA311", "#E5E5E5", "#C1495A", "#3E7C78"],
  ["#F7F3E9", "#345995", "#EAC435", "#E40066", "#03CEA4"],
  ["#2D3142", "#EF8354", "#BFC0C0", "#F4D35E", "#4F9D89"],
];
const tone = (set: readonly string[], index: number): string =>
  set[index % set.length] ?? "#2E282A";

function truchet(random: Random) {
  const set = random.pick(sets);
  const size = random.pick([80, 120, 160]);
  const columns = 960 / size;
  const rows = Math.ceil(640 / size);
  const half = size / 2;
  return {
    svg: sheet(
      tone(set, 0),
      times(columns * rows, (index) => {
        const x = (index % columns) * size;
        const y = Math.floor(index / columns) * size;
        const a = tone(set, 1 + ((index * 7) % 3));
        return group(
          `translate(${x + half} ${y + half}) rotate(${random.int(0, 3) * 90})`,
          line(
            `M 0 ${-half} A ${half} ${half} 0 0 1 ${-half} 0`,
            a,
            size * 0.2,
            'style="stroke-linecap:butt"',
          ),
          line(
            `M 0 ${half} A ${half} ${half} 0 0 1 ${half} 0`,
            a,
            size * 0.2,
            'style="stroke-linecap:butt"',
          ),
        );
      }),
    ),
    alt: "Ladrilhos de Truchet: arcos sorteados em cada quadrado que se emendam em curvas longas.",
  };
}

function rosacea(random: Random) {
  const set = random.pick(sets);
  const count = random.pick([6, 8, 10, 12]);
  const rings = 4;
  return {
    svg: sheet(
      tone(set, 0),
      times(rings, (level) =>
        times(count, (index) =>
          group(
            `translate(480 320) rotate(${(index / count) * 360 + level * (180 / count)})`,
            path(
              `M 0 0 Q ${70 - level * 12} ${-(150 - level * 26)} 0 ${-(300 - level * 62)} Q ${-(70 - level * 12)} ${-(150 - level * 26)} 0 0 Z`,
              tone(set, 1 + (level % 4)),
              `stroke="${tone(set, 0)}" stroke-width="4"`,
            ),
          ),
        ),
      ),
      circle(480, 320, 26, tone(set, 0)),
      circle(480, 320, 12, tone(set, 1)),
      times(count, (index) => {
        const [x, y] = around(480, 320, 300, count)[index] ?? [480, 320];
        return circle(x, y, 7, tone(set, 3));
      }),
    ),
    alt: `Rosácea de compasso com simetria de ordem ${count}, em quatro camadas de pétalas.`,
  };
}

function sierpinski(random: Random) {
  const set = random.pick(sets);
  const depth = random.int(4, 5);
  const draw = (x: number, y: number, side: number, level: number): string => {
    const high = (side * Math.sqrt(3)) / 2;
    if (level === 0)
      return polygon(
        [
          [x, y],
          [x + side, y],
          [x + side / 2, y - high],
        ],
        tone(set, 1 + (Math.floor(x / 70) % 3)),
      );
    return (
      draw(x, y, side / 2, level - 1) +
      draw(x + side / 2, y, side / 2, level - 1) +
      draw(x + side / 4, y - high / 2, side / 2, level - 1)
    );
  };
  return {
    svg: sheet(tone(set, 0), draw(160, 595, 640, depth)),
    alt: `Triângulo de Sierpiński desenhado até o ${depth}º passo, em três cores.`,
  };
}

function fibonacci(random: Random) {
  const set = random.pick(sets);
  const flip = random.pick([1, -1]);
  let [x, y, w, h] = [75, 70, 809, 500];
  let out = "";
  for (let step = 0; step < 8; step += 1) {
    const side = Math.min(w, h);
    const turn = step % 4;
    const sx = turn === 2 ? x + w - side : x;
    const sy = turn === 3 ? y + h - side : y;
    const corners = [
      [sx + side, sy + side, 180],
      [sx, sy + side, 270],
      [sx, sy, 0],
      [sx + side, sy, 90],
    ] as const;
    const [cx, cy, angle] = corners[turn] ?? [0, 0, 0];
    out += rect(
      sx,
      sy,
      side,
      side,
      tone(set, 1 + (step % 4)),
      `stroke="${tone(set, 0)}" stroke-width="5"`,
    );
    out += group(
      `translate(${cx} ${cy}) rotate(${angle})`,
      line(`M ${side} 0 A ${side} ${side} 0 0 1 0 ${side}`, tone(set, 0), 9),
    );
    if (turn === 0) {
      x += side;
      w -= side;
    }
    if (turn === 1) {
      y += side;
      h -= side;
    }
    if (turn === 2) w -= side;
    if (turn === 3) h -= side;
  }
  return {
    svg: sheet(
      tone(set, 0),
      flip === 1 ? out : `<g transform="translate(960 0) scale(-1 1)">${out}</g>`,
    ),
    alt: "Quadrados de Fibonacci em cores chapadas com a espiral passando de um para o outro.",
  };
}

function primos(random: Random) {
  const set = random.pick(sets);
  const columns = random.int(20, 26);
  const pitch = 880 / columns;
  const rows = Math.floor(560 / pitch);
  const prime = (value: number): boolean =>
    value > 1 &&
    Array.from({ length: Math.floor(Math.sqrt(value)) - 1 }, (_, index) => index + 2).every(
      (divisor) => value % divisor !== 0,
    );
  return {
    svg: sheet(
      tone(set, 0),
      times(columns * rows, (index) => {
        const value = index + 1;
        const x = 40 + (index % columns) * pitch + pitch / 2;
        const y = 46 + Math.floor(index / columns) * pitch + pitch / 2;
        return prime(value)
          ? circle(x, y, pitch * 0.42, tone(set, 1 + (value % 3)))
          : circle(x, y, pitch * 0.12, tone(set, 4));
      }),
    ),
    alt: `Crivo de Eratóstenes: os primos até ${columns * rows} são discos grandes, os outros são pontinhos, em ${columns} colunas.`,
  };
}

function estrelas(random: Random) {
  const set = random.pick(sets);
  const count = random.pick([11, 13, 17]);
  const skip = random.int(3, 5);
  const points = around(480, 320, 272, count);
  return {
    svg: sheet(
      tone(set, 0),
      ring(480, 320, 290, tone(set, 4), 4),
      times(3, (layer) =>
        line(
          `${points
            .map((_, index) => {
              const [x, y] = points[(index * (skip + layer - 1)) % count] ?? [480, 320];
              return `${index === 0 ? "M" : "L"} ${x.toFixed(1)} ${y.toFixed(1)}`;
            })
            .join(" ")} Z`,
          tone(set, 1 + layer),
          4,
        ),
      ),
      points
        .map(([x, y]) =>
          group(at(x, y), circle(0, 0, 12, tone(set, 3)), circle(0, 0, 5, tone(set, 0))),
        )
        .join(""),
    ),
    alt: `Estrelas de ${count} pontas riscadas sem tirar o lápis, três saltos diferentes no mesmo círculo.`,
  };
}

/** Dandara: compass, ruler and a rule. */
export const geometry = {
  truchet,
  rosacea,
  sierpinski,
  fibonacci,
  primos,
  estrelas,
} satisfies Hand;
