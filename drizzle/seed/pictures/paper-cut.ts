import {
  at,
  circle,
  ellipse,
  group,
  hills,
  line,
  paper,
  path,
  polygon,
  rect,
  sheet,
  star,
  sun,
  times,
} from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const { blue, brick, mustard, forest, pink, cream, ink } = paper;

/** A rabeca lying at the origin, neck up, about 420 high. */
function rabeca(body: string, trim: string): string {
  const outline =
    "M 0 -70 C 62 -70 84 -20 58 14 C 44 32 44 48 62 70 C 98 116 66 190 0 190 C -66 190 -98 116 -62 70 C -44 48 -44 32 -58 14 C -84 -20 -62 -70 0 -70 Z";
  return (
    path(outline, body) +
    rect(-13, -236, 26, 270, trim, 'rx="6"') +
    path("M -24 -282 C -4 -300 26 -290 24 -262 L 16 -226 L -16 -226 Z", trim) +
    times(4, (index) => circle(index % 2 === 0 ? -30 : 30, -272 + index * 13, 9, mustard)) +
    rect(-30, 84, 60, 14, trim, 'rx="4"') +
    path("M -16 120 L 16 120 L 9 184 L -9 184 Z", trim) +
    line("M -38 44 C -30 60 -46 84 -36 104", trim, 6) +
    line("M 38 44 C 30 60 46 84 36 104", trim, 6) +
    times(4, (index) => line(`M ${-8 + index * 5.3} -240 L ${-11 + index * 7.3} 122`, cream, 1.6))
  );
}

const grounds: [string, string, string, string, string][] = [
  [pink, mustard, brick, forest, blue],
  [mustard, brick, cream, blue, forest],
  [cream, brick, mustard, forest, blue],
  [blue, mustard, pink, forest, brick],
  [forest, pink, mustard, blue, brick],
];

function soleMorros(random: Random) {
  const [ground, disc, ray, near, far] = random.pick(grounds);
  const x = random.between(260, 720);
  return {
    svg: sheet(
      ground,
      sun(
        x,
        random.between(215, 260),
        random.between(96, 130),
        random.pick([18, 22, 26]),
        disc,
        ray,
      ),
      hills(random, 400, 46, 1.6, near),
      hills(random, 468, 40, 2.1, far),
      hills(random, 552, 38, 1.8, disc === brick ? pink : brick),
    ),
    alt: "Papel recortado: um sol redondo com raios grossos nasce atrás de três morros coloridos.",
  };
}

function rabecaEArco(random: Random) {
  const [ground, disc, , near] = random.pick(grounds.filter(([colour]) => colour !== brick));
  const tilt = random.between(18, 52) * random.pick([1, -1]);
  const x = random.between(420, 540);
  return {
    svg: sheet(
      ground,
      circle(x, 320, random.between(226, 262), disc),
      hills(random, 570, 26, 2.4, near),
      group(at(x, 350, 1.12, tilt), rabeca(disc === brick ? cream : brick, ink)),
      group(
        at(x + 40, 330, 1, tilt + 64),
        rect(-300, -5, 600, 9, ink, 'rx="4"'),
        line("M -292 8 L 288 16", cream, 4),
        rect(262, -8, 38, 26, ink, 'rx="6"'),
      ),
    ),
    alt: "Papel recortado: uma rabeca inclinada com o arco cruzado por cima, diante de um círculo de cor.",
  };
}

function noite(random: Random) {
  const moonX = random.between(180, 780);
  const windows = [120, 330, 560, 770].map((x) => x + random.between(-30, 30));
  return {
    svg: sheet(
      blue,
      times(34, () =>
        star(
          random.between(20, 940),
          random.between(20, 330),
          random.between(4, 11),
          random.pick([cream, mustard, pink]),
          4,
          0.35,
        ),
      ),
      circle(moonX, 160, 88, cream),
      circle(moonX + random.pick([-34, 34]), 144, 78, blue),
      hills(random, 420, 50, 1.7, forest),
      windows
        .map((x, index) => {
          const colour = [pink, mustard, brick, cream][index % 4] ?? pink;
          return (
            polygon(
              [
                [x - 56, 470],
                [x, 416],
                [x + 56, 470],
              ],
              ink,
            ) +
            rect(x - 48, 470, 96, 90, colour) +
            rect(x - 14, 500, 28, 60, ink) +
            rect(x + 22, 492, 16, 20, mustard === colour ? brick : mustard)
          );
        })
        .join(""),
      hills(random, 556, 24, 2.2, brick),
    ),
    alt: "Papel recortado: casinhas coloridas numa noite azul, com lua minguante e estrelas.",
  };
}

