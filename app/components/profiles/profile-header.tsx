import { nounFor } from "#app/domain/text.ts";
import type { ReactNode } from "react";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { ProfileLinks } from "./profile-links.tsx";

const COUNT = new Intl.NumberFormat("pt-BR");

type ProfileHeaderProps = {
  profile: PublicProfile;
  /** Actions on the profile: "Seguir", "Editar". */
  children: ReactNode;
  /** Menu of the other actions, in a member's column. */
  menu?: ReactNode;
  /** A visitor's page spans the window; a member's stays in its column. */
  bleed?: boolean;
};

/** Profile header: banner, avatar over it, name, bio and counts. */
export function ProfileHeader({
  profile,
  children,
  menu = null,
  bleed = false,
}: ProfileHeaderProps) {
  const frame = bleed ? "mx-auto w-full max-w-[1112px] px-4" : "px-4 sm:px-6";
  return (
    <header
      className={
        bleed
          ? ""
          : "-mx-4 -mt-3 border-line bg-card pb-6 lg:mx-0 lg:mt-0 lg:rounded-card lg:border"
      }
    >
      <Banner profile={profile} bleed={bleed} />
      <div className={frame}>
        {bleed ? (
          <WideTitle profile={profile}>{children}</WideTitle>
        ) : (
          <ColumnTitle profile={profile} menu={menu}>
            {children}
          </ColumnTitle>
        )}
        <p className="mt-4 max-w-[40rem] text-[1.0625rem] leading-7 whitespace-pre-line">
          {profile.bio}
        </p>
        <ProfileLinks links={profile.links} name={profile.name} />
        <ul className="mt-2 flex flex-wrap items-baseline gap-x-6 gap-y-1 text-muted">
          <Count value={profile.followersCount} one="seguidor" many="seguidores" />
          <Count value={profile.postsCount} one="publicação" many="publicações" />
          {profile.craft ? <li>{profile.craft}</li> : null}
          {profile.city ? <li>{profile.city}</li> : null}
        </ul>
      </div>
    </header>
  );
}

type TitleProps = Pick<ProfileHeaderProps, "profile" | "children" | "menu">;

/**
 * Avatar, name and actions on one line, where there is room. Only the avatar stands on the banner:
 * a long name grows downwards.
 */
function WideTitle({ profile, children }: TitleProps) {
  return (
    <div className="flex flex-col gap-4 lg:flex-row lg:items-start lg:gap-6">
      <div className="-mt-14 flex sm:-mt-19">
        <Face profile={profile} ring="bg-paper" />
      </div>
      <h1 className="min-w-0 flex-1 text-display wrap-anywhere lg:text-[4rem] lg:leading-[4.25rem] lg:tracking-[-0.03em]">
        {profile.name}
      </h1>
      <div className="flex flex-wrap gap-2 *:flex-1 *:whitespace-nowrap sm:*:flex-none lg:pt-4">
        {children}
      </div>
    </div>
  );
}

/** Title in a column: avatar and menu, then the name, then the actions on a line of their own. */
function ColumnTitle({ profile, menu, children }: TitleProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-4">
        <div className="-mt-14 flex">
          <Face profile={profile} ring="bg-card" />
        </div>
        {menu ? <div className="pt-3">{menu}</div> : null}
      </div>
      <h1 className="text-display wrap-anywhere">{profile.name}</h1>
      <div className="flex flex-wrap gap-2 *:flex-auto *:whitespace-nowrap sm:*:flex-none">
        {children}
      </div>
    </div>
  );
}

function Face({ profile, ring }: { profile: PublicProfile; ring: string }) {
  return (
    <span className={`w-fit shrink-0 rounded-full p-1.5 ${ring}`}>
      <Avatar
        name={profile.name}
        src={profile.avatarMediaId ? mediaUrl(profile.avatarMediaId, "320") : null}
        size="xl"
      />
    </span>
  );
}

function Banner({ profile, bleed }: { profile: PublicProfile; bleed: boolean }) {
  const height = bleed ? "h-33 sm:h-56 lg:h-72" : "h-33 sm:h-44 lg:rounded-t-[15px]";
  if (!profile.bannerMediaId)
    return (
      <Bandeirinhas
        seed={profile.username}
        columns={bleed ? 20 : 14}
        rows={4}
        className={`w-full ${height}`}
      />
    );
  return (
    <img
      src={mediaUrl(profile.bannerMediaId, "1280")}
      alt=""
      width={1280}
      height={320}
      fetchPriority="high"
      decoding="async"
      className={`w-full bg-cloth object-cover ${height}`}
    />
  );
}

function Count({ value, one, many }: { value: number; one: string; many: string }) {
  return (
    <li>
      <strong className="font-display text-[1.125rem] font-bold text-ink tabular-nums">
        {COUNT.format(value)}
      </strong>{" "}
      {nounFor(value, one, many)}
    </li>
  );
}
