import { METHODS_IN_TEXT } from "#app/domain/payments/methods/rules.ts";
import { quoted } from "#app/domain/text.ts";
import type { MetaDescriptor } from "react-router";
import { explorePageLabel, explorePath } from "#app/domain/discovery/schema.ts";
import type { ExploreFilter, PostKind } from "#app/domain/discovery/schema.ts";
import { CATEGORY_LABELS } from "#app/domain/profiles/rules/categories.ts";
import { sharedMeta } from "./public-meta.ts";
import { faqPage, organization, structuredData, webSite } from "./structured-data.ts";

/**
 * The metadata of `/explore`. Only its first page is for indexing, whole and of each subject:
 * searches and further pages are not.
 */
export function exploreMeta({
  asked,
  origin,
}: {
  asked: Pick<ExploreFilter, "q" | "category" | "kind" | "show" | "cursor">;
  origin: string;
}): MetaDescriptor[] {
  const { q, category, cursor } = asked;
  const subject = category ? CATEGORY_LABELS[category] : null;
  const path = explorePath(asked);
  const page = path === "/explore" ? null : explorePageLabel(asked);
  const shown = [page, subject].filter((part) => part !== null).join(" · ");
  const title = shown === "" ? "Explorar o Coreto" : `${shown} no Coreto`;
  const pageUrl = `${origin}${path}${category ? `?category=${category}` : ""}`;
  const description = exploreDescription(asked, subject);
  return [
    { title: `${q === "" ? "" : `${quoted(q)} · `}${shown === "" ? "Explorar" : shown} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...(q === "" && cursor === null ? [] : [{ name: "robots", content: "noindex, follow" }]),
    ...sharedMeta({ type: "website", title, description, pageUrl, ...productPicture(origin) }),
    structuredData(organization(origin), webSite(origin)),
  ];
}

/** What each page of `/explore` shows, for who finds it in a search engine. */
const KIND_DESCRIPTIONS: Record<PostKind, string> = {
  image: "Fotos, desenhos e quadrinhos publicados no Coreto, em alta e novos.",
  video: "Vídeos publicados no Coreto, em alta e novos: aulas, bastidores, ensaios e mais.",
  audio: "Músicas, episódios e gravações publicados no Coreto, em alta e novos.",
  document: "Cifras, apostilas, zines e outros PDFs publicados no Coreto, em alta e novos.",
  text: "Crônicas, receitas, aulas e notícias escritas no Coreto, em alta e novas.",
};

function exploreDescription(
  { kind, show }: Pick<ExploreFilter, "kind" | "show">,
  subject: string | null,
): string {
  const about = subject === null ? "" : `${subject}. `;
  if (show === "people")
    return `${about}Quem publica no Coreto. Siga de graça, ou assine por ${METHODS_IN_TEXT}.`;
  if (kind !== null) return about + KIND_DESCRIPTIONS[kind];
  return subject === null
    ? `Quem publica no Coreto: música, quadrinhos, aulas, fotografia, cozinha e mais. Para ler, ver, ouvir e assinar por ${METHODS_IN_TEXT}.`
    : `${subject}: quem publica no Coreto, e o que há de novo para ler, ver e ouvir.`;
}

/** The same for the first page of the product. */
export function homeMeta({
  origin,
  description,
}: {
  origin: string;
  description: string;
}): MetaDescriptor[] {
  const title = "Coreto: publique, seja seguido e receba por Pix";
  const pageUrl = `${origin}/`;
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...sharedMeta({ type: "website", title, description, pageUrl, ...productPicture(origin) }),
    structuredData(organization(origin), webSite(origin)),
  ];
}

/** The same for the help centre. A search is not indexed. */
export function helpMeta({
  origin,
  query,
  questions,
}: {
  origin: string;
  query: string;
  questions: readonly { id: string; asked: string; text: string }[];
}): MetaDescriptor[] {
  const description =
    "Respostas curtas sobre Pix, assinaturas, reembolso, saques, documentos e a sua conta no Coreto.";
  const pageUrl = `${origin}/ajuda`;
  return [
    { title: `${query === "" ? "" : `${quoted(query)} · `}Ajuda · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...(query === "" ? [] : [{ name: "robots", content: "noindex, follow" }]),
    ...sharedMeta({
      type: "website",
      title: "Ajuda",
      description,
      pageUrl,
      ...productPicture(origin),
    }),
    structuredData(organization(origin), webSite(origin), faqPage({ pageUrl, questions })),
  ];
}

const productPicture = (origin: string) => ({
  picture: `${origin}/coreto.png`,
  alt: "Um coreto de papel recortado sob varais de bandeirinhas",
});
