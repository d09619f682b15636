import { at, circle, ellipse, group, line, path, rect, sheet, times } from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const grounds = ["#F5EFDC", "#EFE7CE", "#F7F1E6", "#E8EBDD", "#F3E6D6"];
const greens: [string, string][] = [
  ["#3F6B3A", "#29492A"],
  ["#5E7F3B", "#3D5624"],
  ["#2F6658", "#1D443A"],
  ["#7A8440", "#525A26"],
];
const petals = ["#C2417A", "#E0A12B", "#B5402F", "#7C4FA0", "#E7D9F0", "#F3C6CF"];
const sepia = "#6B5B43";

/** The plate: thin double rule, a scale bar. */
const plate = (random: Random, ...children: string[]): string =>
  sheet(
    random.pick(grounds),
    rect(34, 34, 892, 572, "none", `stroke="${sepia}" stroke-width="2"`),
    rect(42, 42, 876, 556, "none", `stroke="${sepia}" stroke-width="1"`),
    line("M 780 570 H 880 M 780 562 V 578 M 830 565 V 575 M 880 562 V 578", sepia, 2),
    ...children,
  );

function leaf(length: number, width: number, [fill, vein]: [string, string], half = true): string {
  const d = `M 0 0 C ${length * 0.2} ${-width} ${length * 0.7} ${-width * 0.9} ${length} 0 C ${length * 0.7} ${width * 0.9} ${length * 0.2} ${width} 0 0 Z`;
  const shade = half
    ? path(
        `M 0 0 C ${length * 0.2} ${width} ${length * 0.7} ${width * 0.9} ${length} 0 Z`,
        vein,
        'opacity="0.28"',
      )
    : "";
  return (
    path(d, fill) +
    shade +
    line(`M 0 0 L ${length * 0.95} 0`, vein, 2.4) +
    times(6, (index) => {
      const x = length * (0.14 + index * 0.125);
      const reach = width * 0.55 * Math.sin(((index + 1.4) / 8) * Math.PI);
      return line(
        `M ${x} 0 L ${x + length * 0.1} ${-reach} M ${x} 0 L ${x + length * 0.1} ${reach}`,
        vein,
        1.4,
      );
    })
  );
}

function flower(random: Random, radius: number, count: number, colour: string): string {
  return (
    times(count, (index) =>
      group(
        at(0, 0, 1, (index / count) * 360),
        path(
          `M 0 0 C ${radius * 0.5} ${-radius * 0.55} ${radius} ${-radius * 0.4} ${radius} 0 C ${radius} ${radius * 0.4} ${radius * 0.5} ${radius * 0.55} 0 0 Z`,
          colour,
        ),
        line(`M ${radius * 0.25} 0 H ${radius * 0.8}`, "#00000030", 2),
      ),
    ) +
    circle(0, 0, radius * 0.26, "#F2B632") +
    times(9, (index) =>
      circle(
        Math.cos(index * 0.7) * radius * 0.17,
        Math.sin(index * 0.7) * radius * 0.17,
        2.6,
        "#8A5A20",
      ),
    ) +
    (random.chance(0.5) ? "" : circle(0, 0, radius * 0.08, "#5E3A12"))
  );
}

function ramo(random: Random) {
  const green = random.pick(greens);
  const pairs = random.int(5, 7);
  const length = random.between(120, 165);
  const bend = random.between(-60, 60);
  return {
    svg: plate(
      random,
      line(`M ${480 - bend} 590 Q ${480 + bend} 330 ${480 + bend * 0.4} 70`, green[1], 8),
      times(pairs, (index) => {
        const t = (index + 0.7) / (pairs + 0.4);
        const y = 590 - t * 500;
        const x = 480 - bend + bend * 1.7 * t * (1.6 - 0.8 * t);
        const size = length * (1 - t * 0.45);
        return (
          group(at(x, y, 1, -28 - t * 22), leaf(size, size * 0.28, green)) +
          group(at(x, y + 12, 1, 208 + t * 22), leaf(size * 0.94, size * 0.28, green))
        );
      }),
      group(at(480 + bend * 0.4, 76, 1, -90), leaf(70, 18, green)),
    ),
    alt: `Prancha botânica: um ramo com ${pairs} pares de folhas opostas, nervuras desenhadas e barra de escala.`,
  };
}

