import type { PostState } from "#app/domain/posts/rules/composing.ts";
import type { ComposerValues } from "./values.ts";

/** What was typed and did not reach the server yet, kept in this browser. */
export type LocalCopy = { postId: string; savedAt: number; values: ComposerValues };

/** What the server keeps of a post; `values` is null once it was deleted. */
export type ServerCopy = { state: PostState; savedByTab: string; values: ComposerValues | null };

/**
 * A copy that holds something that the server does not; `isPublished` is of its post, which is
 * changed on its own page.
 */
export type Recoverable = LocalCopy & { isPublished: boolean };

const PREFIX = "coreto-draft:";
const keyOf = (authorId: string, postId: string) => `${PREFIX}${authorId}:${postId}`;
/** Fields that say which composer wrote, and not what. */
const OF_THE_COMPOSER = new Set(["tab", "version", "hasPicker", "space"]);

/** Keeps a copy. False where the browser keeps nothing. */
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

/** Every copy of `authorId` in this browser, newest first; what cannot be read is left out. */
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
 * Whether a copy holds what the server does not. An answer may have been lost, or the tab closed
 * before it came: what the same composer published, or saved word for word, is there; a deleted
 * post is not brought back by what was typed before.
 */
export function isUnsaved(copy: Pick<LocalCopy, "values">, kept: ServerCopy | null): boolean {
  if (kept === null) return true;
  if (
    kept.values === null ||
    (kept.state === "published" && kept.savedByTab === copy.values["tab"])
  )
    return false;
  const names = new Set([...Object.keys(copy.values), ...Object.keys(kept.values)]);
  return [...names].some(
    (name) =>
      !OF_THE_COMPOSER.has(name) && asKept(copy.values[name]) !== asKept(kept.values?.[name]),
  );
}

/**
 * The newest of `copies` that is not on the server, after forgetting those that are. Whom the
 * server cannot be asked about stays.
 */
export async function newestUnsaved(
  authorId: string,
  copies: LocalCopy[],
): Promise<Recoverable | null> {
  for (const copy of copies) {
    const kept = await keptOf(copy.postId);
    if (isUnsaved(copy, kept)) return { ...copy, isPublished: kept?.state === "published" };
    deleteLocalCopy(authorId, copy.postId);
  }
  return null;
}

/** Lines end as a form sends them, and edges are trimmed, on the server only. */
function asKept(value = ""): string {
  return value.replaceAll("\r\n", "\n").trim();
}

/** Null also when it cannot be known: a copy too many is offered rather than one too few. */
async function keptOf(postId: string): Promise<ServerCopy | null> {
  try {
    const answer = await fetch(`/resources/posts/${postId}/kept`);
    return answer.ok ? ((await answer.json()) as { kept: ServerCopy | null }).kept : null;
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
