import { Avatar } from "#app/components/ui/avatar.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { publicSpacePath } from "#app/domain/profiles/rules.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { StartButtons } from "./hero.tsx";

type Shown = Pick<
  PublicProfile,
  "username" | "name" | "craft" | "city" | "avatarMediaId" | "bannerMediaId"
>;

const TILTS = ["-rotate-1", "rotate-[0.7deg]", "-rotate-[0.5deg]", "rotate-1"];

/** Creators of the town, each in their own look, hung on a string as cordel prints are. */
export function CreatorsOnString({ creators }: { creators: readonly Shown[] }) {
  return (
    <section aria-labelledby="praca" className="overflow-hidden pt-16 sm:pt-24">
      <div className="mx-auto w-full max-w-[1112px] px-4">
        <h2
          id="praca"
          className="text-[2rem] leading-[1.05] sm:text-[3.25rem] sm:tracking-[-0.03em]"
        >
          Na praça agora
        </h2>
        <p className="mt-3 max-w-xl text-[1.0625rem] leading-7 text-muted">
          {creators.length > 0
            ? "Gente que já publica aqui, cada página do seu jeito. Entre, olhe, leia: não precisa de conta."
            : "A praça acabou de abrir, e o coreto está livre. Suba primeiro: quem chegar depois vai encontrar você."}
        </p>
      </div>
      {creators.length > 0 ? <Prints creators={creators} /> : null}
      <div className="mx-auto w-full max-w-[1112px] px-4 pt-8">
        {creators.length > 0 ? (
          <ButtonLink to="/explore" reloadDocument variant="outline" size="lg">
            Ver quem mais está na praça
          </ButtonLink>
        ) : (
          <StartButtons />
        )}
      </div>
    </section>
  );
}

function Prints({ creators }: { creators: readonly Shown[] }) {
  return (
    <ul className="mx-auto mt-10 flex w-full max-w-[1240px] snap-x scroll-px-4 overflow-x-auto px-4 pb-4 [scrollbar-width:thin] sm:grid sm:grid-cols-2 sm:gap-y-12 sm:overflow-visible lg:grid-cols-3 xl:px-16">
      {creators.map((creator, index) => (
        <Print key={creator.username} creator={creator} tilt={TILTS[index % TILTS.length] ?? ""} />
      ))}
    </ul>
  );
}

function Print({ creator, tilt }: { creator: Shown; tilt: string }) {
  return (
    <li className="relative w-[17.5rem] shrink-0 snap-start px-2.5 pt-4 sm:w-auto sm:px-4">
      <CordelString />
      <a
        href={publicSpacePath(creator.username)}
        className={`group paper-sheet relative flex h-full origin-top flex-col bg-card transition-transform duration-200 ease-out hover:rotate-0 focus-visible:rotate-0 ${tilt}`}
      >
        <Pegs />
        {creator.bannerMediaId ? (
          <img
            src={mediaUrl(creator.bannerMediaId, "1280")}
            alt=""
            width={640}
            height={360}
            loading="lazy"
            decoding="async"
            className="aspect-video w-full bg-cloth object-cover"
          />
        ) : (
          <Bandeirinhas
            seed={creator.username}
            columns={9}
            rows={4}
            className="aspect-video w-full"
          />
        )}
        <span className="flex items-center gap-3 p-4">
          <Avatar
            name={creator.name}
            src={creator.avatarMediaId ? mediaUrl(creator.avatarMediaId, "320") : null}
            size="lg"
          />
          <span className="flex min-w-0 flex-col">
            <span className="font-display text-heading font-bold wrap-anywhere group-hover:underline">
              {creator.name}
            </span>
            <span className="text-small text-muted">
              {[creator.craft, creator.city].filter(Boolean).join(" · ")}
            </span>
          </span>
        </span>
      </a>
    </li>
  );
}

function CordelString() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 20"
      preserveAspectRatio="none"
      className="absolute inset-x-0 top-0 h-5 w-full"
    >
      <path
        d="M0 5Q50 24 100 5"
        fill="none"
        stroke="var(--edge)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function Pegs() {
  const peg = "absolute -top-3 z-10 h-7 w-2.5 rounded-[3px] bg-flag-mustard";
  return (
    <span aria-hidden="true">
      <span className={`${peg} left-[18%]`} />
      <span className={`${peg} right-[18%]`} />
    </span>
  );
}
