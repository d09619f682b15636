import { seededNumbers, seedOf } from "#app/lib/seeded.ts";

type AvatarProps = {
  name: string;
  src: string | null;
  size?: "sm" | "md" | "lg" | "xl";
  className?: string;
};

const SIZES = { sm: "size-8", md: "size-10", lg: "size-14", xl: "size-28 sm:size-36" };
const PIXELS = { sm: 32, md: 40, lg: 56, xl: 144 };

/** Avatar. It is decorative, because the name always stands beside it. */
export function Avatar({ name, src, size = "md", className = "" }: AvatarProps) {
  const shape = `${SIZES[size]} shrink-0 rounded-full ${className}`;
  if (!src) return <DrawnFace name={name} className={shape} />;
  return (
    <img
      src={src}
      alt=""
      width={PIXELS[size]}
      height={PIXELS[size]}
      loading={size === "xl" ? "eager" : "lazy"}
      decoding="async"
      className={`${shape} bg-sand object-cover`}
    />
  );
}

const GROUNDS = ["#F2B632", "#D9532C", "#0E6B46", "#1F3F8F", "#EFA3B8"];
const SHIRTS = ["#D9532C", "#FBFAF6", "#F2B632", "#0E6B46", "#1F3F8F", "#EFA3B8"];
const SKINS = ["#E5B08A", "#C98A5F", "#9C643F", "#70432A"];
const HAIRS = ["#2B1A12", "#6B3A1F", "#15170F", "#4A4A48"];
const HAIR_SHAPES = [
  "M29 46V38a21 21 0 0 1 42 0v8c-2-9-8-14-21-14s-19 5-21 14z",
  "M27 62V40a23 23 0 0 1 46 0v22c-5-4-6-12-7-20-8 1-20-1-26-8-2 8-5 12-6 18-1 5-3 8-7 10z",
  "M30 40a20 19 0 0 1 40 0c-6-5-12-7-20-7s-14 2-20 7z",
];

/** Avatar drawn from the name, for a person without a picture. */
function DrawnFace({ name, className }: { name: string; className: string }) {
  const next = seededNumbers(seedOf(name));
  const pick = (options: string[]) =>
    options[Math.floor(next() * options.length)] ?? options[0] ?? "";
  const ground = pick(GROUNDS);
  const shirt = pick(SHIRTS.filter((colour) => colour !== ground));
  const skin = pick(SKINS);
  const hair = pick(HAIRS);
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" className={`${className} overflow-hidden`}>
      <rect width="100" height="100" fill={ground} />
      <path d="M16 100c2-20 14-28 34-28s32 8 34 28z" fill={shirt} />
      <path d="M42 60h16v14a8 7 0 0 1-16 0z" fill={skin} />
      <ellipse cx="50" cy="46" rx="19" ry="21" fill={skin} />
      <path d={pick(HAIR_SHAPES)} fill={hair} />
    </svg>
  );
}
