import type { MediaItem } from "#app/domain/media/schema.ts";
import type { NewsletterMail } from "#app/domain/notifications/schema/senders.ts";
import { lockText, unlockLabel, unlockPath } from "#app/domain/posts/rules.ts";
import { picturesInText, renderMarkdown } from "#app/domain/posts/rules/markdown.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { counted } from "#app/domain/text.ts";
import { DAY_MS } from "#app/domain/time.ts";

/** Gmail cuts an email whose HTML is longer than 102 kB. The frame around the post takes the rest. */
const HTML_MAX_BYTES = 80_000;
/** The width of the text in the email. Some programs drop the style sheet that would limit it. */
const PICTURE_WIDTH_PIXELS = 512;

/** Whether an outbox message is the newsletter of a post. */
export const isNewsletter = (outboxId: string): boolean => /^post:[^:]+:mailed$/.test(outboxId);

type Urls = {
  /** Returns the URL of an open post's picture, for this reader. */
  urlOfPicture: (picture: MediaItem) => string;
  /** Returns where a link of the email leads, for this reader. */
  urlOfLink: (address: string) => string;
};
type Input = Urls & { post: Post; appOrigin: string };

/** How long after the first email openings and clicks count, and who did either is remembered. */
export const COUNTED_MS = 30 * DAY_MS;

/** Whether a link's clicks are counted: it is a page on the web, not an email address. */
const isCountedLink = (address: string): boolean =>
  address.startsWith("https://") || address.startsWith("http://");

/**
 * Writes a post as an email to one of its readers: the whole text with its pictures, or, while it
 * is locked to them, its teaser, why it is locked and the cheapest way in. HTML and text say the
 * same.
 */
export function newsletterMail({ post, appOrigin, ...urls }: Input): NewsletterMail {
  const reason = `Você recebe este e-mail porque segue ou assina ${post.author.name}. Os cliques nos links são contados.`;
  const head = `${post.author.name} publicou:`;
  const title = `<p style="margin:0 0 8px">${escaped(head)}</p><h1 dir="auto" style="margin:0 0 20px;font-size:26px;line-height:1.2">${escaped(post.title)}</h1>`;
  const { html, text, path, button } =
    post.access.visible && post.content !== null
      ? openPart({ ...post, content: post.content }, urls)
      : lockedPart(post);
  return {
    subject: post.title,
    body: `${head}\n\n${post.title}\n\n${text}`,
    html: title + html,
    preheader: post.teaser === "" ? text : post.teaser,
    actionUrl: urls.urlOfLink(appOrigin + path),
    button,
    reason,
  };
}

/** Returns the addresses whose clicks an email of the post counts: its links and its button. */
export function linksOf(post: Post, appOrigin: string): string[] {
  const found = new Set<string>();
  const urlOfLink = (address: string) => {
    found.add(address);
    return address;
  };
  newsletterMail({ post, appOrigin, urlOfPicture: () => "", urlOfLink });
  return [...found].filter(isCountedLink);
}

type Part = { html: string; text: string; path: string; button: string };

function openPart(post: Post & { content: string }, urls: Urls): Part {
  const pictures = post.isSensitive ? [] : post.media.filter(({ kind }) => kind === "image");
  const { html, isCut, shown } = fittingHtml(post.content, pictures.map(scaled), urls);
  const others = othersText(post);
  const notes = [
    ...(post.isSensitive && post.media.length > 0
      ? ["Há conteúdo sensível, que só aparece no Coreto."]
      : []),
    ...(others === "" ? [] : [`Com a publicação: ${others}.`]),
    ...(isCut ? ["O texto continua no Coreto."] : []),
  ];
  return {
    html: html + notes.map((note) => `<p>${escaped(note)}</p>`).join(""),
    text: [plainText(shown), ...notes].join("\n\n"),
    path: `/post/${post.id}`,
    button: isCut ? "Continuar lendo" : "Abrir no Coreto",
  };
}

/** Leaves out the end of a text whose HTML would be too long, at a paragraph. */
function fittingHtml(
  content: string,
  pictures: MediaItem[],
  urls: Urls,
): { html: string; isCut: boolean; shown: string } {
  for (let shown = content; ; shown = shortened(shown)) {
    const html = openHtml(shown, pictures, urls);
    if (new TextEncoder().encode(html).length <= HTML_MAX_BYTES || shown === "")
      return { html, isCut: shown.length < content.length, shown };
  }
}

function shortened(content: string): string {
  const most = Math.floor(content.length * 0.8);
  const end = content.lastIndexOf("\n\n", most);
  return content.slice(0, end > 0 ? end : most);
}

function openHtml(
  content: string,
  pictures: MediaItem[],
  { urlOfPicture, urlOfLink }: Urls,
): string {
  const inText = picturesInText(content, pictures);
  return (
    renderMarkdown(content, { heading: 2, pictures: inText, urlOfPicture, urlOfLink }) +
    pictures
      .filter((picture) => !inText.includes(picture))
      .map(
        (picture) =>
          `<p><img src="${escaped(urlOfPicture(picture))}" alt="${escaped(picture.alt)}" width="${picture.width}" height="${picture.height}"></p>`,
      )
      .join("")
  );
}

function scaled(picture: MediaItem): MediaItem {
  if (picture.width <= PICTURE_WIDTH_PIXELS) return picture;
  const ratio = PICTURE_WIDTH_PIXELS / picture.width;
  return {
    ...picture,
    width: PICTURE_WIDTH_PIXELS,
    height: Math.round(picture.height * ratio),
  };
}

function othersText(post: Post): string {
  const numberOf = (kind: MediaItem["kind"]) =>
    post.media.filter((item) => item.kind === kind).length;
  const parts = [
    [numberOf("video"), "vídeo", "vídeos"],
    [numberOf("audio"), "áudio", "áudios"],
    [numberOf("document"), "arquivo", "arquivos"],
  ] as const;
  const named = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => counted(count, one, many));
  return new Intl.ListFormat("pt-BR").format(named);
}

/** Markdown is readable as it is; only its pictures are replaced by what they show. */
const plainText = (content: string): string =>
  content.replaceAll(/!\[((?:\\[^\n]|[^\\\]\n]){0,300})\]\(\/media\/[^)\s]*\)/g, (_, alt: string) =>
    alt === "" ? "[Imagem]" : `[Imagem: ${alt}]`,
  );

function lockedPart(post: Post): Part {
  const unlock = post.access.visible ? null : post.access.cheapestUnlock;
  const why = lockText(post);
  const lines = [...(post.teaser === "" ? [] : [post.teaser]), why];
  return {
    html: lines.map((line) => `<p dir="auto">${escaped(line)}</p>`).join(""),
    text: lines.join("\n\n"),
    path:
      unlock === null || unlock.kind === "follow"
        ? `/post/${post.id}`
        : unlockPath(unlock, post.id),
    button: unlock === null ? "Ver a publicação" : unlockLabel(unlock, post.author),
  };
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
