import { quoted } from "#app/domain/text.ts";
import type { MetaDescriptor } from "react-router";
import type { ExploreFilter } from "#app/domain/discovery/schema.ts";
import { CATEGORY_LABELS } from "#app/domain/profiles/rules/categories.ts";
import { sharedMeta } from "./public-meta.ts";
import { faqPage, organization, structuredData, webSite } from "./structured-data.ts";

/**
 * The metadata of `/explore`. Only its first page is for indexing, whole and of each subject:
 * searches and further pages are not.
 */
export function exploreMeta({
  asked: { q, category, cursor },
  origin,
}: {
  asked: Pick<ExploreFilter, "q" | "category" | "cursor">;
  origin: string;
}): MetaDescriptor[] {
  const subject = category ? CATEGORY_LABELS[category] : null;
  const title = subject ? `${subject} no Coreto` : "Explorar o Coreto";
  const description = subject
    ? `${subject}: quem publica no Coreto, e o que há de novo para ler, ver e ouvir.`
    : "Quem publica no Coreto: música, quadrinhos, aulas, fotografia, cozinha e mais. Para ler, ver, ouvir e assinar por Pix ou cartão.";
  const pageUrl = `${origin}/explore${category ? `?category=${category}` : ""}`;
  return [
    { title: `${q === "" ? "" : `${quoted(q)} · `}${subject ?? "Explorar"} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...(q === "" && cursor === null ? [] : [{ name: "robots", content: "noindex, follow" }]),
    ...sharedMeta({ type: "website", title, description, pageUrl, ...productPicture(origin) }),
    structuredData(organization(origin), webSite(origin)),
  ];
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
