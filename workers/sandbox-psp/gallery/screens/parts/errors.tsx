import { NoSpaceYet } from "#app/components/analytics/no-space-yet.tsx";
import { MemberShell } from "#app/components/shell/member-shell.tsx";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { ErrorMessage, ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { FlashToast } from "#app/components/shell/flash-toast.tsx";
import { PendingPage } from "#app/components/shell/navigation/pending-page.tsx";
import { PublicError } from "#app/components/shell/errors/public-error.tsx";
import { TransportErrorForm } from "#app/components/shell/errors/transport-error-form.tsx";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { PostConfirmationPage } from "#app/components/posts/own-posts/post-confirmation-page.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { MoreLink, TruncatedNote } from "#app/components/ui/links/pager.tsx";
import { Loading, Skeleton } from "#app/components/ui/skeleton.tsx";
import {
  bia,
  LONG_NAME,
  LONG_WORD,
  NOW,
  ORIGIN,
  post,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const answer = (status: number, message?: string) => ({
  status,
  statusText: "",
  internal: false,
  data: message === undefined ? null : { message },
});

export const STATES: GalleryScreen = {
  slug: "states",
  title: "Vazios, carregando, erros e perguntas",
  parts: [
    {
      name: "Vazio",
      element: (
        <EmptyState title="Nada por aqui" action={<ButtonLink to="/explore">Explorar</ButtonLink>}>
          O que você seguir aparece aqui.
        </EmptyState>
      ),
    },
    {
      name: "Vazio, com palavra comprida",
      element: <EmptyState title={LONG_WORD}>{LONG_NAME}</EmptyState>,
    },
    { name: "Números de quem ainda não tem página", element: <NoSpaceYet /> },
    { name: "Carregando uma publicação", element: <Loading shape="post" /> },
    { name: "Carregando linhas", element: <Loading shape="rows" count={3} /> },
    { name: "Carregando uma linha", element: <Skeleton className="h-6 w-40" /> },
    { name: "Carregando números", element: <Loading shape="figures" />, isWide: true },
    { name: "Carregando opções de uma busca", element: <Loading shape="options" /> },
    {
      name: "Carregando outra página",
      element: (
        <PendingPage pending={{ path: "/notifications", isSamePage: false }}>{null}</PendingPage>
      ),
    },
    {
      name: "Carregando outros resultados da mesma página",
      element: (
        <PendingPage pending={{ path: "/explore", isSamePage: true }}>
          <EmptyState title="O que já estava na tela fica">Até o novo chegar.</EmptyState>
        </PendingPage>
      ),
    },
    ...[400, 401, 403, 404, 409, 429, 500, 503].map((status) => ({
      name: `Erro ${status}`,
      element: <ErrorPage error={answer(status)} />,
    })),
    {
      name: "Recusa com recado próprio",
      element: <ErrorPage error={answer(403, "Só quem é da equipe pode ver isto.")} />,
    },
    {
      name: "Sem internet",
      element: (
        <ErrorMessage
          title="Você está sem internet"
          text="Confira a conexão e tente de novo. Nada do que você fez se perdeu."
          status={null}
        />
      ),
    },
    {
      name: "Link vencido",
      element: (
        <ErrorMessage
          title="Este link venceu"
          text="Peça outro: ele vale por uma hora."
          status={410}
        />
      ),
    },
    {
      name: "Formulário que não chegou",
      element: (
        <TransportErrorForm
          message="Não conseguimos confirmar quem você é."
          path="/post/a"
          typed={{ values: { body: "Que som!" }, isWhole: true }}
        />
      ),
    },
    {
      name: "Confirmar",
      element: (
        <ConfirmationPage
          heading="Apagar a coleção"
          title={LONG_NAME}
          means="As publicações continuam."
          button={<Button variant="danger">Apagar</Button>}
          backTo="/collection/a"
          message={null}
        />
      ),
    },
    {
      name: "Confirmar, depois de um erro",
      element: (
        <PostConfirmationPage
          heading="Apagar a publicação"
          post={{ id: "a", title: "Itinerário de março" }}
          means="Quem a comprou recebe o dinheiro de volta."
          button={<Button variant="danger">Apagar</Button>}
          message="Ela mudou enquanto você olhava."
        />
      ),
    },
    {
      name: "Aviso de que deu certo, com desfazer",
      element: (
        <FlashToast
          flash={{ kind: "success", message: "Publicação apagada.", undo: "/post/a/restoration" }}
        />
      ),
    },
    {
      name: "Aviso de erro",
      element: <FlashToast flash={{ kind: "error", message: "Não deu certo. Tente de novo." }} />,
    },
    {
      name: "Mais, e lista cortada",
      element: (
        <div className="flex flex-col gap-3">
          <MoreLink next="cursor" />
          <TruncatedNote list={{ items: [1, 2, 3], isCut: true }} />
        </div>
      ),
    },
  ],
};

export const PUBLIC_ERROR: GalleryScreen = {
  slug: "public-error",
  title: "Tela de erro para visitantes",
  isWhole: true,
  parts: [{ name: "404", element: <PublicError error={answer(404)} /> }],
};

const acting = {
  spaceId: null,
  name: "Ana Prado",
  isCreator: true,
  publishes: true,
  readsMessages: true,
  hasTeams: true,
  uncompletedFeatures: true,
};

export const MEMBER_FRAME: GalleryScreen = {
  slug: "member-frame",
  title: "Moldura de quem entrou",
  isWhole: true,
  parts: [
    {
      name: "Início",
      element: (
        <MemberShell
          member={{ name: "Ana Prado", username: "ana", avatarUrl: null, isModerator: true }}
          acting={acting}
          unread={3}
          money={{
            availableCents: 123_456,
            pendingCents: 45_600,
            releases: [{ releaseAt: NOW, netCents: 45_600 }],
            lastReleaseAt: NOW,
          }}
          people={[
            {
              id: "bia",
              username: "bia",
              name: bia.name,
              craft: bia.craft,
              avatarUrl: null,
            },
          ]}
          flash={null}
        >
          <h1 className="sr-only">Início</h1>
          <PostCard post={post} now={NOW} origin={ORIGIN} />
        </MemberShell>
      ),
    },
  ],
};
