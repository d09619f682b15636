import type { Unlock } from "#app/domain/access/rules.ts";
import { newsletterMail } from "#app/domain/newsletters/rules.ts";
import { NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { emailHtml } from "#app/integrations/mail/html-body.ts";
import { emailText } from "#app/integrations/mail/text-body.ts";
import { MESSAGES, renderNotifications } from "#app/notification-registry.ts";
import { html, pageResponse } from "#workers/sandbox-psp/pages/html.ts";
import type { Markup } from "#workers/sandbox-psp/pages/html.ts";
import { consoleStyle } from "#workers/sandbox-psp/console/console-style.ts";
import { exampleMessage } from "./examples.ts";

const ORIGIN = "https://coreto.example";

/** A notification with example data, as it is shown in each channel. */
export type GalleryItem = {
  type: string;
  kind: NotificationKind;
  /** The row of the list, which is the push too; null for what has none. */
  row: { body: string; path: string } | null;
  mail: { subject: string; html: string; text: string } | null;
};

/** Renders every notification of every message with example data. */
export function galleryItems(): GalleryItem[] {
  const types = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[];
  return [...types.flatMap((type) => itemsOf(type)), ...newsletterItems()];
}

function itemsOf(type: keyof typeof MESSAGES): GalleryItem[] {
  const rendered = renderNotifications(exampleMessage(type));
  if ("postId" in rendered)
    return [
      {
        type,
        kind: "post",
        row: { body: rendered.body, path: `/post/${rendered.postId}` },
        mail: null,
      },
    ];
  if ("key" in rendered) {
    const { about, body, path, mail } = rendered;
    const written = mail && mailOf({ ...mail, actionUrl: ORIGIN + path, reason: reasonOf(about) });
    return [{ type, kind: about, row: { body, path }, mail: written }];
  }
  return rendered.map(({ personId, about, body, path, mail }) => ({
    type,
    kind: about,
    // Who has no account gets only the email.
    row: personId === null ? null : { body, path },
    mail:
      mail &&
      mailOf({
        ...mail,
        ...(personId === null ? {} : { actionUrl: ORIGIN + path }),
        reason: reasonOf(about),
      }),
  }));
}

const reasonOf = (kind: NotificationKind): string =>
  `Você recebe este e-mail porque ${NOTIFICATION_KINDS[kind].reason}.`;

type ExampleMail = {
  subject: string;
  body: string;
  html?: string;
  button?: string;
  /** The address behind the button; missing without one. */
  actionUrl?: string;
  reason: string;
  openingCount?: { pixelUrl: string; settingsUrl: string };
};

function mailOf({ html: content, button, actionUrl, ...written }: ExampleMail) {
  const { subject, body } = written;
  const mail = {
    key: "",
    to: "",
    ...written,
    ...(content === undefined ? {} : { html: content }),
    ...(button === undefined ? {} : { actionLabel: button }),
    ...(actionUrl === undefined || body.includes(`${ORIGIN}/`) ? {} : { actionUrl }),
  };
  return { subject, html: emailHtml(mail), text: emailText(mail) };
}

const UNLOCK: Unlock = {
  kind: "plan",
  way: { kind: "subscribe" },
  planId: "exemplo",
  planName: "Camarim",
  interval: "monthly",
  amountCents: 1_990,
};

const EXAMPLE_POST: Post = {
  id: "exemplo",
  title: "Itinerário de março",
  teaser: "Onde toco no mês que vem.",
  content: "Começo no **Recife**.\n\n- Dia 3, no Teatro do Parque\n- Dia 9, em Olinda\n\nAté lá!",
  publishedAt: 0,
  editedAt: null,
  isPinned: false,
  isSensitive: false,
  state: "published",
  likesCount: 0,
  commentsCount: 0,
  areCommentsClosed: false,
  isLiked: false,
  author: { id: "ana", name: "Ana Prado", username: "ana", avatarMediaId: null },
  rules: [],
  plans: [],
  media: [
    {
      id: "exemplo",
      kind: "image",
      contentType: "image/jpeg",
      width: 1_200,
      height: 800,
      alt: "A banda no coreto da praça, com bandeirinhas.",
      filename: "",
      sizeBytes: 1,
      hasPoster: false,
      captionsVersion: 0,
    },
  ],
  poll: null,
  access: { visible: true },
  isOwn: false,
  publishedBy: null,
};

/** A post by email, whole and closed. */
function newsletterItems(): GalleryItem[] {
  const closed: Post["access"] = {
    visible: false,
    reasons: [{ kind: "subscribers" }],
    cheapestUnlock: UNLOCK,
    otherUnlocks: [],
    awayUntil: null,
  };
  return [EXAMPLE_POST, { ...EXAMPLE_POST, content: null, access: closed }].map((post) => ({
    type: "post.mailed",
    kind: "post" as const,
    row: null,
    mail: mailOf({
      ...newsletterMail({
        post,
        appOrigin: ORIGIN,
        urlOfPicture: () => `${ORIGIN}/media/exemplo/640`,
        urlOfLink: (address) => address,
      }),
      openingCount: {
        pixelUrl: `${ORIGIN}/mail/opening/exemplo`,
        settingsUrl: `${ORIGIN}/settings/notifications#openings`,
      },
    }),
  }));
}

/** Shows all of them, by kind. */
export function galleryPage(): Response {
  const items = galleryItems();
  const kinds = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
  return pageResponse({
    title: "Avisos de exemplo · Coreto",
    style: consoleStyle,
    body: html`<header><h1>Avisos de exemplo</h1><p class="muted">Cada aviso com dados inventados: na lista, no aparelho e por e-mail. As telas e os seus componentes estão em <a href="/sandbox/gallery/buttons">outra galeria</a>. <a href="/sandbox">Voltar ao sandbox</a></p></header>
<main>${kinds.map((kind) =>
      kindSection(
        kind,
        items.filter((item) => item.kind === kind),
      ),
    )}</main>`,
  });
}

const kindSection = (kind: NotificationKind, items: GalleryItem[]): Markup =>
  html`<section id="${kind}"><h2>${NOTIFICATION_KINDS[kind].label}</h2><ul>${items.map(itemLine)}</ul></section>`;

const itemLine = ({ type, row, mail }: GalleryItem): Markup =>
  html`<li><div class="line"><code>${type}</code>${row === null ? null : html`<span>${row.body}</span><span class="muted small">${row.path}</span>`}</div>${mail === null ? html`<p class="muted small">Sem e-mail.</p>` : html`<details><summary><strong>${mail.subject}</strong></summary><div class="mail"><iframe sandbox title="E-mail: ${mail.subject}" srcdoc="${mail.html}"></iframe><div><h3>Texto</h3><pre>${mail.text}</pre></div></div></details>`}</li>`;
