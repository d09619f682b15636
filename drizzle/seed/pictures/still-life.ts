import {
  at,
  circle,
  ellipse,
  group,
  line,
  path,
  polygon,
  rect,
  sheet,
  star,
  times,
} from "./pen.ts";
import type { Hand } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

const walls = ["#F3D9B1", "#CFE0D2", "#F2B8A0", "#F6E7C1", "#B9D3DA"];
const cloths: [string, string][] = [
  ["#C8412E", "#F8EFE0"],
  ["#2C5A8C", "#F4F0E6"],
  ["#2F6B48", "#F5EBD2"],
  ["#D98E2B", "#FBF3DF"],
];
const ink = "#2A211B";

/** A table with its checkered cloth; things stand on y = 470. */
function table(random: Random, ...things: string[]): string {
  const [dark, light] = random.pick(cloths);
  const size = 48;
  const checks = times(Math.ceil(960 / size) * 4, (index) => {
    const column = index % 20;
    const row = Math.floor(index / 20);
    return (column + row) % 2 === 0 ? rect(column * size, 456 + row * size, size, size, dark) : "";
  });
  const wall = random.pick(walls);
  const rail = times(12, (index) => line(`M ${40 + index * 80} 0 V 456`, "#00000010", 3));
  return sheet(
    wall,
    rail,
    rect(0, 456, 960, 184, light),
    checks,
    rect(0, 450, 960, 8, "#00000022"),
    ...things,
  );
}

const shadow = (x: number, y: number, width: number): string =>
  ellipse(x, y, width, 16, "#00000026");

function pot(x: number, y: number, size: number, colour: string): string {
  return (
    shadow(x, y, size * 0.66) +
    path(
      `M ${x - size * 0.6} ${y - size * 0.7} H ${x + size * 0.6} L ${x + size * 0.52} ${y - 8} Q ${x + size * 0.5} ${y} ${x + size * 0.42} ${y} H ${x - size * 0.42} Q ${x - size * 0.5} ${y} ${x - size * 0.52} ${y - 8} Z`,
      colour,
    ) +
    rect(x - size * 0.66, y - size * 0.78, size * 1.32, size * 0.11, colour, 'rx="9"') +
    rect(x - size * 0.84, y - size * 0.6, size * 0.26, size * 0.09, ink, 'rx="8"') +
    rect(x + size * 0.58, y - size * 0.6, size * 0.26, size * 0.09, ink, 'rx="8"')
  );
}

const steam = (x: number, y: number): string =>
  times(3, (index) =>
    line(`M ${x - 44 + index * 44} ${y} q 22 -26 0 -52 q -22 -26 0 -52`, "#FFFFFFB0", 10),
  );

function orange(x: number, y: number, radius: number, colour: string): string {
  return (
    shadow(x, y, radius * 0.8) +
    circle(x, y - radius, radius, colour) +
    circle(x - radius * 0.36, y - radius * 1.36, radius * 0.16, "#FFFFFF66") +
    path(`M ${x} ${y - radius * 1.96} q 26 -26 52 -8 q -22 24 -52 8`, "#2F6B48")
  );
}

function panela(random: Random) {
  const colour = random.pick(["#8E2F22", "#24466B", "#3B3A36", "#2F6B48"]);
  const x = random.between(400, 560);
  const side = x > 480 ? 190 : 770;
  return {
    svg: table(
      random,
      steam(x, 150),
      pot(x, 520, 230, colour),
      times(7, (index) =>
        circle(
          x - 110 + index * 36,
          338 - Math.abs(index - 3) * -5,
          26,
          random.pick(["#D9A441", "#C4622D", "#6E8B3D"]),
        ),
      ),
      rect(x - 152, 340, 304, 26, colour, 'rx="9"'),
      group(at(x + 120, 330, 1, 32), rect(-8, -190, 16, 240, "#B98252", 'rx="8"')),
      times(3, (index) => orange(side - 70 + index * 66, 540 + (index % 2) * 22, 44, "#D24B32")),
    ),
    alt: "Natureza-morta chapada: panela de ferro fumegando na mesa de toalha xadrez, com tomates ao lado.",
  };
}