function flor(random: Random) {
  const green = random.pick(greens);
  const colour = random.pick(petals);
  const count = random.pick([5, 6, 8]);
  const x = random.between(420, 520);
  return {
    svg: plate(
      random,
      line(`M ${x} 250 C ${x - 20} 380 ${x + 30} 480 ${x} 590`, green[1], 9),
      group(at(x, 440, 1, -24), leaf(230, 56, green)),
      group(at(x, 490, 1, 200), leaf(210, 52, green)),
      group(at(x, 230, 1, random.between(0, 40)), flower(random, 165, count, colour)),
      group(at(800, 190, 1, 20), flower(random, 62, count, colour)),
      group(
        at(150, 190, 1, -90),
        path("M 0 -16 C 40 -40 90 -24 104 0 C 90 24 40 40 0 16 Z", colour),
        leaf(46, 20, green),
      ),
    ),
    alt: `Prancha botânica: flor de ${count} pétalas de frente, com botão e flor menor ao lado, caule e duas folhas.`,
  };
}

function frutos(random: Random) {
  const green = random.pick(greens);
  const skin = random.pick(["#C98A2B", "#8E3B2E", "#5B2E4F", "#B8452F", "#6E7C2F"]);
  const flesh = random.pick(["#F5E2A8", "#F2C9A0", "#F7EFD8"]);
  return {
    svg: plate(
      random,
      line("M 120 130 C 260 90 420 150 520 240", "#6B4A2C", 12),
      [0, 1, 2]
        .map((index) =>
          group(
            at(220 + index * 110, 122 + index * 22, 1, 40 + index * 20 + random.between(-10, 10)),
            leaf(150, 38, green),
          ),
        )
        .join(""),
      [0, 1, 2]
        .map((index) => {
          const x = 330 + index * 86;
          const y = 250 + index * 46;
          return (
            line(`M ${x} ${y - 84} V ${y - 40}`, "#6B4A2C", 5) +
            circle(x, y, 54, skin) +
            times(9, () =>
              circle(x + random.between(-34, 34), y + random.between(-34, 34), 2.6, "#00000035"),
            )
          );
        })
        .join(""),
      circle(730, 400, 112, skin),
      circle(730, 400, 98, flesh),
      times(3, (index) =>
        group(
          at(730, 400, 1, index * 120 + random.between(0, 30)),
          ellipse(0, -42, 20, 34, "#4A2E1B"),
          ellipse(-6, -50, 5, 12, "#FFFFFF40"),
        ),
      ),
      circle(190, 460, 62, skin),
      circle(190, 460, 53, flesh),
      ellipse(190, 460, 18, 30, "#4A2E1B"),
    ),
    alt: "Prancha botânica: galho com três frutos pendentes e dois frutos cortados mostrando polpa e sementes.",
  };
}

function folhas(random: Random) {
  const rows = 3;
  const columns = random.int(4, 5);
  return {
    svg: plate(
      random,
      times(rows * columns, (index) => {
        const x = 120 + (index % columns) * (760 / columns) + random.between(0, 16);
        const y = 150 + Math.floor(index / columns) * 178;
        const green = random.pick(greens);
        return group(
          at(x, y + 40, 1, -random.between(24, 62)),
          line("M -26 0 H 0", green[1], 4),
          leaf(random.between(118, 150), random.between(24, 46), green),
        );
      }),
    ),
    alt: `Prancha botânica: ${rows * columns} folhas de formas diferentes em três fileiras, como num herbário.`,
  };
}

function cacho(random: Random) {
  const green = random.pick(greens);
  const colour = random.pick(petals);
  const count = random.int(15, 21);
  return {
    svg: plate(
      random,
      line("M 480 590 C 500 420 470 240 480 70", green[1], 7),
      times(count, (index) => {
        const t = index / count;
        const side = index % 2 === 0 ? 1 : -1;
        const x = 482 + side * (26 + t * 70);
        const y = 90 + t * 330;
        return (
          line(`M 481 ${y + 18} L ${x} ${y}`, green[1], 3) +
          group(at(x, y, 1, random.between(0, 60)), flower(random, 22 + t * 26, 5, colour))
        );
      }),
      group(at(480, 500, 1, -20), leaf(260, 46, green)),
      group(at(480, 540, 1, 196), leaf(270, 46, green)),
    ),
    alt: "Prancha botânica: inflorescência em cacho, com flores maiores na base e duas folhas compridas.",
  };
}

/** Lia: plates of a field notebook. */
export const botanical = { ramo, flor, frutos, folhas, cacho } satisfies Hand;
