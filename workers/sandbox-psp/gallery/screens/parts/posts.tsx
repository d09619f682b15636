import { CollectionCover } from "#app/components/collections/collection-cover.tsx";
import { CollectionHeader } from "#app/components/collections/collection-header.tsx";
import { CollectionLine } from "#app/components/collections/collection-line.tsx";
import {
  CollectionNavigation,
  ContainingCollections,
} from "#app/components/collections/collection-navigation.tsx";
import { CollectionOfferCard } from "#app/components/collections/collection-offer.tsx";
import { EntryList } from "#app/components/collections/entry-list.tsx";
import { ReadMark } from "#app/components/collections/read-mark.tsx";
import { ReadingProgress } from "#app/components/collections/reading-progress.tsx";
import { CommentActionButton } from "#app/components/comments/comment-action-button.tsx";
import { CommentBody } from "#app/components/comments/comment-body.tsx";
import { CommentForm, COMMENT_FORM_LABELS } from "#app/components/comments/comment-form.tsx";
import { Comments } from "#app/components/comments/comments.tsx";
import { PublicComments } from "#app/components/comments/public-comments.tsx";
import { AdjacentPosts } from "#app/components/posts/adjacent-posts.tsx";
import { LikeButton } from "#app/components/posts/like-button.tsx";
import { OwnPostMenu } from "#app/components/posts/own-posts/own-post-menu.tsx";
import { PollCard, PublicPoll } from "#app/components/posts/polls/poll.tsx";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { PostMedia } from "#app/components/posts/post-media.tsx";
import { PostMenu } from "#app/components/posts/post-menu.tsx";
import { PostText } from "#app/components/posts/post-text.tsx";
import { PublicByline } from "#app/components/posts/public-byline.tsx";
import { PublicPost } from "#app/components/posts/public-post.tsx";
import { FoldedSharePanel, SharePanel } from "#app/components/posts/sharing/share-panel.tsx";
import { UnpublishedCard } from "#app/components/posts/own-posts/unpublished-card.tsx";
import { Button } from "#app/components/ui/button.tsx";
import type { CollectionSummary } from "#app/domain/collections/schema.ts";
import type { Poll } from "#app/domain/posts/schema/polls.ts";
import {
  audio,
  comment,
  DAY_MS,
  document,
  HOUR_MS,
  lockedPosts,
  LONG_NAME,
  LONG_WORD,
  longPost,
  NOW,
  ORIGIN,
  picture,
  post,
  QR,
  removedThread,
  thread,
  video,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const card = (shown: Parameters<typeof PostCard>[0]["post"]) => (
  <PostCard post={shown} now={NOW} origin={ORIGIN} />
);

const poll: Poll = {
  question: "Que música toco na sexta?",
  isMultiple: false,
  closesAt: NOW + 2 * DAY_MS,
  isClosed: false,
  votersCount: null,
  options: [
    { position: 0, label: "Asa Branca", votesCount: null, isChosen: false },
    { position: 1, label: LONG_WORD, votesCount: null, isChosen: false },
  ],
  hasVoted: false,
};
const closedPoll: Poll = {
  ...poll,
  isClosed: true,
  hasVoted: true,
  votersCount: 3,
  options: poll.options.map((option, index) => ({
    ...option,
    votesCount: 2 - index,
    isChosen: index === 0,
  })),
};

export const POSTS: GalleryScreen = {
  slug: "posts",
  title: "Cartões de publicações",
  parts: [
    { name: "Texto", element: card(post) },
    { name: "Com nomes e palavras compridas", element: card(longPost) },
    { name: "Com uma imagem", element: card({ ...post, media: [picture] }) },
    {
      name: "Com três imagens",
      element: card({
        ...post,
        media: [picture, { ...picture, id: "dois" }, { ...picture, id: "tres" }],
      }),
    },
    {
      name: "Sensível",
      element: card({ ...post, isSensitive: true, media: [picture] }),
    },
    {
      name: "Com enquete",
      element: card({ ...post, poll: { closesAt: NOW + DAY_MS, votersCount: null } }),
    },
    { name: "Do próprio criador", element: card({ ...post, isOwn: true }) },
    ...Object.entries(lockedPosts).map(([name, shown]) => ({
      name: `Fechada: ${name}`,
      element: card(shown),
    })),
    {
      name: "Para visitantes",
      element: <PublicPost post={post} now={NOW} origin={ORIGIN} eager={false} />,
    },
    {
      name: "Para visitantes, fechada",
      element: (
        <PublicPost post={lockedPosts["para assinantes"]} now={NOW} origin={ORIGIN} eager={false} />
      ),
    },
    {
      name: "Em preparação",
      element: (
        <UnpublishedCard
          preparation={{
            drafts: 2,
            scheduled: 1,
            next: [
              { id: "a", title: "Ensaio aberto", scheduledAt: NOW + DAY_MS, updatedAt: NOW },
              { id: "b", title: "", scheduledAt: null, updatedAt: NOW - HOUR_MS },
            ],
          }}
          now={NOW}
        />
      ),
    },
  ],
};

export const POST_PARTS: GalleryScreen = {
  slug: "post-parts",
  title: "Partes de uma publicação",
  parts: [
    {
      name: "Texto",
      element: (
        <PostText html="<p>Começo no <strong>Recife</strong>.</p><ul><li>Dia 3, no Teatro do Parque</li><li>Dia 9, em Olinda</li></ul><blockquote><p>Até lá!</p></blockquote>" />
      ),
    },
    { name: "Arquivos", element: <PostMedia media={[picture, document, audio, video]} /> },
    {
      name: "Enquete aberta",
      element: <PollCard postId="a" poll={poll} isOwn={false} mayEnd={false} />,
    },
    {
      name: "Enquete encerrada",
      element: <PollCard postId="a" poll={closedPoll} isOwn={false} mayEnd={false} />,
    },
    { name: "Enquete do criador", element: <PollCard postId="a" poll={closedPoll} isOwn mayEnd /> },
    { name: "Enquete para visitantes", element: <PublicPoll postId="a" poll={closedPoll} /> },
    {
      name: "Curtir",
      element: (
        <div className="flex gap-4">
          <LikeButton action="/post/a/like" isLiked={false} likesCount={0} canLike />
          <LikeButton action="/post/b/like" isLiked likesCount={1_284} canLike />
          <LikeButton action="/post/c/like" isLiked={false} likesCount={3} canLike={false} />
        </div>
      ),
    },
    {
      name: "Anterior e seguinte",
      element: (
        <AdjacentPosts
          neighbours={[
            { side: "older", id: "a", title: "Ensaio de fevereiro" },
            { side: "newer", id: "b", title: LONG_WORD },
          ]}
          pathOf={(id) => `/post/${id}`}
        />
      ),
    },
    {
      name: "Compartilhar",
      element: <SharePanel title="Itinerário" url={`${ORIGIN}/p/a`} qr={QR} />,
    },
    {
      name: "Compartilhar, dobrado",
      element: <FoldedSharePanel title="Itinerário" url={`${ORIGIN}/p/a`} qr={QR} />,
    },
    { name: "Quem publicou", element: <PublicByline post={longPost} space="/space/ana/public" /> },
    { name: "Menu de quem lê", element: <PostMenu post={{ id: "a", title: "Itinerário" }} /> },
    {
      name: "Menu de quem publica",
      element: <OwnPostMenu post={{ id: "a", state: "published", isPinned: false }} />,
    },
  ],
};

const me = { name: "Bruno Lima", avatarUrl: null };

export const COMMENTS: GalleryScreen = {
  slug: "comments",
  title: "Comentários",
  parts: [
    {
      name: "Nenhum",
      element: (
        <Comments
          postId="a"
          pinned={null}
          threads={[]}
          now={NOW}
          me={me}
          areClosed={false}
          isPublic
        />
      ),
    },
    {
      name: "Um, com resposta",
      element: (
        <Comments
          postId="b"
          pinned={null}
          threads={[thread]}
          now={NOW}
          me={me}
          areClosed={false}
          isPublic={false}
        />
      ),
    },
    {
      name: "Fixado, removido, comprido e fechado",
      element: (
        <Comments
          postId="c"
          pinned={{ ...thread, id: "fixado", isPinned: true, replies: [], repliesCount: 0 }}
          threads={[
            removedThread,
            {
              ...thread,
              id: "comprido",
              body: LONG_WORD,
              author: { id: "x", name: LONG_NAME, username: "x", avatarMediaId: null },
              replies: [],
              repliesCount: 0,
            },
          ]}
          now={NOW}
          me={me}
          areClosed
          isPublic
        />
      ),
    },
    {
      name: "Para visitantes",
      element: (
        <PublicComments
          comments={{ pinned: null, threads: [thread], next: "x", conversationId: null }}
          postId="a"
          postPath="/space/ana/public/a"
          isOpen
          areClosed={false}
        />
      ),
    },
    {
      name: "Formulário",
      element: (
        <CommentForm action="/post/a" labels={COMMENT_FORM_LABELS} hint="Todos podem ler." />
      ),
    },
    {
      name: "Texto e botão",
      element: (
        <div>
          <CommentBody body={comment.body} mentions={comment.mentions} />
          <CommentActionButton action="/comment/a" act="hide">
            Ocultar
          </CommentActionButton>
        </div>
      ),
    },
  ],
};

const collection: CollectionSummary = {
  id: "a",
  title: "Rabeca do zero",
  description: "Doze aulas, da afinação ao primeiro baião.",
  postsCount: 12,
  priceCents: 4_990,
  cover: null,
};
const longCollection: CollectionSummary = {
  ...collection,
  id: "b",
  title: LONG_WORD,
  description: "",
  postsCount: 1,
  priceCents: null,
  cover: { mediaId: "exemplo", isOpen: true, alt: "Uma rabeca." },
};
const creator = { id: "ana", name: "Ana Prado", username: "ana", avatarMediaId: null };

export const COLLECTIONS: GalleryScreen = {
  slug: "collections",
  title: "Coleções",
  parts: [
    ...[collection, longCollection].flatMap((shown) => [
      {
        name: `Cabeçalho: ${shown.cover ? "comprido, com capa" : "à venda"}`,
        element: (
          <CollectionHeader
            collection={shown}
            creator={creator}
            creatorPath="/space/ana"
            share={<Button variant="outline">Compartilhar</Button>}
          />
        ),
      },
      {
        name: "Linha",
        element: (
          <CollectionLine collection={shown} postsCount={shown.postsCount} to="/collection/a" />
        ),
      },
    ]),
    {
      name: "Capa",
      element: <CollectionCover cover={null} title="Rabeca do zero" className="h-32 w-full" />,
    },
    { name: "À venda", element: <CollectionOfferCard collectionId="a" priceCents={4_990} /> },
    {
      name: "Publicações, lidas e não",
      element: (
        <EntryList
          entries={[
            { number: 1, isRead: true, post },
            { number: 2, isRead: false, post: lockedPosts["para assinantes"] },
          ]}
          pathOf={(id) => `/post/${id}`}
        />
      ),
    },
    {
      name: "Dentro de uma coleção",
      element: (
        <CollectionNavigation
          place={{
            collectionId: "a",
            title: "Rabeca do zero",
            priceCents: null,
            number: 2,
            total: 12,
            isRead: false,
            previous: { id: "x", title: "Afinação" },
            next: { id: "y", title: LONG_WORD },
          }}
          postPathOf={(id) => `/post/${id}`}
          collectionPath="/collection/a"
        />
      ),
    },
    {
      name: "Faz parte de",
      element: (
        <ContainingCollections
          places={[{ collectionId: "a", title: "Rabeca do zero", priceCents: 4_990 }]}
          pathOf={(id) => `/collection/${id}`}
        />
      ),
    },
    {
      name: "Leitura: não começou, no meio, completa",
      element: (
        <div className="flex flex-col gap-4">
          {[0, 5, 12].map((read) => (
            <ReadingProgress
              key={read}
              collectionId="a"
              isQuiet={false}
              progress={{
                total: 12,
                read,
                percent: Math.round((read / 12) * 100),
                isStarted: read > 0,
                continueId: read === 12 ? null : "x",
              }}
            />
          ))}
        </div>
      ),
    },
    {
      name: "Marcar como lida",
      element: <ReadMark collectionId="a" postId="x" isRead={false} to="/collection/a" />,
    },
  ],
};