function ondas(random: Random) {
  const [ground, disc, ray] = random.pick(grounds);
  const inks = random.shuffled([blue, forest, brick, cream].filter((colour) => colour !== ground));
  return {
    svg: sheet(
      ground,
      sun(random.between(300, 660), 210, 104, 20, disc, ray),
      times(6, (row) => {
        const y = 330 + row * 56;
        const shift = row % 2 === 0 ? 0 : 80;
        const crests = times(8, (index) => `q 80 -64 160 0`.repeat(index >= 0 ? 1 : 0));
        return path(`M ${-240 + shift} ${y} ${crests} V 720 H -240 Z`, inks[row % 3] ?? blue);
      }),
      path("M 380 420 L 580 420 L 544 462 L 416 462 Z", ink) +
        path("M 476 410 L 476 270 L 572 400 Z", ground === pink ? cream : pink) +
        rect(470, 262, 6, 160, ink),
    ),
    alt: "Papel recortado: um barquinho de vela sobre ondas em camadas, com o sol atrás.",
  };
}

function sanfona(random: Random) {
  const [ground, disc, , near] = random.pick(grounds);
  const spread = random.between(250, 330);
  const folds = 11;
  const left = 480 - spread / 2;
  const bellows = times(folds, (index) => {
    const w = spread / folds;
    const x = left + index * w;
    const lift = Math.sin((index / (folds - 1)) * Math.PI) * 36;
    return polygon(
      [
        [x, 170 - lift],
        [x + w / 2, 186 - lift],
        [x + w, 170 - lift],
        [x + w, 470 - lift * 0.4],
        [x + w / 2, 454 - lift * 0.4],
        [x, 470 - lift * 0.4],
      ],
      index % 2 === 0 ? ink : disc === ink ? cream : disc,
    );
  });
  return {
    svg: sheet(
      ground,
      hills(random, 520, 34, 1.8, near),
      bellows,
      rect(left - 150, 160, 150, 320, ground === brick ? blue : brick, 'rx="22"'),
      rect(left + spread, 160, 150, 320, ground === brick ? blue : brick, 'rx="22"'),
      times(14, (index) =>
        rect(
          left - 132,
          184 + index * 20,
          index % 3 === 1 ? 44 : 62,
          15,
          index % 3 === 1 ? ink : cream,
          'rx="3"',
        ),
      ),
      times(24, (index) =>
        circle(left + spread + 42 + (index % 4) * 26, 196 + Math.floor(index / 4) * 48, 8, cream),
      ),
    ),
    alt: "Papel recortado: uma sanfona aberta, com o fole em pregas pretas e coloridas.",
  };
}

function roda(random: Random) {
  const [ground, disc] = random.pick(grounds);
  const count = random.int(8, 11);
  const shirts = random.shuffled(
    [blue, brick, mustard, forest, pink, cream].filter((colour) => colour !== disc),
  );
  const people = times(count, (index) => {
    const angle = (index / count) * 360;
    return group(
      `translate(480 320) rotate(${angle}) translate(0 -232)`,
      ellipse(0, 0, 66, 36, shirts[index % shirts.length] ?? blue),
      circle(0, 6, 25, random.pick(["#8A4B2A", "#E3B08C", "#5F3420", "#C98B63"])),
      path("M -25 4 a 25 25 0 0 1 50 0 q -25 -16 -50 0", ink),
    );
  });
  return {
    svg: sheet(
      ground,
      circle(480, 320, 292, disc),
      circle(480, 320, 160, ground),
      people,
      group(
        at(480, 330, 0.5, random.between(-40, 40)),
        rabeca(ground === brick ? mustard : brick, ink),
      ),
    ),
    alt: "Papel recortado: gente sentada em roda vista de cima, com uma rabeca no meio.",
  };
}

/** Ana Lira: cut paper in the five house colours. */
export const paperCut = {
  sol: soleMorros,
  rabeca: rabecaEArco,
  noite,
  ondas,
  sanfona,
  roda,
} satisfies Hand;
