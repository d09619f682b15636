import { FestoonShape } from "./festoons.tsx";
import { StartButtons } from "./hero.tsx";

/** The last word, under two strings of flags. */
export function Closing() {
  return (
    <section
      aria-labelledby="subir"
      className="relative isolate mt-20 -mb-12 overflow-hidden bg-cloth sm:mt-28"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 1440 240"
        preserveAspectRatio="xMidYMin slice"
        className="absolute inset-x-0 top-0 -z-10 h-44 w-full sm:h-60"
      >
        <FestoonShape
          seed="fim"
          from={{ x: -120, y: -40 }}
          to={{ x: 760, y: -20 }}
          sag={62}
          pitch={40}
          size={0.8}
        />
        <FestoonShape
          seed="volte"
          from={{ x: 680, y: -20 }}
          to={{ x: 1560, y: -40 }}
          sag={62}
          pitch={40}
          size={0.8}
        />
      </svg>
      <div className="mx-auto flex w-full max-w-[1112px] flex-col items-center px-4 pt-32 pb-20 text-center sm:pt-48 sm:pb-28">
        <h2
          id="subir"
          className="max-w-[12em] text-[2.5rem] leading-[1] tracking-[-0.035em] sm:text-[4.5rem]"
        >
          O coreto está livre. Suba.
        </h2>
        <StartButtons className="mt-8 w-full justify-center" />
      </div>
    </section>
  );
}
