import type MarkdownIt from "markdown-it";
import type { StateInline, Token } from "markdown-it";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";

/** A picture of a text: the file that it names, and its description there. */
type PictureMark = { mediaId: string; alt: string };

/**
 * The Markdown of a picture, which names an uploaded file by its address. Any other image is text.
 * A description of 300 characters bounds the work on a text full of brackets.
 */
const PICTURE =
  /!\[((?:\\[^\n]|[^\\\]\n]){0,300})\]\(\/media\/([0-9a-z-]{1,64})\/[0-9a-z]{1,10}\)/y;

/** Returns the Markdown that puts an uploaded picture into a text. */
export function pictureMarkdown({ id, alt }: Pick<MediaItem, "id" | "alt">): string {
  const description = alt
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\[\]]/g, "\\$&");
  return `![${description}](${mediaUrl(id, "1280")})`;
}

/** Lets `markdownIt` read pictures, as tokens of the type `picture`. */
export function readPictures(markdownIt: MarkdownIt): void {
  markdownIt.inline.ruler.before("link", "picture", (state: StateInline, isDryRun: boolean) => {
    PICTURE.lastIndex = state.pos;
    const found = PICTURE.exec(state.src);
    if (!found) return false;
    const [whole, alt = "", mediaId = ""] = found;
    if (!isDryRun) {
      const mark: PictureMark = { mediaId, alt: alt.replaceAll(/\\([^\n])/g, "$1").trim() };
      state.push("picture", "img", 0).meta = mark;
    }
    state.pos += whole.length;
    return true;
  });
}

/** Returns the mark of a token; null for any other token. */
export function pictureMarkOf(token: Token): PictureMark | null {
  return token.type === "picture" ? (token.meta as PictureMark) : null;
}
