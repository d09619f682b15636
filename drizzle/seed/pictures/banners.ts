import { circle, framed, group, line, path, polygon, rect, star, times } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

export const BANNER_WIDTH = 1280;
const BANNER_HEIGHT = 320;
const banner = (ground: string, ...children: string[]): string =>
  framed(BANNER_WIDTH, BANNER_HEIGHT, ground, ...children);

function planks(random: Random): string {
  const woods = ["#CF9C5D", "#A9653A", "#E9C48F", "#B8935A", "#7C4526"];
  return banner(
    "#7C4526",
    times(7, (row) => {
      let x = -random.between(0, 200);
      let out = "";
      while (x < BANNER_WIDTH) {
        const width = random.between(220, 460);
        out +=
          rect(x, row * 46, width - 4, 42, random.pick(woods)) +
          times(3, (index) =>
            line(
              `M ${x + 16} ${row * 46 + 11 + index * 11} q ${width / 2 - 20} ${random.between(-6, 6).toFixed(1)} ${width - 40} 0`,
              "#00000020",
              2,
            ),
          );
        x += width;
      }
      return out;
    }),
  );
}

function skyline(random: Random): string {
  let x = -10;
  let towers = "";
  while (x < BANNER_WIDTH) {
    const width = random.between(70, 130);
    const height = random.between(70, 220);
    towers +=
      rect(x, BANNER_HEIGHT - height, width, height, "#111111") +
      times(Math.floor(width / 26) * Math.floor(height / 34), (index) =>
        random.chance(0.5)
          ? rect(
              x + 10 + (index % Math.floor(width / 26)) * 25,
              BANNER_HEIGHT - height + 14 + Math.floor(index / Math.floor(width / 26)) * 34,
              12,
              16,
              random.pick(["#F7F3E8", "#E4002B"]),
            )
          : "",
      );
    x += width;
  }
  return banner(
    "#F4E409",
    times(16, (index) =>
      polygon(
        [
          [index * 120 - 200, 0],
          [index * 120 - 140, 0],
          [index * 120 - 240, 320],
          [index * 120 - 300, 320],
        ],
        "#E4002B",
      ),
    ),
    circle(900, 150, 112, "#F7F3E8"),
    towers,
  );
}

function starrySky(random: Random): string {
  return banner(
    "#3255A4",
    times(90, () =>
      random.chance(0.25)
        ? star(
            random.between(0, 1280),
            random.between(0, 250),
            random.between(6, 12),
            "#F5F1E6",
            4,
            0.3,
          )
        : circle(
            random.between(0, 1280),
            random.between(0, 250),
            random.between(1.4, 3.2),
            "#F5F1E6",
          ),
    ),
    circle(980, 110, 66, "#FF6C2F"),
    group(
      "translate(980 110) rotate(-16)",
      path("M -130 0 A 130 32 0 0 0 130 0 A 130 22 0 0 1 -130 0", "#F5F1E6"),
    ),
    path(
      "M 0 270 L 160 220 L 300 268 L 470 208 L 640 270 L 820 226 L 1000 276 L 1150 230 L 1280 266 V 320 H 0 Z",
      "#1D2F66",
    ),
  );
}

function tiles(): string {
  return banner(
    "#F4F3EC",
    times(48, (index) => {
      const x = 53 + (index % 12) * 106.7;
      const y = 40 + Math.floor(index / 12) * 80;
      return group(
        `translate(${x.toFixed(1)} ${y})`,
        times(4, (turn) =>
          group(
            `rotate(${turn * 90})`,
            path("M 0 0 C 8 -22 24 -36 52 -39 C 44 -20 24 -6 0 0 Z", "#1B3F8B"),
            path("M 53 -14 A 26 26 0 0 1 26 -40 H 53 Z", "#6F93C9"),
          ),
        ),
        circle(0, 0, 8, "#E0A12B"),
      );
    }),
  );
}

function garden(random: Random): string {
  const greens = ["#3F6B3A", "#5E7F3B", "#2F6658", "#7A8440"];
  return banner(
    "#F5EFDC",
    times(34, (index) => {
      const x = 20 + index * 38;
      const height = random.between(110, 270);
      const green = random.pick(greens);
      return (
        line(
          `M ${x} 330 Q ${(x + random.between(-16, 16)).toFixed(1)} ${330 - height / 2} ${x} ${(330 - height).toFixed(1)}`,
          green,
          4,
        ) +
        times(4, (pair) => {
          const y = 330 - height * (0.3 + pair * 0.2);
          return path(
            `M ${x} ${y.toFixed(1)} q 18 -26 44 -20 q -10 26 -44 20 q -18 -26 -44 -20 q 10 26 44 20`,
            green,
          );
        }) +
        (random.chance(0.5)
          ? circle(
              x,
              330 - height,
              random.between(9, 16),
              random.pick(["#C2417A", "#E0A12B", "#B5402F", "#7C4FA0"]),
            )
          : "")
      );
    }),
  );
}

function field(): string {
  const lime = "#F4EDE0";
  return banner(
    "#2F7A46",
    times(8, (index) => rect(index * 160, 0, 80, 320, "#2A6F3F")),
    line(
      "M 30 24 H 1250 V 296 H 30 Z M 640 24 V 296 M 30 90 H 150 V 230 H 30 M 1250 90 H 1130 V 230 H 1250",
      lime,
      5,
    ),
    circle(640, 160, 74, "none", `stroke="${lime}" stroke-width="5"`),
    circle(640, 160, 7, lime),
  );
}

/** Who drew a banner of their own; the others show their bandeirinhas. */
export const banners: Record<string, (random: Random) => string> = {
  tiao: planks,
  rua8: skyline,
  otavio: starrySky,
  nilo: tiles,
  lia: garden,
  terrao: field,
};
