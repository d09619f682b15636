import { Bandstand } from "./bandstand.tsx";
import { FestoonShape } from "./festoons.tsx";

const TOP = { x: 720, y: 26 };
/** Strings from the top of the bandstand to both sides of the square. */
const STRINGS = [
  { y: -260, sag: 50, size: 0.9, bareShare: 0.16 },
  { y: -60, sag: 58, size: 0.78, bareShare: 0.1 },
  { y: 104, sag: 44, size: 0.66, bareShare: 0.05 },
];

type Front = {
  x: number;
  width: number;
  height: number;
  wall: string;
  trim: string;
  roof: "gable" | "step" | "arch";
};

const LEFT: Front[] = [
  { x: -70, width: 116, height: 172, wall: "mustard", trim: "brick", roof: "step" },
  { x: 46, width: 98, height: 138, wall: "blue", trim: "pink", roof: "gable" },
  { x: 144, width: 126, height: 190, wall: "pink", trim: "forest", roof: "arch" },
  { x: 270, width: 92, height: 146, wall: "forest", trim: "mustard", roof: "gable" },
  { x: 362, width: 112, height: 122, wall: "brick", trim: "blue", roof: "step" },
];
const RIGHT: Front[] = [
  { x: 966, width: 106, height: 128, wall: "blue", trim: "mustard", roof: "arch" },
  { x: 1072, width: 94, height: 158, wall: "mustard", trim: "forest", roof: "gable" },
  { x: 1166, width: 122, height: 180, wall: "brick", trim: "pink", roof: "step" },
  { x: 1288, width: 98, height: 140, wall: "pink", trim: "blue", roof: "gable" },
  { x: 1386, width: 124, height: 176, wall: "forest", trim: "mustard", roof: "arch" },
];

const GROUND = 470;

/**
 * The product in one picture: a bandstand in the middle of a square, with the facades of Volpi's
 * paintings, people who listen, and strings of flags over all of them. Decorative.
 */
export function SquareScene({ className = "" }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="-80 0 1600 540"
      preserveAspectRatio="xMidYMax slice"
      className={`overflow-visible ${className}`}
    >
      <circle cx="720" cy="214" r="204" fill="var(--sun)" />
      {STRINGS.flatMap(({ y, sag, size, bareShare }) =>
        [-240, 1680].map((x) => (
          <FestoonShape
            key={`${x}${y}`}
            seed={`praça${x}${y}`}
            from={TOP}
            to={{ x, y }}
            sag={sag}
            pitch={44 * size + 6}
            size={size}
            bareShare={bareShare}
          />
        )),
      )}
      <g>
        {[...LEFT, ...RIGHT].map((front) => (
          <Facade key={front.x} {...front} />
        ))}
      </g>
      <path
        d="M-200 452c180-14 420-20 560-4 120 14 600 14 720 0 140-16 380-10 560 4v140H-200z"
        fill="var(--flag-forest)"
      />
      <path d="M-200 500c300-30 560-34 920-34s620 4 920 34v80H-200z" fill="var(--square-floor)" />
      <g>
        <Bandstand />
      </g>
      <g>
        {LISTENERS.map((listener) => (
          <Listener key={listener.x} {...listener} />
        ))}
      </g>
    </svg>
  );
}

function Facade({ x, width, height, wall, trim, roof }: Front) {
  const top = GROUND - height;
  const middle = x + width / 2;
  const roofs = {
    gable: `M${x} ${top}l${width / 2} -34l${width / 2} 34z`,
    step: `M${x} ${top}v-14h${width * 0.22}v-16h${width * 0.56}v16h${width * 0.22}v14z`,
    arch: `M${x} ${top}q0 -12 ${width * 0.2} -12q${width * 0.08} -26 ${width * 0.3} -26t${width * 0.3} 26q${width * 0.2} 0 ${width * 0.2} 12z`,
  };
  const windows = [x + width * 0.16, x + width * 0.62];
  const pane = width * 0.22;
  return (
    <g>
      <path d={`M${x} ${top}h${width}v${height}h${-width}z`} fill={`var(--flag-${wall})`} />
      <path d={roofs[roof]} fill={`var(--flag-${wall})`} />
      <path d={`M${x} ${top}h${width}v7h${-width}z`} fill="#fbfaf6" />
      {windows.map((left) => (
        <path
          key={left}
          d={`M${left} ${top + 30 + pane * 1.3}v${-pane * 0.8}a${pane / 2} ${pane / 2} 0 0 1 ${pane} 0v${pane * 0.8}z`}
          fill="var(--lit-window)"
        />
      ))}
      <path
        d={`M${middle - width * 0.15} ${GROUND}v-46a${width * 0.15} ${width * 0.15} 0 0 1 ${width * 0.3} 0v46z`}
        fill={`var(--flag-${trim})`}
      />
    </g>
  );
}

type Person = { x: number; y: number; size: number; shirt: string; hair: string };

const LISTENERS: Person[] = [
  { x: 96, y: 560, size: 0.9, shirt: "brick", hair: "#2b1a12" },
  { x: 186, y: 574, size: 1.05, shirt: "pink", hair: "#15170f" },
  { x: 318, y: 556, size: 0.86, shirt: "mustard", hair: "#6b3a1f" },
  { x: 404, y: 580, size: 1.08, shirt: "blue", hair: "#15170f" },
  { x: 498, y: 562, size: 0.9, shirt: "forest", hair: "#2b1a12" },
  { x: 566, y: 584, size: 1.04, shirt: "pink", hair: "#6b3a1f" },
  { x: 868, y: 582, size: 1.06, shirt: "mustard", hair: "#2b1a12" },
  { x: 944, y: 562, size: 0.9, shirt: "blue", hair: "#15170f" },
  { x: 1042, y: 578, size: 1.02, shirt: "brick", hair: "#4a4a48" },
  { x: 1150, y: 556, size: 0.88, shirt: "pink", hair: "#2b1a12" },
  { x: 1252, y: 576, size: 1.05, shirt: "forest", hair: "#15170f" },
  { x: 1350, y: 560, size: 0.9, shirt: "mustard", hair: "#6b3a1f" },
];

/** Somebody who listens, seen from behind. */
function Listener({ x, y, size, shirt, hair }: Person) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path d="M-40 0c0-48 12-66 40-66s40 18 40 66z" fill={`var(--flag-${shirt})`} />
      <circle cx="0" cy="-84" r="21" fill={hair} />
    </g>
  );
}