function bolo(random: Random) {
  const crumb = random.pick(["#E7B64C", "#B9713A", "#F0D9A0", "#8A4B2C"]);
  const top = random.pick(["#FFF6E3", "#5E2D1B", "#F3D27A"]);
  const x = random.between(420, 540);
  return {
    svg: table(
      random,
      shadow(x, 548, 250),
      ellipse(x, 536, 262, 34, "#FFFFFF"),
      rect(x - 26, 540, 52, 40, "#FFFFFF"),
      ellipse(x, 590, 90, 14, "#E9E2D2"),
      path(`M ${x - 190} 390 V 500 A 190 34 0 0 0 ${x + 190} 500 V 390 Z`, crumb),
      times(16, () =>
        circle(
          x + random.between(-170, 170),
          random.between(430, 512),
          random.between(3, 6),
          "#00000018",
        ),
      ),
      ellipse(x, 390, 190, 40, top),
      path(
        `M ${x - 190} 390 ${times(9, (index) => `q 21 ${index % 2 === 0 ? 74 : 46} 42.2 0`)} Z`,
        top,
      ),
      ellipse(x, 390, 56, 13, crumb),
      random.chance(0.5)
        ? times(5, (index) => circle(x - 120 + index * 60, 374 + (index % 2) * 16, 13, "#C8412E"))
        : times(20, () =>
            rect(
              x + random.between(-150, 150),
              random.between(368, 410),
              16,
              5,
              "#FFFFFF",
              'rx="2"',
            ),
          ),
    ),
    alt: "Natureza-morta chapada: bolo redondo de furo no meio, com calda escorrendo, sobre um prato de pé.",
  };
}

function bule(random: Random) {
  const enamel = random.pick(["#2C5A8C", "#C8412E", "#F3EBDA", "#2F6B48"]);
  const x = random.between(330, 430);
  const cups = random.int(2, 3);
  const speck = enamel === "#F3EBDA" ? "#2C5A8C" : "#FFFFFF";
  return {
    svg: table(
      random,
      shadow(x, 550, 150),
      path(
        `M ${x - 90} 270 H ${x + 90} L ${x + 130} 530 Q ${x + 130} 548 ${x + 112} 548 H ${x - 112} Q ${x - 130} 548 ${x - 130} 530 Z`,
        enamel,
      ),
      times(36, () =>
        circle(x + random.between(-96, 96), random.between(290, 530), random.between(2, 5), speck),
      ),
      path(
        `M ${x + 100} 340 C ${x + 190} 350 ${x + 176} 260 ${x + 232} 246 L ${x + 240} 272 C ${x + 200} 300 ${x + 220} 420 ${x + 116} 440 Z`,
        enamel,
      ),
      line(`M ${x - 92} 310 C ${x - 220} 300 ${x - 220} 470 ${x - 118} 470`, ink, 20),
      path(`M ${x - 96} 270 A 96 60 0 0 1 ${x + 96} 270 Z`, enamel),
      circle(x, 204, 18, ink),
      rect(x - 104, 262, 208, 14, ink, 'rx="7"'),
      times(cups, (index) => {
        const cx = 620 + index * 130;
        return (
          shadow(cx, 556, 62) +
          path(
            `M ${cx - 54} 470 H ${cx + 54} L ${cx + 44} 540 Q ${cx + 42} 556 ${cx + 26} 556 H ${cx - 26} Q ${cx - 42} 556 ${cx - 44} 540 Z`,
            "#F8F2E4",
          ) +
          ellipse(cx, 470, 54, 12, "#4A2A18") +
          line(`M ${cx + 52} 484 q 34 4 26 30 q -6 20 -32 20`, "#F8F2E4", 10) +
          steam(cx, 430)
        );
      }),
    ),
    alt: `Natureza-morta chapada: bule esmaltado e ${cups === 2 ? "duas" : "três"} xícaras de café na toalha xadrez.`,
  };
}

function frutas(random: Random) {
  const colours = random.shuffled(["#E4572E", "#F2B632", "#C8412E", "#E79A3C", "#7A8F3A"]);
  const count = random.int(5, 7);
  return {
    svg: table(
      random,
      times(count, (index) =>
        circle(
          320 + index * (340 / count) + random.between(-8, 8),
          400 - Math.sin(((index + 0.5) / count) * Math.PI) * 92,
          62,
          colours[index % colours.length] ?? "#E4572E",
        ),
      ),
      times(4, (index) =>
        circle(380 + index * 70, 392, 60, colours[(index + 2) % colours.length] ?? "#F2B632"),
      ),
      times(count, (index) =>
        circle(
          300 + index * (340 / count) + 8,
          376 - Math.sin(((index + 0.5) / count) * Math.PI) * 92,
          9,
          "#FFFFFF66",
        ),
      ),
      group(
        at(610, 300, 1, random.between(-20, 10)),
        path("M 0 0 C 60 -120 150 -110 190 -70 C 130 -80 70 -40 40 40 Z", "#F2C738"),
        path("M 186 -74 l 18 -8 l 4 16 l -14 6 Z", ink),
      ),
      shadow(480, 560, 220),
      path(
        "M 240 400 H 720 Q 700 556 560 556 H 400 Q 260 556 240 400 Z",
        random.pick(["#B5652F", "#2C5A8C", "#7C4526"]),
      ),
      line("M 260 440 H 700", "#FFFFFF55", 6),
      line(
        "M 276 470 q 17 -18 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0 t 34 0",
        "#FFFFFF88",
        5,
      ),
    ),
    alt: "Natureza-morta chapada: fruteira de barro cheia, com laranjas, mangas e uma banana.",
  };
}

