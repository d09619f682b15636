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
  times,
} from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

type Wood = { light: string; mid: string; dark: string; grain: string };
const woods: Wood[] = [
  { light: "#E9C48F", mid: "#CF9C5D", dark: "#A56F35", grain: "#8A5A28" },
  { light: "#C98A5A", mid: "#A9653A", dark: "#7C4526", grain: "#5E321A" },
  { light: "#F0DDB8", mid: "#DCBE8A", dark: "#B8935A", grain: "#96733F" },
];
const grounds = ["#2F4A45", "#D8D2C2", "#C65B3B", "#E7DFCB", "#34506B"];

/** Grain on the face of a board lying flat. */
const grainLines = (
  random: Random,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: string,
): string =>
  times(Math.floor(height / 17), (index) => {
    const top = y + 10 + index * 17;
    const from = x + random.between(6, width * 0.3);
    const to = x + width - random.between(6, width * 0.3);
    const sag = random.between(-5, 5);
    return line(`M ${from} ${top} Q ${(from + to) / 2} ${top + sag} ${to} ${top}`, colour, 2);
  });

function andorinha(random: Random) {
  const [first, second] = [random.pick(woods), random.pick(woods.slice(1))];
  const tails = random.int(3, 4);
  const pitch = 320 / tails;
  const shapes = times(tails, (index) => {
    const y = 160 + index * pitch;
    return polygon(
      [
        [440, y + pitch * 0.28],
        [560, y + pitch * 0.1],
        [560, y + pitch * 0.9],
        [440, y + pitch * 0.72],
      ],
      first.light,
      `stroke="${first.grain}" stroke-width="3"`,
    );
  });
  const gap = random.between(0, 90);
  return {
    svg: sheet(
      random.pick(grounds),
      rect(60, 188, 860, 320, "#00000022", 'rx="4"'),
      rect(560 + gap * 0, 160, 340, 320, second.mid) +
        grainLines(random, 570, 160, 320, 320, second.grain),
      rect(440, 160, 120, 320, second.dark),
      rect(60, 160, 380, 320, first.light) + grainLines(random, 60, 160, 370, 320, first.mid),
      shapes,
      line("M 440 160 L 440 480", first.grain, 3),
    ),
    alt: `Desenho técnico chapado: duas tábuas unidas por um encaixe rabo de andorinha de ${tails} caudas.`,
  };
}

function isoBox(x: number, y: number, a: number, b: number, c: number, wood: Wood): string {
  const [ux, uy] = [0.866, 0.5];
  const top: [number, number][] = [
    [x, y],
    [x + a * ux, y + a * uy],
    [x + a * ux - b * ux, y + a * uy + b * uy],
    [x - b * ux, y + b * uy],
  ];
  const left: [number, number][] = [
    [x - b * ux, y + b * uy],
    [x + a * ux - b * ux, y + a * uy + b * uy],
    [x + a * ux - b * ux, y + a * uy + b * uy + c],
    [x - b * ux, y + b * uy + c],
  ];
  const right: [number, number][] = [
    [x + a * ux, y + a * uy],
    [x + a * ux - b * ux, y + a * uy + b * uy],
    [x + a * ux - b * ux, y + a * uy + b * uy + c],
    [x + a * ux, y + a * uy + c],
  ];
  const grain = times(Math.max(1, Math.floor(b / 16)), (index) => {
    const t = (index + 0.6) * 16;
    return t < b - 4
      ? line(
          `M ${x - t * ux + 6} ${y + t * uy + 4} l ${(a - 20) * ux} ${(a - 20) * uy}`,
          wood.mid,
          2,
        )
      : "";
  });
  return polygon(top, wood.light) + grain + polygon(left, wood.mid) + polygon(right, wood.dark);
}

function banco(random: Random) {
  const wood = random.pick(woods);
  const long = random.between(300, 420);
  const deep = random.between(130, 170);
  const high = random.between(170, 220);
  const x = 400 + random.between(-20, 40);
  const y = 120;
  const [ux, uy] = [0.866, 0.5];
  const leg = (along: number, across: number): string =>
    isoBox(x + along * ux - across * ux, y + along * uy + across * uy + 20, 30, 30, high, wood);
  return {
    svg: sheet(
      random.pick(grounds),
      ellipse(x + 100, y + high + 190, 330, 70, "#00000022"),
      leg(20, 14),
      leg(long - 60, 14),
      leg(20, deep - 46),
      leg(long - 60, deep - 46),
      isoBox(x, y, long, deep, 30, wood),
    ),
    alt: "Perspectiva chapada de um banco de madeira de quatro pés, com os veios desenhados no tampo.",
  };
}

