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

export type FirstStepKey =
  | "photo"
  | "banner"
  | "bio"
  | "post"
  | "plan"
  | "documents"
  | "payout_method"
  | "invitations";

export type FirstStep = { key: FirstStepKey; isDone: boolean };

/**
 * Returns the steps from a new page to its first sale, in the order in which they help most. The
 * documents come late: a plan sells for days without them.
 */
export function firstSteps(page: PageSnapshot): FirstStep[] {
  return [
    { key: "photo", isDone: page.hasPhoto },
    { key: "bio", isDone: page.hasBio },
    { key: "banner", isDone: page.hasBanner },
    { key: "post", isDone: page.hasPost },
    { key: "plan", isDone: page.hasPlan },
    { key: "payout_method", isDone: page.hasPayoutMethod },
    { key: "documents", isDone: page.hasDocuments },
    { key: "invitations", isDone: page.followersCount >= INVITED_PEOPLE },
  ];
}

/** The first step that is not done; null when all are. */
export function nextFirstStep(steps: readonly FirstStep[]): FirstStepKey | null {
  return steps.find(({ isDone }) => !isDone)?.key ?? null;
}
