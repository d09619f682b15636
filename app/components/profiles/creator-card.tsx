import { nounFor } from "#app/domain/text.ts";
import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { publicSpacePath } from "#app/domain/profiles/rules.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { FollowButton } from "./follow-button.tsx";

const COUNT = new Intl.NumberFormat("pt-BR");

type Shown = Pick<
  PublicProfile,
  "username" | "name" | "craft" | "city" | "avatarMediaId" | "bannerMediaId" | "followersCount"
>;

/** Card of a suggested creator: banner strip, avatar and what they make. */
export function CreatorCard({ creator, isFollowing }: { creator: Shown; isFollowing: boolean }) {
  return (
    <li className="flex flex-col overflow-hidden rounded-card border border-line bg-card">
      <Link to={`/space/${creator.username}`} className="group flex flex-1 flex-col" viewTransition>
        <CreatorLook creator={creator} />
      </Link>
      <div className="p-4 pt-3">
        <FollowButton
          username={creator.username}
          name={creator.name}
          isFollowing={isFollowing}
          variant="outline"
          size="sm"
        />
      </div>
    </li>
  );
}

/** The same card for visitors. The whole card leads to the page for everyone. */
export function PublicCreatorCard({ creator }: { creator: Shown }) {
  return (
    <li className="flex flex-col overflow-hidden rounded-card border border-line bg-card transition-colors duration-150 ease-out hover:border-edge">
      <a href={publicSpacePath(creator.username)} className="group flex flex-1 flex-col pb-4">
        <CreatorLook creator={creator} />
      </a>
    </li>
  );
}

function CreatorLook({ creator }: { creator: Shown }) {
  return (
    <>
      {creator.bannerMediaId ? (
        <img
          src={mediaUrl(creator.bannerMediaId, "320")}
          srcSet={`${mediaUrl(creator.bannerMediaId, "320")} 320w, ${mediaUrl(creator.bannerMediaId, "1280")} 1280w`}
          sizes="(min-width: 26rem) 310px, 100vw"
          alt=""
          width={320}
          height={80}
          loading="lazy"
          decoding="async"
          className="h-18 w-full bg-cloth object-cover"
        />
      ) : (
        <Bandeirinhas seed={creator.username} columns={8} rows={2} className="h-18 w-full" />
      )}
      <span className="-mt-7 flex flex-col gap-0.5 px-4">
        <span className="mb-1 w-fit rounded-full bg-card p-1">
          <Avatar
            name={creator.name}
            src={creator.avatarMediaId ? mediaUrl(creator.avatarMediaId, "320") : null}
            size="lg"
          />
        </span>
        <span className="leading-5 font-semibold group-hover:underline">{creator.name}</span>
        <span className="text-small text-muted">
          {[creator.craft, creator.city].filter(Boolean).join(" · ")}
        </span>
        <span className="text-small text-muted">
          {COUNT.format(creator.followersCount)}{" "}
          {nounFor(creator.followersCount, "seguidor", "seguidores")}
        </span>
      </span>
    </>
  );
}
