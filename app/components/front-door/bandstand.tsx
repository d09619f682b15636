import { FLAG_COLOURS, FLAG_HEX, flagPath } from "#app/lib/bandeirinhas-pattern.ts";

const COLUMNS = [578, 635, 692, 748, 805, 862];
const VALANCE = Array.from({ length: 17 }, (_, index) => 546 + index * 20.6);
const RAIL = Array.from({ length: 13 }, (_, index) => 577 + index * 23);

/** The bandstand of the logo, cut out of paper: dome, valance of flags, posts, rail and steps. */
export function Bandstand() {
  return (
    <g>
      <path d="M600 470v-60h240v60z" fill="var(--flag-blue)" />
      <path d="M560 236h320v150H560z" fill="var(--bandstand-inside)" />
      <Band />
      <g fill="#fbfaf6">
        {COLUMNS.map((x) => (
          <path key={x} d={`M${x - 5} 232h10v152h-10z`} />
        ))}
      </g>
      <g>
        <path d="M556 348h328v7H556zM556 384h328v10H556z" fill="#fbfaf6" />
        {RAIL.map((x, index) => (
          <path
            key={x}
            d={flagPath({ x: 0, y: 0 })}
            transform={`translate(${x - 10} 384) scale(.6 -.72)`}
            fill={FLAG_HEX[FLAG_COLOURS[(index + 2) % FLAG_COLOURS.length] ?? "brick"]}
          />
        ))}
      </g>
      <path d="M548 394h344l14 76H534z" fill="var(--flag-brick)" />
      <path d="M548 394h344l2.500 13H545.500z" fill="var(--flag-mustard)" />
      <g fill="#fbfaf6">
        <path d="M664 418h112v13H664z" />
        <path d="M652 436h136v13H652z" opacity=".92" />
        <path d="M640 454h160v16H640z" opacity=".84" />
      </g>
      <g>
        <path d="M530 238C548 156 622 112 720 106c98 6 172 50 190 132z" fill="var(--signal)" />
        <path
          d="M720 106c-62 14-98 62-108 132h60c6-66 22-112 48-132zM720 106c62 14 98 62 108 132h-60c-6-66-22-112-48-132z"
          fill="var(--flag-forest)"
        />
      </g>
      <g>
        <path d="M524 236h392v8H524z" fill="#fbfaf6" />
        {VALANCE.map((x, index) => (
          <path
            key={x}
            d={flagPath({ x: 0, y: 0 })}
            transform={`translate(${x - 10} 244) scale(.56)`}
            fill={FLAG_HEX[FLAG_COLOURS[index % FLAG_COLOURS.length] ?? "brick"]}
          />
        ))}
      </g>
      <path d="M696 108V84h48v24z" fill="#fbfaf6" />
      <path d="M704 108V90h12v18zM724 108V90h12v18z" fill="var(--flag-blue)" />
      <path d="M688 84c6-20 18-28 32-30 14 2 26 10 32 30z" fill="var(--flag-brick)" />
      {/* White, because the sun behind it is mustard. */}
      <path d="M718.500 56V28h3v28z" fill="#fbfaf6" />
      <circle cx="720" cy="26" r="7" fill="#fbfaf6" />
    </g>
  );
}

/** Who plays: a guitar, a voice and a drum, behind the rail. */
function Band() {
  return (
    <g>
      <g>
        <path d="M620 384c0-52 8-76 44-76s44 24 44 76z" fill="var(--flag-forest)" />
        <circle cx="664" cy="288" r="19" fill="#70432a" />
        <path d="M645 284a19 19 0 0 1 38 0c-10-8-28-8-38 0z" fill="#15170f" />
        <path d="m640 352 74-40 3 6-74 40z" fill="#6b3a1f" />
        <circle cx="650" cy="352" r="17" fill="#d9532c" />
        <circle cx="650" cy="352" r="6" fill="#6b3a1f" />
      </g>
      <g>
        <path d="M734 384c0-52 6-80 40-80s40 28 40 80z" fill="var(--flag-pink)" />
        <circle cx="774" cy="284" r="19" fill="#c98a5f" />
        <path
          d="M753 300v-16a21 21 0 0 1 42 0v16c-4-4-5-10-6-16-8 2-22 0-30-2 0 8-2 14-6 18z"
          fill="#2b1a12"
        />
        <path d="M772 318h5v66h-5z" fill="#15170f" />
        <circle cx="774.500" cy="314" r="7" fill="#15170f" />
      </g>
    </g>
  );
}
