import { CommentsLink, PostActions, PostByline } from "#app/components/posts/post-card.tsx";
import { Comments } from "#app/components/posts/comments.tsx";
import { LikeButton } from "#app/components/posts/like-button.tsx";
import { LockedFace } from "#app/components/posts/locked-face.tsx";
import { PostImage } from "#app/components/posts/post-image.tsx";
import { PostText } from "#app/components/posts/post-text.tsx";
import { ShareLink } from "#app/components/posts/share-link.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { commentsFromRows, commentsStatement } from "#app/domain/comments/queries.server.ts";
import { postFromRow, postStatement } from "#app/domain/posts/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/post.ts";

const COMMENTS_PER_PAGE = 20;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.post.title} · ${loaderData.post.author.name} · Coreto` : "Publicação não encontrada · Coreto" },
];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [[row], commentRows] = await ctx.db.batch([
    postStatement(ctx, { postId: params.id, viewerId: member.id }),
    commentsStatement(ctx, { postId: params.id, viewerId: member.id, cursor, limit: COMMENTS_PER_PAGE }),
  ]);
  const post = found(row ? postFromRow(row, member.id, ctx.now()) : null, "Não encontramos esta publicação. Ela pode ter saído do ar.");
  return {
    post,
    comments: commentsFromRows(commentRows, COMMENTS_PER_PAGE),
    me: { name: member.name, avatarUrl: member.avatarUrl },
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}

export default function PostPage({ loaderData }: Route.ComponentProps) {
  const { post, comments, me, now, origin } = loaderData;
  const isOpen = post.access.visible;
  return (
    <div className="flex flex-col gap-4">
      <Card as="article" label={post.title} className="flex flex-col gap-4 p-5 sm:p-6">
        <PostByline post={post} now={now} path={`/post/${post.id}`} authorPath={`/space/${post.author.username}`} />
        <h1 className="text-title sm:text-[2rem] sm:leading-[2.375rem]">{post.title}</h1>
        {post.content === null ? post.teaser ? <p className="text-muted">{post.teaser}</p> : null : null}
        {isOpen ? post.media.map((media, index) => <PostImage key={media.id} media={media} eager={index === 0} whole />) : null}
        {post.content === null ? (
          <LockedFace post={post} signedIn waysPath={`/space/${post.author.username}#planos`} />
        ) : (
          <PostText text={post.content} className="text-[1.0625rem] leading-7" />
        )}
        <PostActions>
          <LikeButton postId={post.id} isLiked={post.isLiked} likesCount={post.likesCount} canLike={isOpen} />
          <CommentsLink to="#comentarios" count={post.commentsCount} />
          <ShareLink title={post.title} url={`${origin}/space/${post.author.username}/public`} />
        </PostActions>
      </Card>
      <Card as="section" label="Comentários" className="flex flex-col gap-4 p-5 sm:p-6">
        <h2 id="comentarios" className="text-heading">
          Comentários
        </h2>
        {isOpen ? (
          <>
            <Comments postId={post.id} comments={comments.items} now={now} me={me} />
            {comments.items.length === 0 ? <p className="text-muted">Ninguém comentou ainda. Puxe a conversa.</p> : null}
            <MoreLink next={comments.next} />
          </>
        ) : (
          <p className="text-muted">Quem vê a publicação vê também os comentários.</p>
        )}
      </Card>
    </div>
  );
}
