import type { PostState } from "#app/domain/posts/rules/composing.ts";
import type { ComposerValues } from "./values.ts";

/** Typed text that the server does not have yet, saved in this browser. */
export type LocalCopy = { postId: string; savedAt: number; values: ComposerValues };

/** What the server stores of a post; `values` is null once the post was deleted. */
export type ServerCopy = { state: PostState; savedByTab: string; values: ComposerValues | null };

/**
 * A copy with text that the server lacks. `isPublished` is about its post, which has its own edit
 * page.
 */
export type Recoverable = LocalCopy & { isPublished: boolean };

const PREFIX = "coreto-draft:";
const keyOf = (authorId: string, postId: string) => `${PREFIX}${authorId}:${postId}`;
/** Fields about the composer that wrote the copy, not about its content. */
const OF_THE_COMPOSER = new Set(["tab", "version", "hasPicker", "space"]);

/** Saves a copy. False where the browser stores nothing. */
export function saveLocalCopy(authorId: string, copy: LocalCopy): boolean {
  try {
    localStorage.setItem(keyOf(authorId, copy.postId), JSON.stringify(copy));
    return true;
  } catch {
    return false;
  }
}

export function deleteLocalCopy(authorId: string, postId: string): void {
  try {
    localStorage.removeItem(keyOf(authorId, postId));
  } catch {
    return;
  }
}

/** Every copy of `authorId` in this browser, newest first; skips unreadable ones. */
export function localCopiesOf(authorId: string): LocalCopy[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(`${PREFIX}${authorId}:`))
      .flatMap((key) => readCopy(localStorage.getItem(key)))
      .toSorted((one, other) => other.savedAt - one.savedAt);
  } catch {
    return [];
  }
}

/** Whether `pathname` is where an accepted composer leads: the page of its post, or its draft. */
export function isOfPost(pathname: string, postId: string): boolean {
  return pathname === `/post/${postId}` || pathname.startsWith(`/post/${postId}/`);
}

/**
 * True if a copy holds text that the server lacks. A save may succeed without its answer arriving.
 * So the same composer's publication or an identical save counts as saved. A deleted post is never
 * restored.
 */
export function isUnsaved(copy: Pick<LocalCopy, "values">, savedCopy: ServerCopy | null): boolean {
  if (savedCopy === null) return true;
  if (
    savedCopy.values === null ||
    (savedCopy.state === "published" && savedCopy.savedByTab === copy.values["tab"])
  )
    return false;
  const names = new Set([...Object.keys(copy.values), ...Object.keys(savedCopy.values)]);
  return [...names].some(
    (name) =>
      !OF_THE_COMPOSER.has(name) &&
      asSaved(copy.values[name]) !== asSaved(savedCopy.values?.[name]),
  );
}

/**
 * The newest of `copies` that the server lacks; deletes those that it has. A copy stays while the
 * server cannot answer.
 */
export async function newestUnsaved(
  authorId: string,
  copies: LocalCopy[],
): Promise<Recoverable | null> {
  for (const copy of copies) {
    const savedCopy = await savedCopyOf(copy.postId);
    if (isUnsaved(copy, savedCopy))
      return { ...copy, isPublished: savedCopy?.state === "published" };
    deleteLocalCopy(authorId, copy.postId);
  }
  return null;
}

/** Normalizes line breaks and edges as the server stores them. */
function asSaved(value = ""): string {
  return value.replaceAll("\r\n", "\n").trim();
}

/** Null also when the server gives no answer: offering one copy too many beats losing one. */
async function savedCopyOf(postId: string): Promise<ServerCopy | null> {
  try {
    const answer = await fetch(`/resources/posts/${postId}/kept`);
    return answer.ok ? ((await answer.json()) as { savedCopy: ServerCopy | null }).savedCopy : null;
  } catch {
    return null;
  }
}

function readCopy(text: string | null): LocalCopy[] {
  const copy: unknown = JSON.parse(text ?? "null");
  const isCopy =
    typeof copy === "object" &&
    copy !== null &&
    "postId" in copy &&
    "savedAt" in copy &&
    "values" in copy;
  return isCopy ? [copy as LocalCopy] : [];
}
