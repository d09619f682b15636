import { CategoryFilter, KindFilter, SearchForm } from "#app/components/explore/filters.tsx";
import {
  AllPeople,
  NoPosts,
  NothingFound,
  People,
  ShowTabs,
  SortTabs,
  Suggestion,
} from "#app/components/explore/results.tsx";
import { AdultNotice } from "#app/components/profiles/adult-notice.tsx";
import { CollectionLinks, CollectionsCard } from "#app/components/profiles/collections-card.tsx";
import {
  CONNECTION_REMOVALS,
  ConnectionList,
  UndoCard,
} from "#app/components/profiles/connection-list.tsx";
import { CreatorCard, PublicCreatorCard } from "#app/components/profiles/creator-card.tsx";
import { CreatorMenu } from "#app/components/profiles/creator-menu.tsx";
import { FollowButton } from "#app/components/profiles/follow-button.tsx";
import { FollowForm } from "#app/components/profiles/follow-form.tsx";
import { FollowSuggestions } from "#app/components/profiles/follow-suggestions.tsx";
import { LinkFields } from "#app/components/profiles/link-fields.tsx";
import { NextEventCard } from "#app/components/profiles/next-event-card.tsx";
import { PageLinkCard } from "#app/components/profiles/page-link-card.tsx";
import { PersonMenu } from "#app/components/profiles/person-menu.tsx";
import { ProfileFields } from "#app/components/profiles/profile-fields.tsx";
import { ProfileHeader } from "#app/components/profiles/profile-header.tsx";
import { ProfileLinks } from "#app/components/profiles/profile-links.tsx";
import { SimilarPeople } from "#app/components/profiles/similar-people.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { exploreSchema } from "#app/domain/discovery/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import {
  ana,
  bia,
  DAY_MS,
  LONG_NAME,
  LONG_WORD,
  newcomer,
  NOW,
  ORIGIN,
  QR,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const header = (profile: PublicProfile) => (
  <ProfileHeader profile={profile} bleed={false}>
    <FollowButton username={profile.username} name={profile.name} isFollowing={false} />
  </ProfileHeader>
);

const person = {
  id: "bruno",
  username: "bruno",
  name: "Bruno Lima",
  since: "Desde 3 de março",
  avatarUrl: null,
};

