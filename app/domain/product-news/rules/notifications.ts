import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { ProductNewsMessage } from "#app/domain/product-news/schema/outbox.ts";

/** Notifies everybody of a piece of news, or of new terms. */
export const productNewsNotifications: NotificationRenderers<ProductNewsMessage> = {
  "product_news.sent": ({ type: kind, newsId, text, path }) => ({
    key: `news:${newsId}`,
    kind,
    about: "news",
    body: text,
    path,
    mail: null,
  }),
  "terms.announced": ({ type: kind, version, from }) => ({
    key: `terms:${version}`,
    kind,
    about: "terms",
    body: `Os termos do Coreto mudam em ${from}.`,
    path: "/terms",
    mail: {
      subject: `Os termos do Coreto mudam em ${from}`,
      body: `Os termos de uso e as políticas do Coreto mudam em ${from}. Leia antes de valerem.\n\nQuem não concordar pode encerrar a conta sem custo e levar o que é seu, em Configurações.`,
      button: "Ler os termos",
    },
  }),
};
