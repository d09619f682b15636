import { data } from "react-router";
import type {
  RouterContextProvider,
  UNSAFE_DataWithResponseInit as DataWithResponseInit,
} from "react-router";
import type { OtherVersion } from "#app/components/composer/version-choice.tsx";
import { valuesOfPost } from "#app/components/composer/values.ts";
import type { Context } from "#app/domain/context.ts";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import { AlreadyPublished, NotPublished, PostChangedElsewhere } from "#app/domain/posts/errors.ts";
import { postToEdit } from "#app/domain/posts/queries/studio.server.ts";
import type { PostToEdit } from "#app/domain/posts/queries/studio.server.ts";
import { otherVersionTitle } from "#app/domain/posts/rules/composing.ts";
import { actorContext, domainContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type Refused = DataWithResponseInit<FormProblem>;

/** Refusals after which the author has two versions of one post. */
const OF_TWO_VERSIONS = new Set(
  [new PostChangedElsewhere(), new AlreadyPublished(), new NotPublished()].map(
    ({ message }) => message,
  ),
);

/**
 * Adds the stored version to a composer's refusal, when another composer saved the post since this
 * one opened it. The page then shows both.
 */
export async function withOtherVersion<Answer>(
  context: Readonly<RouterContextProvider>,
  answer: Answer | Refused,
): Promise<Answer | DataWithResponseInit<FormProblem & { other?: OtherVersion }>> {
  if (answer instanceof Response || !isRefused(answer)) return answer;
  const { message, values } = answer.data;
  const postId = values["postId"];
  if (!postId || message === null || !OF_TWO_VERSIONS.has(message)) return answer;
  const ctx = context.get(domainContext);
  const authorId = context.get(actorContext).space.personId;
  const stored = await postToEdit(ctx, { postId, authorId });
  return stored
    ? data({ ...answer.data, other: otherVersion(ctx, stored) }, answer.init ?? {})
    : answer;
}

function isRefused(answer: unknown): answer is Refused {
  return typeof answer === "object" && answer !== null && "data" in answer && "init" in answer;
}

/** The stored version for a composer that has another. `copyId` is the draft of the one not chosen. */
export function otherVersion(ctx: Context, stored: PostToEdit): OtherVersion {
  return {
    copyId: ctx.newId(),
    state: stored.state,
    savedAt: stored.updatedAt,
    values: valuesOfPost(stored, { tab: ctx.newId() }),
  };
}

/**
 * Saves the version that was not chosen as a draft of its own, with its files. Choosing twice makes
 * one draft, because both name it by `copyId`.
 */
export async function saveAsDraft(
  ctx: Context,
  {
    copyId,
    ...version
  }: Omit<Composition, "postId" | "version" | "tab" | "extraWrites"> & {
    copyId: string;
  },
): Promise<void> {
  await saveDraft(ctx, {
    ...version,
    postId: copyId,
    tab: copyId,
    version: 0,
    title: otherVersionTitle(version.title),
  });
}

/** The stored version as `saveAsDraft` takes it. */
export function compositionOfStored(stored: PostToEdit) {
  return {
    title: stored.title,
    content: stored.content,
    teaser: stored.teaser,
    isSensitive: stored.isSensitive,
    mailTo: stored.mailTo,
    removesImage: false,
    rules: stored.rules,
    image: null,
    poll: stored.poll,
    media: stored.media.map(({ id, alt }) => ({ mediaId: id, alt })),
  };
}