export const CREATORS: GalleryScreen = {
  slug: "creators",
  title: "Criadores e perfis",
  parts: [
    { name: "Cabeçalho", element: header(ana) },
    { name: "Cabeçalho com nome comprido", element: header(bia) },
    { name: "Cabeçalho de quem acabou de chegar", element: header(newcomer) },
    ...[ana, bia, newcomer].map((creator) => ({
      name: `Cartão: ${creator.username}`,
      element: (
        <ul>
          <CreatorCard creator={creator} isFollowing={creator === bia} />
        </ul>
      ),
    })),
    {
      name: "Cartão para visitantes",
      element: (
        <ul>
          <PublicCreatorCard creator={ana} />
        </ul>
      ),
    },
    {
      name: "Seguir e seguindo",
      element: (
        <div className="flex gap-2">
          <FollowButton username="ana" name="Ana" isFollowing={false} />
          <FollowButton username="ana" name="Ana" isFollowing />
          <FollowForm username="ana" />
        </div>
      ),
    },
    { name: "Links", element: <ProfileLinks links={ana.links} name={ana.name} /> },
    {
      name: "Menus",
      element: (
        <div className="flex gap-2">
          <PersonMenu personId="ana" username="ana" name="Ana" isMuted={false} hasFeed />
          <CreatorMenu username="ana" publishes sells isOwn />
        </div>
      ),
    },
    {
      name: "Próximo evento",
      element: (
        <NextEventCard
          username="ana"
          event={{
            id: "a",
            title: "Ensaio aberto",
            place: "Teatro do Parque",
            startsAt: NOW + DAY_MS,
            timeZone: "America/Sao_Paulo",
          }}
        />
      ),
    },
    {
      name: "Coleções",
      element: (
        <CollectionsCard
          username="ana"
          hasMore
          collections={[
            {
              id: "a",
              title: LONG_WORD,
              description: "",
              postsCount: 1,
              priceCents: null,
              cover: null,
            },
          ]}
        />
      ),
    },
    {
      name: "Endereço da página",
      element: <PageLinkCard url={`${ORIGIN}/@ana`} qr={QR} invites />,
    },
    {
      name: "Pessoas parecidas",
      element: (
        <SimilarPeople
          people={[{ username: "bia", name: LONG_NAME, craft: "Quadrinista", avatarMediaId: null }]}
        />
      ),
    },
    { name: "Página para maiores", element: <AdultNotice name="Zeca" username="zeca" /> },
    {
      name: "Seguidos, e nenhum",
      element: (
        <ConnectionList
          people={[person, { ...person, id: "b", name: LONG_NAME }]}
          takeBack={CONNECTION_REMOVALS.follow}
          page="/settings/connections"
          empty={null}
        />
      ),
    },
    {
      name: "Desfazer",
      element: (
        <UndoCard
          done="unfollow"
          person={{ username: "bruno", name: "Bruno Lima" }}
          page="/settings/connections"
        />
      ),
    },
    {
      name: "Sugestões para quem chega",
      element: (
        <FollowSuggestions people={[ana, bia]} categories={["music", "art"]} hasPosts={false} />
      ),
      isWide: true,
    },
    {
      name: "Campos do perfil, com erros",
      element: (
        <ProfileFields
          initial={{ name: "Ana", bio: "", craft: "", city: "", category: "music" }}
          problem={{ errors: { name: "Campo obrigatório." }, values: { name: "" } }}
          isCreator
          withPictures
        />
      ),
    },
    { name: "Campos dos links", element: <LinkFields links={ana.links} problem={undefined} /> },
  ],
};

const asked = exploreSchema.parse({});
const searched = exploreSchema.parse({ q: "rabeca" });
const found = (profile: PublicProfile) => ({ ...profile, isFollowing: false });

export const EXPLORE: GalleryScreen = {
  slug: "explore",
  title: "Explorar",
  parts: [
    { name: "Procura", element: <SearchForm asked={searched} /> },
    { name: "Assuntos", element: <CategoryFilter asked={{ ...asked, category: "music" }} /> },
    { name: "Tipos", element: <KindFilter asked={{ ...asked, kind: "image" }} /> },
    { name: "Ordem", element: <SortTabs asked={asked} /> },
    { name: "O que procurar", element: <ShowTabs asked={searched} /> },
    {
      name: "Você quis dizer",
      element: <Suggestion asked={exploreSchema.parse({ q: "rabecca" })} suggestion="rabeca" />,
    },
    { name: "Nada encontrado", element: <NothingFound asked={searched} />, isWide: true },
    {
      name: "Nada com uma palavra comprida, com filtros",
      element: (
        <NothingFound asked={{ ...exploreSchema.parse({ q: LONG_WORD }), category: "music" }} />
      ),
      isWide: true,
    },
    { name: "Nada em alta", element: <NoPosts asked={asked} /> },
    { name: "Nada deste tipo", element: <NoPosts asked={{ ...asked, sort: "new" }} /> },
    {
      name: "Pessoas",
      element: (
        <People
          title="Quem está na praça"
          people={[found(ana), found(bia), found(newcomer)]}
          isStrip={false}
          card={(creator) => <PublicCreatorCard key={creator.id} creator={creator} />}
        >
          <AllPeople asked={asked} />
        </People>
      ),
      isWide: true,
    },
    {
      name: "Coleções de um criador",
      element: (
        <CollectionLinks
          signedIn
          username="ana"
          collections={[
            {
              id: "a",
              title: "Rabeca do zero",
              description: "",
              postsCount: 12,
              priceCents: 4_990,
              cover: null,
            },
          ]}
        />
      ),
    },
    { name: "Procurar", element: <Button>Procurar</Button> },
  ],
};
