import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { mediaSrcSet, mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { pictureMarkOf, readPictures } from "./pictures.ts";
import { embeddedVideo } from "#app/domain/media/rules/videos.ts";
import type { Video } from "#app/domain/media/rules/videos.ts";

/** Deeper nested lists and quotes are left out, so that a hostile text costs no more than any other. */
const LIMITS = { maxNesting: 20 };
/**
 * Length of the source of a card's excerpt, with room for headings, links and marks that are longer
 * in Markdown.
 */
export const EXCERPT_SOURCE_CHARACTERS = 2_000;

const LINK_REL = "nofollow ugc noopener";
const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:"]);

/**
 * The supported Markdown: no HTML, images of other sites, indented code, underlined headings or
 * entities. Plain text looks as it was typed. A bare URL becomes a link.
 */
const markdownIt = new MarkdownIt({ html: false, linkify: true, breaks: true, ...LIMITS }).disable([
  "code",
  "entity",
  "html_block",
  "html_inline",
  "image",
  "lheading",
  "reference",
  "table",
]);
markdownIt.validateLink = (address) => SAFE_SCHEMES.has(URL.parse(address)?.protocol ?? "");
markdownIt.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
for (const scheme of ["ftp:", "//", "mailto:"]) markdownIt.linkify.add(scheme, null);
readPictures(markdownIt);

/**
 * Elements that a token opens and closes by its own name. All other HTML is written explicitly
 * below.
 */
const PLAIN_ELEMENTS = new Set(["p", "strong", "em", "s", "blockquote", "ul", "li"]);

type Rendering = {
  heading?: number;
  pictures?: readonly MediaItem[];
  /** Where a feed's reader finds a picture; without it, the sizes of our own pages. */
  urlOfPicture?: (picture: MediaItem) => string;
  /** Where a link leads instead of its address. */
  urlOfLink?: (address: string) => string;
};

/**
 * Renders a person's Markdown as safe HTML. It is the product's only writer of HTML, and an
 * allow-list: an element or attribute that is not named here is never written. `heading` is the
 * level of the top heading (1 to 6). Links have `rel`. A YouTube or Vimeo URL alone on its line is
 * marked as a video, which loads nothing before a click. Of the pictures that the text names, only
 * those of `pictures` are shown, each once.
 */
export function renderMarkdown(
  markdown: string,
  { heading = 2, pictures = [], urlOfPicture, urlOfLink }: Rendering = {},
): string {
  const unshown = new Map(pictures.map((picture) => [picture.id, picture]));
  const pictureHtml = (token: Token): string => {
    const mark = pictureMarkOf(token);
    const picture = mark && unshown.get(mark.mediaId);
    if (!mark || !picture) return "";
    unshown.delete(picture.id);
    return imageHtml(picture, mark.alt || picture.alt, urlOfPicture?.(picture));
  };
  return markdownIt
    .parse(markdown, {})
    .map((token) =>
      token.type === "inline"
        ? inlineHtml(token.children ?? [], { pictureHtml, urlOfLink })
        : blockHtml(token, heading),
    )
    .join("")
    .replaceAll("<p></p>", "");
}

/** Returns those of `media` that the text shows, in their order. */
export function picturesInText(markdown: string, media: readonly MediaItem[]): MediaItem[] {
  if (!markdown.includes("](/media/")) return [];
  const named = new Set(
    markdownIt
      .parse(markdown, {})
      .flatMap(({ children }) => (children ?? []).map((token) => pictureMarkOf(token)?.mediaId)),
  );
  return media.filter(({ id, kind }) => kind === "image" && named.has(id));
}

/** Returns a text without its marks, with a line break between paragraphs. A long text is cut. */
export function markdownText(markdown: string): string {
  const start = markdown.slice(0, EXCERPT_SOURCE_CHARACTERS);
  return markdownIt
    .parse(start, {})
    .flatMap((token) =>
      token.type === "inline"
        ? [(token.children ?? []).map(tokenText).join("")]
        : token.type === "fence"
          ? [token.content.trimEnd()]
          : [],
    )
    .join("\n")
    .trim();
}

function tokenText(token: Token): string {
  return token.type === "softbreak" || token.type === "hardbreak" ? "\n" : token.content;
}

function blockHtml(token: Token, widest: number): string {
  if (token.hidden) return "";
  switch (token.type) {
    case "heading_open":
    case "heading_close":
      return edge(headingTag(token.tag, widest), token.nesting);
    case "ordered_list_open":
      return `<ol${startOf(token)}>`;
    case "ordered_list_close":
      return "</ol>";
    case "hr":
      return "<hr>";
    case "fence":
      return `<pre><code>${escaped(token.content)}</code></pre>`;
    default:
      return elementOrText(token);
  }
}

type InlineWriters = {
  pictureHtml: (token: Token) => string;
  urlOfLink: Rendering["urlOfLink"] | undefined;
};

function inlineHtml(tokens: Token[], { pictureHtml, urlOfLink }: InlineWriters): string {
  const shown = withoutEmptyLinks(tokens);
  return shown
    .map((token, index) => {
      if (token.type === "picture") return pictureHtml(token);
      if (token.type === "link_open")
        return linkOpening(token, { video: videoOnItsOwn(shown, index), urlOfLink });
      return oneInline(token, shown, index);
    })
    .join("");
}

/** Writes a picture with its own proportions, so that the text does not move when it arrives. */
function imageHtml({ id, width, height }: MediaItem, alt: string, url: string | undefined): string {
  const source = url
    ? `src="${escaped(url)}"`
    : `src="${mediaUrl(id, "1280")}" srcset="${mediaSrcSet({ id, width })}" sizes="(min-width: 64rem) 600px, 100vw" loading="lazy" decoding="async"`;
  return `<img ${source} alt="${escaped(alt)}" width="${width}" height="${height}">`;
}

/** Replaces links without an address, such as `[text]()`, by their text. Links never nest. */
function withoutEmptyLinks(tokens: Token[]): Token[] {
  let isEmpty = false;
  return tokens.filter((token) => {
    if (token.type === "link_open") isEmpty = addressOf(token) === "";
    return !isEmpty || (token.type !== "link_open" && token.type !== "link_close");
  });
}

function oneInline(token: Token, all: Token[], index: number): string {
  switch (token.type) {
    case "softbreak":
    case "hardbreak":
      return "<br>";
    case "code_inline":
      return `<code>${escaped(token.content)}</code>`;
    case "text":
      return escaped(videoText(all, index) ?? token.content);
    case "link_close":
      return "</a>";
    default:
      return elementOrText(token);
  }
}

function linkOpening(
  link: Token,
  { video, urlOfLink }: { video: Video | null } & Pick<InlineWriters, "urlOfLink">,
): string {
  const mark = video ? ` data-video="${video.provider}/${video.id}"` : "";
  const address = addressOf(link);
  return `<a href="${escaped(urlOfLink?.(address) ?? address)}" rel="${LINK_REL}" target="_blank"${mark}>`;
}

const addressOf = (link: Token): string => String(link.attrGet("href") ?? "");

/**
 * Returns the video of a link that is alone on its line and whose text is its URL; null for any
 * other token.
 */
function videoOnItsOwn(all: Token[], index: number): Video | null {
  const link = all[index];
  const isEdge = (token: Token | undefined) =>
    token === undefined || token.type === "softbreak" || token.type === "hardbreak";
  const isBare =
    link?.type === "link_open" && link.info === "auto" && all[index + 2]?.type === "link_close";
  return isBare && isEdge(all[index - 1]) && isEdge(all[index + 3])
    ? embeddedVideo(addressOf(link))
    : null;
}

/** Returns the text of a video's card in place of its URL. */
function videoText(all: Token[], index: number): string | null {
  const video = videoOnItsOwn(all, index - 1);
  return video && `Assistir ao vídeo no ${{ youtube: "YouTube", vimeo: "Vimeo" }[video.provider]}`;
}

function elementOrText(token: Token): string {
  return token.nesting !== 0 && PLAIN_ELEMENTS.has(token.tag)
    ? edge(token.tag, token.nesting)
    : escaped(token.content);
}

function edge(tag: string, nesting: number): string {
  return nesting === -1 ? `</${tag}>` : `<${tag}>`;
}

function headingTag(tag: string, widest: number): string {
  return `h${Math.min(6, Number(tag.slice(1)) - 1 + widest)}`;
}

/** Returns the number that starts a list: "1986. Um bom ano". */
function startOf(token: Token): string {
  const start = Number(token.attrGet("start") ?? 1);
  return Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : "";
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}
