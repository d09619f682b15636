import { publicPostPath } from "#app/domain/posts/rules.ts";
import type {
  CollectionCreator,
  CollectionEntry,
  CollectionSummary,
} from "#app/domain/collections/schema.ts";
import { postPicturePath, spacePicturePath } from "#app/domain/syndication/rules/pictures.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";

type SchemaOrgThing = Record<string, unknown> & { "@type": string };

/** Renders schema.org objects as one script of a page. They refer to each other by `@id`. */
export function structuredData(...things: SchemaOrgThing[]) {
  return { "script:ld+json": { "@context": "https://schema.org", "@graph": things } };
}

/** The organisation that operates the product. */
export function organization(origin: string): SchemaOrgThing {
  return {
    "@type": "Organization",
    "@id": `${origin}/#organization`,
    name: "Coreto",
    url: `${origin}/`,
    logo: { "@type": "ImageObject", url: `${origin}/logo-light.svg` },
  };
}

export function webSite(origin: string): SchemaOrgThing {
  return {
    "@type": "WebSite",
    "@id": `${origin}/#website`,
    name: "Coreto",
    url: `${origin}/`,
    inLanguage: "pt-BR",
    publisher: { "@id": `${origin}/#organization` },
  };
}

type BreadcrumbItem = { name: string; url: string };

/** The path to a page, from the top down. */
export function breadcrumbs(crumbs: BreadcrumbItem[]): SchemaOrgThing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, url }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: url,
    })),
  };
}

type SpaceDataInput = { profile: PublicProfile; origin: string; pageUrl: string };

/**
 * The page of a person. Source:
 * https://developers.google.com/search/docs/appearance/structured-data/profile-page
 */
export function profilePage({ profile, origin, pageUrl }: SpaceDataInput): SchemaOrgThing {
  return {
    "@type": "ProfilePage",
    "@id": pageUrl,
    url: pageUrl,
    name: profile.name,
    dateCreated: new Date(profile.createdAt).toISOString(),
    inLanguage: "pt-BR",
    isPartOf: { "@id": `${origin}/#website` },
    primaryImageOfPage: { "@type": "ImageObject", url: origin + spacePicturePath(profile) },
    mainEntity: personOf({ profile, origin, pageUrl }),
  };
}

function personOf({ profile, origin, pageUrl }: SpaceDataInput): SchemaOrgThing {
  return {
    "@type": "Person",
    "@id": `${pageUrl}#person`,
    name: profile.name,
    alternateName: profile.username,
    identifier: profile.id,
    url: pageUrl,
    image: profile.avatarMediaId
      ? `${origin}/media/${profile.avatarMediaId}/320`
      : origin + spacePicturePath(profile),
    ...(profile.bio ? { description: profile.bio } : {}),
    ...(profile.links.length > 0 ? { sameAs: profile.links.map(({ url }) => url) } : {}),
    interactionStatistic: {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/FollowAction",
      userInteractionCount: profile.followersCount,
    },
    agentInteractionStatistic: {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/WriteAction",
      userInteractionCount: profile.postsCount,
    },
  };
}

/** The class of the elements behind the paywall. */
export const PAYWALL_CLASS = "paywall";

type PostDataInput = { post: PostPreview; origin: string; pageUrl: string; description: string };

/**
 * A post; a locked one declares which part is. Source:
 * https://developers.google.com/search/docs/appearance/structured-data/paywalled-content
 */
export function blogPosting({ post, origin, pageUrl, description }: PostDataInput): SchemaOrgThing {
  const author = `${origin}/space/${post.author.username}/public`;
  const isOpen = post.access.visible;
  return {
    "@type": "BlogPosting",
    "@id": `${pageUrl}#post`,
    headline: post.title,
    description,
    inLanguage: "pt-BR",
    image: origin + postPicturePath(post),
    datePublished: new Date(post.publishedAt).toISOString(),
    dateModified: new Date(post.editedAt ?? post.publishedAt).toISOString(),
    mainEntityOfPage: pageUrl,
    isPartOf: { "@id": `${origin}/#website` },
    author: { "@type": "Person", "@id": `${author}#person`, name: post.author.name, url: author },
    publisher: { "@id": `${origin}/#organization` },
    interactionStatistic: [
      {
        "@type": "InteractionCounter",
        interactionType: "https://schema.org/LikeAction",
        userInteractionCount: post.likesCount,
      },
      {
        "@type": "InteractionCounter",
        interactionType: "https://schema.org/CommentAction",
        userInteractionCount: post.commentsCount,
      },
    ],
    isAccessibleForFree: isOpen,
    ...(isOpen
      ? {}
      : {
          hasPart: {
            "@type": "WebPageElement",
            isAccessibleForFree: false,
            cssSelector: `.${PAYWALL_CLASS}`,
          },
        }),
  };
}

type CollectionDataInput = {
  collection: CollectionSummary;
  creator: CollectionCreator;
  entries: Pick<CollectionEntry, "number" | "post">[];
  origin: string;
  pageUrl: string;
  description: string;
  picture: string;
};

/** A collection with its items in order, and its price if it is sold. */
export function collectionPage({
  collection,
  creator,
  entries,
  origin,
  pageUrl,
  description,
  picture,
}: CollectionDataInput): SchemaOrgThing {
  const { priceCents } = collection;
  return {
    "@type": "CollectionPage",
    "@id": pageUrl,
    name: collection.title,
    description,
    url: pageUrl,
    inLanguage: "pt-BR",
    isAccessibleForFree: priceCents === null,
    author: {
      "@type": "Person",
      name: creator.name,
      url: `${origin}/space/${creator.username}/public`,
    },
    image: picture,
    ...(priceCents === null
      ? {}
      : {
          offers: {
            "@type": "Offer",
            price: (priceCents / 100).toFixed(2),
            priceCurrency: "BRL",
            url: pageUrl,
          },
        }),
    mainEntity: {
      "@type": "ItemList",
      numberOfItems: collection.postsCount,
      itemListElement: entries.map(({ number, post }) => ({
        "@type": "ListItem",
        position: number,
        name: post.title,
        url: origin + publicPostPath(creator.username, post.id),
      })),
    },
  };
}

/** Questions with their answers. Source: https://schema.org/FAQPage */
export function faqPage({
  pageUrl,
  questions,
}: {
  pageUrl: string;
  questions: readonly { id: string; asked: string; text: string }[];
}): SchemaOrgThing {
  return {
    "@type": "FAQPage",
    "@id": pageUrl,
    inLanguage: "pt-BR",
    mainEntity: questions.map(({ id, asked, text }) => ({
      "@type": "Question",
      "@id": `${pageUrl}#${id}`,
      name: asked,
      acceptedAnswer: { "@type": "Answer", text },
    })),
  };
}
