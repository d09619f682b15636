import { circle, ellipse, framed, line, paper, path, rect } from "./pen.ts";
import type { Random } from "#drizzle/seed/random.ts";

type HairStyle =
  | "short"
  | "long"
  | "afro"
  | "bun"
  | "bald"
  | "curly"
  | "cap"
  | "braids"
  | "hat"
  | "scarf";
export type Face = {
  ground: string;
  shirt: string;
  skin: string;
  hair: string;
  style: HairStyle;
  beard?: boolean;
  glasses?: boolean;
};

const skins = ["#E3B08C", "#C98B63", "#8A5A3B", "#6B4226", "#F0C8A4", "#A8714A"];
const hairs = ["#6B3A1F", "#2A1C14", "#15100D", "#8C8378", "#A85A24", "#D9D5CC"];
const styles: readonly HairStyle[] = [
  "short",
  "long",
  "afro",
  "bun",
  "curly",
  "braids",
  "short",
  "cap",
  "scarf",
];

/** A face out of cut paper, 320 on a side, without features, as in the house's drawings. */
export function faceSvg(face: Face): string {
  const { skin, hair, shirt } = face;
  return framed(
    320,
    320,
    face.ground,
    behind(face),
    path("M 56 330 C 60 236 112 216 160 216 C 208 216 260 236 264 330 Z", shirt),
    path("M 132 176 H 188 V 222 C 188 250 132 250 132 222 Z", skin),
    path("M 132 206 C 150 222 170 222 188 206 L 188 196 H 132 Z", "#00000018"),
    ellipse(160, 142, 58, 66, skin),
    face.beard
      ? path(
          "M 102 146 C 106 220 214 220 218 146 C 206 176 190 172 160 172 C 130 172 114 176 102 146 Z",
          hair,
        )
      : "",
    above(face),
    face.glasses
      ? circle(136, 146, 20, "none", 'stroke="#15170F" stroke-width="5"') +
          circle(184, 146, 20, "none", 'stroke="#15170F" stroke-width="5"') +
          line("M 156 144 H 164", "#15170F", 5)
      : "",
  );
}

function behind({ hair, style }: Face): string {
  if (style === "long")
    return path(
      "M 88 150 C 80 50 240 50 232 150 C 236 210 240 236 226 250 H 94 C 80 236 84 210 88 150 Z",
      hair,
    );
  if (style === "afro") return circle(160, 116, 96, hair);
  if (style === "bun") return circle(160, 52, 32, hair);
  if (style === "curly")
    return [
      [98, 110],
      [122, 84],
      [160, 74],
      [198, 84],
      [222, 110],
    ]
      .map(([x = 0, y = 0]) => circle(x, y, 36, hair))
      .join("");
  if (style === "braids")
    return rect(84, 130, 26, 120, hair, 'rx="13"') + rect(210, 130, 26, 120, hair, 'rx="13"');
  return "";
}

function above({ hair, style, shirt }: Face): string {
  const fringe = path(
    "M 100 150 C 92 62 228 62 220 150 C 214 116 196 100 160 100 C 124 100 106 116 100 150 Z",
    hair,
  );
  if (style === "bald")
    return path(
      "M 100 138 C 98 116 104 110 108 106 L 110 140 Z M 220 138 C 222 116 216 110 212 106 L 210 140 Z",
      hair,
    );
  if (style === "cap")
    return (
      path("M 98 128 C 98 56 222 56 222 128 Z", hair) +
      path("M 98 116 H 262 Q 262 134 240 134 H 98 Z", shirt)
    );
  if (style === "hat")
    return (
      ellipse(160, 100, 110, 22, hair) +
      path("M 104 98 C 104 30 216 30 216 98 Z", hair) +
      rect(106, 80, 108, 16, shirt)
    );
  if (style === "scarf")
    return (
      path("M 96 134 C 90 50 230 50 224 134 C 200 100 120 100 96 134 Z", shirt) +
      circle(226, 120, 16, shirt)
    );
  if (style === "short")
    return path(
      "M 98 160 C 84 60 236 56 224 160 C 222 128 210 112 186 108 C 150 112 116 104 108 122 C 104 134 104 148 98 160 Z",
      hair,
    );
  return fringe;
}

/** A fan's face, by chance but always the same for the same seed. */
export function faceFrom(random: Random): Face {
  const [ground, shirt] = random.shuffled([
    paper.blue,
    paper.brick,
    paper.mustard,
    paper.forest,
    paper.pink,
  ]);
  return {
    ground: ground ?? paper.blue,
    shirt: shirt ?? paper.pink,
    skin: random.pick(skins),
    hair: random.pick(hairs),
    style: random.pick(styles),
    beard: random.chance(0.12),
    glasses: random.chance(0.2),
  };
}
