import { Lock } from "lucide-react";
import { Link } from "react-router";
import { FollowForm } from "#app/components/profiles/follow-form.tsx";
import { useLinkMark, useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import type { Unlock } from "#app/domain/access/rules.ts";
import { hasThumbnail, mediaUrl } from "#app/domain/media/rules.ts";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import { lockText, unlockLabel, unlockPath, waysInPath } from "#app/domain/posts/rules.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { LINK_MARK } from "#app/lib/link-mark.ts";

type Locked = Pick<PostPreview, "id" | "title" | "access" | "plans" | "author" | "media">;

/**
 * Locked post: a blurred image, why it is locked, and the ways to get access, cheapest first. At
 * least one way is always present.
 */
export function LockedPost({ post, signedIn }: { post: Locked; signedIn: boolean }) {
  const marked = useMarkedPath();
  if (post.access.visible) return null;
  const unlock = post.access.cheapestUnlock;
  return (
    <div className="relative isolate overflow-hidden rounded-field bg-sand">
      <Face post={post} />
      <div className="absolute inset-0 -z-10 bg-card/65" />
      <div className="flex min-h-68 flex-col items-center justify-center gap-3 px-3 py-8 text-center sm:px-5">
        <span className="inline-flex size-13 items-center justify-center rounded-full bg-ink text-paper">
          <Lock aria-hidden="true" className="size-5" />
        </span>
        <p className="max-w-sm font-semibold text-ink">{lockText(post)}</p>
        {post.access.awayUntil === null ? null : (
          <p className="flex min-h-11 items-center rounded-full bg-sand px-5 font-semibold text-ink">
            {vacationLabel(post.access.awayUntil)}
          </p>
        )}
        {unlock ? <WayIn unlock={unlock} post={post} signedIn={signedIn} isFirst /> : null}
        {post.access.otherUnlocks.map((other) => (
          <WayIn key={other.kind} unlock={other} post={post} signedIn={signedIn} isFirst={false} />
        ))}
        <Link
          to={marked(waysInPath(post))}
          reloadDocument={!signedIn}
          className="inline-flex min-h-11 items-center text-small underline underline-offset-3"
        >
          Ver todas as formas de acesso
        </Link>
      </div>
    </div>
  );
}

/** The image in at most 24 pixels, enlarged; without an image, flags derived from the title. */
function Face({ post }: { post: Locked }) {
  const image = post.media.find(hasThumbnail);
  const look = "absolute inset-0 -z-20 size-full scale-110 object-cover blur-xl";
  if (!image) return <Bandeirinhas seed={post.title} columns={9} rows={4} className={look} />;
  return (
    <img src={mediaUrl(image.id, "face")} alt="" loading="lazy" decoding="async" className={look} />
  );
}

type WayInProps = {
  unlock: Unlock;
  post: Locked;
  signedIn: boolean;
  /** The cheapest way. */
  isFirst: boolean;
};

function WayIn({ unlock, post, signedIn, isFirst }: WayInProps) {
  const marked = useMarkedPath();
  const link = useLinkMark();
  const label = unlockLabel(unlock, post.author);
  const look = {
    variant: isFirst ? ("primary" as const) : ("outline" as const),
    className: "max-w-full text-balance max-sm:px-4 max-sm:py-1.5",
  };
  if (unlock.kind !== "follow") {
    return (
      <ButtonLink
        to={marked(unlockPath(unlock, post.id))}
        reloadDocument={!signedIn}
        aria-label={unlock.kind === "collection" ? `${label}: ${unlock.title}` : undefined}
        {...look}
      >
        {label}
      </ButtonLink>
    );
  }
  if (!signedIn) {
    return (
      <FollowForm
        username={post.author.username}
        to={marked(`/post/${post.id}`)}
        label={label}
        {...look}
      />
    );
  }
  return (
    <form method="post" action={`/space/${post.author.username}/follow`}>
      <input type="hidden" name="following" value="true" />
      <input type="hidden" name="to" value={marked(`/post/${post.id}`)} />
      {link ? <input type="hidden" name={LINK_MARK} value={link} /> : null}
      <Button {...look}>{label}</Button>
    </form>
  );
}