function fogao(random: Random) {
  const fire = random.pick(["#E4572E", "#D9532C"]);
  const pots = [
    random.pick(["#3B3A36", "#8E2F22"]),
    random.pick(["#24466B", "#2F6B48", "#3B3A36"]),
  ];
  const wall = random.pick(walls);
  return {
    svg: sheet(
      wall,
      times(30, (index) =>
        rect(
          (index % 6) * 164 - (Math.floor(index / 6) % 2) * 80,
          Math.floor(index / 6) * 60,
          158,
          54,
          "#FFFFFF2E",
        ),
      ),
      rect(700, 0, 130, 330, "#9C4A33"),
      times(6, (index) => line(`M 700 ${30 + index * 56} H 830`, "#7B3724", 4)),
      rect(80, 330, 800, 40, "#5A514A"),
      rect(100, 370, 760, 270, "#B4573C"),
      times(35, (index) =>
        rect(
          104 + (index % 7) * 108 - (Math.floor(index / 7) % 2) * 40 + 20,
          378 + Math.floor(index / 7) * 54,
          100,
          46,
          index % 4 === 0 ? "#A44B32" : "#C0644A",
        ),
      ),
      path("M 330 640 V 500 A 110 100 0 0 1 550 500 V 640 Z", ink),
      times(3, (index) =>
        path(
          `M ${376 + index * 44} 600 c -34 -50 10 -70 ${4 + index * 3} -${100 + random.int(0, 30)} c 40 40 50 70 26 ${100} Z`,
          index === 1 ? "#F2B632" : fire,
        ),
      ),
      rect(350, 600, 180, 18, "#7C4526", 'rx="8"'),
      rect(362, 616, 170, 18, "#5E321A", 'rx="8"'),
      pot(270, 332, 150, pots[0] ?? ink),
      pot(520, 332, 176, pots[1] ?? ink),
      steam(270, 190),
      steam(520, 170),
    ),
    alt: "Fogão a lenha de tijolo com o fogo aceso e duas panelas fumegando em cima.",
  };
}

function milho(random: Random) {
  const ears = random.int(3, 4);
  const step = 560 / ears;
  return {
    svg: table(
      random,
      times(ears, (index) => {
        const x = 230 + index * step;
        return group(
          at(x, 400, 1, random.between(-16, 16)),
          path("M -70 150 C -130 20 -60 -60 -40 -150 C -10 -40 -20 60 0 150 Z", "#4F7F3A"),
          path("M 0 -200 C 56 -190 60 60 34 150 H -34 C -60 60 -56 -190 0 -200 Z", "#F2B632"),
          times(39, (kernel) =>
            ellipse(
              -26 + (kernel % 3) * 26,
              -150 + Math.floor(kernel / 3) * 22,
              10,
              9,
              kernel % 5 === 0 ? "#E39A22" : "#F8CF5C",
            ),
          ),
          path("M 70 150 C 130 20 80 -40 60 -110 C 20 -20 20 60 0 150 Z", "#6A9A48"),
          path("M -76 140 C -30 100 30 100 76 140 L 30 190 H -30 Z", "#3C6B2F"),
        );
      }),
      polygon(
        [
          [700, 590],
          [900, 590],
          [880, 540],
          [720, 540],
        ],
        "#B98252",
      ),
      star(800, 556, 18, "#F2B632", 6),
    ),
    alt: `Natureza-morta chapada: ${ears === 3 ? "três" : "quatro"} espigas de milho com palha sobre a toalha.`,
  };
}

/** Dona Cida: recipe cards, a table and what stands on it. */
export const stillLife = { panela, bolo, bule, frutas, fogao, milho } satisfies Hand;