function ferramentas(random: Random) {
  const wood = random.pick(woods);
  const steel = "#C9CFCB";
  const ink = "#23261F";
  const chisel = group(
    "",
    rect(-16, -170, 32, 120, wood.mid, 'rx="12"'),
    rect(-18, -60, 36, 14, "#B98A2D"),
    path("M -13 -46 L 13 -46 L 13 110 L -13 130 Z", steel),
    line("M -13 96 L 13 76", ink, 2),
  );
  const mallet = group(
    "",
    rect(-14, -60, 28, 250, wood.light, 'rx="10"'),
    rect(-86, -150, 172, 100, wood.dark, 'rx="10"'),
    line("M -70 -128 L 70 -128 M -74 -100 L 66 -100 M -66 -74 L 72 -74", wood.grain, 3),
  );
  const square = group(
    "",
    rect(-20, -160, 40, 190, wood.dark, 'rx="4"'),
    rect(20, -160, 200, 26, steel),
    times(12, (index) => line(`M ${34 + index * 15} -160 v ${index % 2 === 0 ? 14 : 8}`, ink, 2)),
    times(3, (index) => circle(0, -130 + index * 64, 4, "#B98A2D")),
  );
  const saw = group(
    "",
    path(
      `M -150 -40 L 150 -70 L 150 20 ${times(20, (index) => `l -7.5 ${index % 2 === 0 ? 12 : -12} l -7.5 ${index % 2 === 0 ? -12 : 12}`)} Z`,
      steel,
    ),
    path("M 150 -80 C 230 -90 250 0 214 50 C 190 80 160 60 150 30 Z", wood.mid),
    ellipse(192, -10, 16, 34, "#00000055"),
  );
  const spots: [number, number][] = [
    [190, 300],
    [390, 330],
    [560, 350],
    [700, 440],
  ];
  const order = random.shuffled([
    chisel,
    mallet,
    square,
    group(
      "",
      times(3, (index) => group(at(-46 + index * 46, 0, 0.86 + index * 0.06), chisel)),
    ),
  ]);
  return {
    svg: sheet(
      random.pick(grounds),
      rect(0, 96, 960, 16, wood.dark) +
        times(15, (index) => circle(40 + index * 64, 104, 6, wood.grain)),
      order
        .map((tool, index) => {
          const [x, y] = spots[index] ?? [480, 320];
          return group(at(x, y, 1.02, random.between(-9, 9)), tool);
        })
        .join(""),
      random.chance(0.6)
        ? group(at(640, 545, 1, random.between(-4, 4)), saw)
        : rect(0, 560, 960, 80, wood.mid) + grainLines(random, 0, 560, 960, 80, wood.grain),
    ),
    alt: "Parede de oficina com ferramentas de marcenaria penduradas: formões, macete e esquadro.",
  };
}

function aneis(random: Random) {
  const wood = random.pick(woods);
  const cx = random.between(380, 580);
  const cy = random.between(290, 350);
  const count = random.int(11, 16);
  const wobble = Array.from({ length: 12 }, () => random.between(0.9, 1.1));
  const blob = (radius: number): string => {
    const points = wobble.map((factor, index) => {
      const angle = (index / wobble.length) * Math.PI * 2;
      return [
        cx + Math.cos(angle) * radius * factor,
        cy + Math.sin(angle) * radius * factor,
      ] as const;
    });
    const mid = (index: number) => {
      const [ax, ay] = points[index % points.length] ?? [0, 0];
      const [bx, by] = points[(index + 1) % points.length] ?? [0, 0];
      return `${((ax + bx) / 2).toFixed(1)} ${((ay + by) / 2).toFixed(1)}`;
    };
    return `M ${mid(0)} ${points
      .map((_, index) => {
        const [x, y] = points[(index + 1) % points.length] ?? [0, 0];
        return `Q ${x.toFixed(1)} ${y.toFixed(1)} ${mid(index + 1)}`;
      })
      .join(" ")} Z`;
  };
  return {
    svg: sheet(
      random.pick(grounds),
      path(blob(292), wood.grain),
      path(blob(268), wood.light),
      times(count, (index) =>
        path(
          blob(250 - (index * 244) / count),
          "none",
          `stroke="${index % 3 === 0 ? wood.dark : wood.mid}" stroke-width="${index % 3 === 0 ? 5 : 3}"`,
        ),
      ),
      polygon(
        [
          [cx, cy],
          [cx + 290, cy - random.between(20, 60)],
          [cx + 290, cy + random.between(-10, 8)],
        ],
        wood.grain,
      ),
    ),
    alt: "Corte de um tronco visto de frente, com os anéis de crescimento e uma rachadura de secagem.",
  };
}

function prateleira(random: Random) {
  const wood = random.pick(woods);
  const things = ["#F2B632", "#D9532C", "#0E6B46", "#EFA3B8", "#F6EBD3", "#1F3F8F"];
  const shelf = (y: number): string => {
    let x = 130 + random.between(0, 40);
    let out = "";
    while (x < 760) {
      const kind = random.int(0, 3);
      const colour = random.pick(things);
      const width = random.between(26, 90);
      const tall = random.between(60, 130);
      if (kind === 0) out += rect(x, y - tall, width * 0.5, tall, colour, 'rx="3"');
      if (kind === 1)
        out +=
          ellipse(x + width / 2, y - width * 0.4, width / 2, width * 0.4, colour) +
          rect(x + width * 0.32, y - width * 0.95, width * 0.36, width * 0.3, colour);
      if (kind === 2)
        out += polygon(
          [
            [x, y - tall * 0.5],
            [x + width, y - tall * 0.5],
            [x + width * 0.8, y],
            [x + width * 0.2, y],
          ],
          colour,
        );
      if (kind === 3) out += ring(x + width / 2, y - width / 2, width / 2 - 6, colour, 12);
      x += (kind === 0 ? width * 0.5 : width) + random.between(8, 30);
    }
    return out;
  };
  return {
    svg: sheet(
      random.pick(grounds),
      [220, 390, 560]
        .map(
          (y) =>
            shelf(y) +
            rect(80, y, 800, 24, wood.mid) +
            line(`M 96 ${y + 9} H 860 M 130 ${y + 16} H 800`, wood.dark, 2),
        )
        .join(""),
      rect(80, 60, 26, 560, wood.dark),
      rect(854, 60, 26, 560, wood.dark),
      rect(80, 60, 800, 22, wood.light),
    ),
    alt: "Estante de madeira com três prateleiras cheias de potes, livros e peças torneadas.",
  };
}

/** Tião: flat workshop drawings in three woods. */
export const joinery = { andorinha, banco, ferramentas, aneis, prateleira } satisfies Hand;
