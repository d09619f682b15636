import { CollectionForm } from "#app/components/collections/collection-form.tsx";
import { ImportChoices, ImportFilters } from "#app/components/collections/import-form.tsx";
import { OrderList } from "#app/components/collections/order-list.tsx";
import { Composer } from "#app/components/composer/composer.tsx";
import { QuickComposer } from "#app/components/composer/quick-composer.tsx";
import { ReaderPreview } from "#app/components/composer/reader-preview.tsx";
import { VersionChoice } from "#app/components/composer/version-choice.tsx";
import { FirstStepsLink } from "#app/components/first-steps/first-steps-link.tsx";
import { InvitationCard } from "#app/components/first-steps/invitation-card.tsx";
import type { PreviewedPage } from "#app/components/first-steps/page-preview.tsx";
import { PictureForm } from "#app/components/first-steps/picture-form.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { STEP_TEXTS } from "#app/components/first-steps/step-texts.ts";
import { StickyOffer } from "#app/components/plans/sticky-offer.tsx";
import { InfinitePostList } from "#app/components/posts/post-list.tsx";
import { PostQrCode } from "#app/components/posts/sharing/post-qr-code.tsx";
import { AvatarField } from "#app/components/profiles/profile-fields.tsx";
import { FirstSteps } from "#app/components/profiles/first-steps.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { firstStepKeys } from "#app/domain/plans/first-steps/rules.ts";
import {
  DAY_MS,
  LONG_NAME,
  LONG_WORD,
  noop,
  NOW,
  ORIGIN,
  picture,
  plan,
  post,
  problem,
  QR,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const selling = { feeBasisPoints: 500, canSell: true };
const plans = [{ id: "camarim", name: "Camarim", price: "R$ 19,90 por mês" }];
const collections = [{ id: "a", title: "Rabeca do zero" }];
const steps = firstStepKeys.map((key, index) => ({ key, isDone: index < 3 }));
const preview: PreviewedPage = {
  username: "ana",
  name: LONG_NAME,
  craft: "Rabequeira",
  city: "Olinda",
  bio: "Toco rabeca.",
  avatarUrl: null,
  bannerUrl: null,
  plans: [{ id: "a", name: "Camarim", amountCents: 1_990, interval: "monthly", isDraft: true }],
  posts: [{ id: "a", title: "Itinerário de março" }],
};

export const STUDIO: GalleryScreen = {
  slug: "studio",
  title: "Publicar e primeiros passos",
  parts: [
    {
      name: "Publicação nova",
      element: (
        <Composer
          authorId="ana"
          values={{}}
          state="new"
          media={[]}
          plans={plans}
          collections={collections}
          selling={selling}
          problem={undefined}
        />
      ),
    },
    {
      name: "Publicação com erro e imagem",
      element: (
        <Composer
          authorId="ana"
          values={{ title: LONG_WORD, content: "Começo no **Recife**." }}
          state="draft"
          media={[picture]}
          plans={plans}
          collections={collections}
          selling={selling}
          problem={{ ...problem({ title: "Use até 140 letras." }) }}
        />
      ),
    },
    {
      name: "Publicar dali mesmo",
      element: (
        <QuickComposer
          name="Ana Prado"
          avatarUrl={null}
          seed={{ authorId: "ana", postId: "nova", tab: "a" }}
          startsOpen
        />
      ),
    },
    {
      name: "Como quem lê vê",
      element: (
        <ReaderPreview
          post={{
            author: { name: "Ana Prado", avatarUrl: null },
            audience: "Todo mundo",
            title: LONG_WORD,
            html: "<p>Começo no Recife.</p>",
            files: [picture],
            isSensitive: true,
            poll: { question: "Que música?", options: ["Asa Branca", "Baião"] },
          }}
        />
      ),
    },
    {
      name: "Duas versões",
      element: (
        <VersionChoice
          message="Esta publicação foi salva em outro lugar."
          typed={{ title: "A minha" }}
          other={{
            copyId: "b",
            state: "draft",
            savedAt: NOW - DAY_MS,
            values: { title: "A outra" },
          }}
          onChosen={noop}
        />
      ),
    },
    {
      name: "Lista sem fim",
      element: (
        <InfinitePostList
          label="Publicações"
          first={{ items: [post], next: "cursor" }}
          source="/resources/feed"
          now={NOW}
          origin={ORIGIN}
          empty={null}
        />
      ),
    },
    {
      name: "Lista vazia",
      element: (
        <InfinitePostList
          label="Publicações"
          first={{ items: [], next: null }}
          source="/resources/feed"
          now={NOW}
          origin={ORIGIN}
          empty={<EmptyState title="Nada ainda" />}
          newPostsSource="/resources/feed-news"
        />
      ),
    },
    {
      name: "QR da publicação",
      element: <PostQrCode drawing={QR} title="Itinerário" pageUrl={ORIGIN} />,
    },
    {
      name: "Coleção, com erro",
      element: (
        <CollectionForm
          values={{}}
          coverMediaId={null}
          mayPrice
          feeBasisPoints={500}
          problem={problem({ title: "Campo obrigatório" })}
          submitLabel="Criar"
        />
      ),
    },
    { name: "Procurar publicações", element: <ImportFilters asked={{ q: "rabeca" }} /> },
    {
      name: "Escolher publicações",
      element: (
        <ImportChoices
          problem={undefined}
          posts={[{ id: "a", title: LONG_WORD, state: "published", at: NOW, kind: "text" }]}
        />
      ),
    },
    {
      name: "Ordem de uma coleção",
      element: (
        <OrderList
          collectionId="a"
          spaceId="ana"
          posts={[
            { id: "a", title: "Afinação", state: "published", scheduledAt: null, isHeld: false },
            {
              id: "b",
              title: LONG_WORD,
              state: "scheduled",
              scheduledAt: NOW + DAY_MS,
              isHeld: false,
            },
          ]}
        />
      ),
    },
    {
      name: "Primeiros passos",
      element: (
        <FirstSteps
          steps={steps.map((step) => ({
            ...step,
            ...STEP_TEXTS[step.key],
            to: `/me/first-steps/${step.key}`,
            note: null,
          }))}
        />
      ),
    },
    { name: "Ir aos primeiros passos", element: <FirstStepsLink to="/me/first-steps" /> },
    {
      name: "Um passo, com a prévia",
      element: (
        <StepFrame step="photo" steps={steps} preview={preview}>
          <PictureForm message={null} hasOne={false} saveLabel="Salvar" replaceLabel="Trocar">
            <AvatarField error="Escolha uma foto." />
          </PictureForm>
        </StepFrame>
      ),
      isWide: true,
    },
    {
      name: "Convite",
      element: (
        <InvitationCard
          name={LONG_NAME}
          username="ana"
          url={`${ORIGIN}/@ana`}
          qr={QR}
          storyPath="/coreto.png"
          followersCount={1}
          invited={{ visitors: 12, follows: 1 }}
        />
      ),
    },
    { name: "Oferta que fica", element: <StickyOffer plans={[plan]} /> },
  ],
};
