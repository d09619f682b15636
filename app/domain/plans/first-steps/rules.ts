/** What a page has of what its first visitors look for, and of what its sales need. */
export type PageSnapshot = {
  hasPhoto: boolean;
  hasBanner: boolean;
  hasBio: boolean;
  hasPost: boolean;
  hasPlan: boolean;
  hasDocuments: boolean;
  hasPayoutMethod: boolean;
  followersCount: number;
};

/** So many people follow a page after its creator invited friends and family. */
export const INVITED_PEOPLE = 10;

/** The steps from a new page to its first sale, in the order in which they are shown. */
export const firstStepKeys = [
  "photo",
  "banner",
  "bio",
  "plan",
  "post",
  "payout_method",
  "documents",
  "invitations",
] as const;

export type FirstStepKey = (typeof firstStepKeys)[number];

export type FirstStep = { key: FirstStepKey; isDone: boolean };

/**
 * Returns the steps and which are done. The documents come late: a plan sells for days without
 * them.
 */
export function firstSteps(page: PageSnapshot): FirstStep[] {
  const done: Record<FirstStepKey, boolean> = {
    photo: page.hasPhoto,
    banner: page.hasBanner,
    bio: page.hasBio,
    plan: page.hasPlan,
    post: page.hasPost,
    payout_method: page.hasPayoutMethod,
    documents: page.hasDocuments,
    invitations: page.followersCount >= INVITED_PEOPLE,
  };
  return firstStepKeys.map((key) => ({ key, isDone: done[key] }));
}

/** The first step that is not done; null when all are. */
export function nextFirstStep(steps: readonly FirstStep[]): FirstStepKey | null {
  return steps.find(({ isDone }) => !isDone)?.key ?? null;
}

/** The first step behind `key` that is not done; null when none is left behind it. */
export function firstStepAfter(
  steps: readonly FirstStep[],
  key: FirstStepKey,
): FirstStepKey | null {
  return nextFirstStep(steps.slice(steps.findIndex((step) => step.key === key) + 1));
}

/** The path of a step's screen; of the creator's own page when no step is left. */
export function firstStepPath(key: FirstStepKey | null): string {
  return key === null ? "/me" : `/me/first-steps/${key.replace("_", "-")}`;
}
