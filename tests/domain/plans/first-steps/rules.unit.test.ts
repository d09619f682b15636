import { expect, test } from "vitest";
import {
  firstStepAfter,
  firstStepKeys,
  firstStepPath,
  firstSteps,
  nextFirstStep,
} from "#app/domain/plans/first-steps/rules.ts";
import type { PageSnapshot } from "#app/domain/plans/first-steps/rules.ts";

const NEW_PAGE: PageSnapshot = {
  hasPhoto: false,
  hasBanner: false,
  hasBio: false,
  hasPost: false,
  hasPlan: false,
  hasDocuments: false,
  hasPayoutMethod: false,
  followersCount: 0,
};
const WHOLE_PAGE: PageSnapshot = {
  hasPhoto: true,
  hasBanner: true,
  hasBio: true,
  hasPost: true,
  hasPlan: true,
  hasDocuments: true,
  hasPayoutMethod: true,
  followersCount: 10,
};

test.each<[string, Partial<PageSnapshot>, string | null]>([
  ["nothing", {}, null],
  ["a photo", { hasPhoto: false }, "photo"],
  ["a bio", { hasBio: false }, "bio"],
  ["a banner", { hasBanner: false }, "banner"],
  ["a post", { hasPost: false }, "post"],
  ["a plan", { hasPlan: false }, "plan"],
  ["a payout method", { hasPayoutMethod: false }, "payout_method"],
  ["documents", { hasDocuments: false }, "documents"],
  ["the tenth follower", { followersCount: 9 }, "invitations"],
])("a page that lacks %s has the next step for it", (_, lacks, expected) => {
  expect(nextFirstStep(firstSteps({ ...WHOLE_PAGE, ...lacks }))).toBe(expected);
});

test("a new page begins with the photo and has eight steps to do", () => {
  const steps = firstSteps(NEW_PAGE);
  expect(steps.map(({ isDone }) => isDone)).toEqual(Array(8).fill(false));
  expect(nextFirstStep(steps)).toBe("photo");
});

test("the step after another is the next one that is not done, and never one before it", () => {
  const steps = firstSteps({ ...NEW_PAGE, hasBanner: true, hasPlan: true });
  expect(firstStepAfter(steps, "photo")).toBe("bio");
  expect(firstStepAfter(steps, "bio")).toBe("post");
  expect(firstStepAfter(steps, "invitations")).toBeNull();
  expect(firstStepAfter(firstSteps(WHOLE_PAGE), "photo")).toBeNull();
});

test("each step has a screen of its own, and the page itself comes after the last", () => {
  const paths = firstStepKeys.map(firstStepPath);
  expect(new Set(paths).size).toBe(8);
  expect(paths).toContain("/me/first-steps/payout-method");
  expect(firstStepPath(null)).toBe("/me");
});
