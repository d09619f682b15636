import { describe, expect, test } from "vitest";
import { decideAccess } from "#app/domain/access/rules.ts";
import type { GuardedPost, ViewerStatus } from "#app/domain/access/rules.ts";
import {
  accessRule,
  guardedPost,
  NOW,
  subscribedViewer,
  viewerStatus,
} from "#tests/support/guarded-posts.ts";

describe("who can see a post", () => {
  const cases: [string, GuardedPost, ViewerStatus, boolean][] = [
    ["the author's team sees a locked post", guardedPost(), viewerStatus({ isTeam: true }), true],
    [
      "the team sees a draft",
      guardedPost({ state: "draft", publishedAt: null }),
      viewerStatus({ isTeam: true }),
      true,
    ],
    [
      "the team sees a post held by moderation",
      guardedPost({ heldAt: NOW }),
      viewerStatus({ isTeam: true }),
      true,
    ],
    [
      "the team does not see a deleted post",
      guardedPost({ deletedAt: NOW }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "a banned author's team does not see a locked post",
      guardedPost({ authorBannedAt: NOW }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "the team of an author who is leaving does not see a locked post",
      guardedPost({ authorLeavingAt: NOW }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "a block hides it from a team member",
      guardedPost(),
      viewerStatus({ isTeam: true, blocked: true }),
      false,
    ],
    [
      "a visitor sees a public post",
      guardedPost({ rules: [accessRule("public")] }),
      viewerStatus({ viewerId: null }),
      true,
    ],
    [
      "a visitor does not see a post for followers",
      guardedPost({ rules: [accessRule("followers")] }),
      viewerStatus({ viewerId: null }),
      false,
    ],
    [
      "a follower sees a post for followers",
      guardedPost({ rules: [accessRule("followers")] }),
      viewerStatus({ follows: true }),
      true,
    ],
    [
      "a subscriber sees a post for followers",
      guardedPost({ rules: [accessRule("followers")] }),
      subscribedViewer("active", NOW + 1),
      true,
    ],
    [
      "a paused subscriber does not see a post for followers",
      guardedPost({ rules: [accessRule("followers")] }),
      subscribedViewer("paused", NOW + 1),
      false,
    ],
    [
      "a subscriber sees a post for subscribers",
      guardedPost(),
      subscribedViewer("active", NOW + 1),
      true,
    ],
    ["access ends at its exact time", guardedPost(), subscribedViewer("active", NOW), false],
    [
      "a past-due subscription gives access in its grace period",
      guardedPost(),
      subscribedViewer("past_due", NOW + 1),
      true,
    ],
    [
      "a canceled subscription gives access until its end",
      guardedPost(),
      subscribedViewer("canceled", NOW + 1),
      true,
    ],
    ["a paused one gives no access", guardedPost(), subscribedViewer("paused", NOW + 1), false],
    ["an expired one gives no access", guardedPost(), subscribedViewer("expired", NOW + 1), false],
    ["an unpaid one gives no access", guardedPost(), subscribedViewer("incomplete", null), false],
    [
      "another plan gives no access to a plan's post",
      guardedPost({ rules: [accessRule("plan", { planId: "mestre" })] }),
      subscribedViewer("active", NOW + 1),
      false,
    ],
    [
      "its plan gives access",
      guardedPost({ rules: [accessRule("plan", { planId: "camarim" })] }),
      subscribedViewer("active", NOW + 1),
      true,
    ],
    [
      "any rule is enough",
      guardedPost({ rules: [accessRule("plan", { planId: "mestre" }), accessRule("followers")] }),
      viewerStatus({ follows: true }),
      true,
    ],
    [
      "a purchase gives access",
      guardedPost({ rules: [accessRule("price", { amountCents: 500 })] }),
      viewerStatus({ purchased: true }),
      true,
    ],
    [
      "a price alone gives no access",
      guardedPost({ rules: [accessRule("price", { amountCents: 500 })] }),
      viewerStatus(),
      false,
    ],
    [
      "early access is closed before its time",
      guardedPost({ rules: [accessRule("public", { opensAt: NOW + 1 })] }),
      viewerStatus(),
      false,
    ],
    [
      "early access opens at its time",
      guardedPost({ rules: [accessRule("public", { opensAt: NOW })] }),
      viewerStatus(),
      true,
    ],
    [
      "its author always sees it",
      guardedPost({ state: "draft", publishedAt: null, heldAt: NOW }),
      viewerStatus({ viewerId: "ana" }),
      true,
    ],
    [
      "a moderator always sees it",
      guardedPost({ heldAt: NOW }),
      viewerStatus({ isModerator: true, blocked: true }),
      true,
    ],
    [
      "a moderation hold hides it",
      guardedPost({ rules: [accessRule("public")], heldAt: NOW }),
      viewerStatus(),
      false,
    ],
    [
      "a block hides it, also from a buyer",
      guardedPost({ rules: [accessRule("public")] }),
      viewerStatus({ blocked: true, purchased: true }),
      false,
    ],
    [
      "a ban hides it",
      guardedPost({ rules: [accessRule("public")], authorBannedAt: NOW }),
      viewerStatus(),
      false,
    ],
    [
      "an author who is leaving shows it to nobody new",
      guardedPost({ rules: [accessRule("public")], authorLeavingAt: NOW }),
      viewerStatus({ follows: true }),
      false,
    ],
    [
      "an author who is leaving shows it to subscribers",
      guardedPost({ rules: [accessRule("public")], authorLeavingAt: NOW }),
      subscribedViewer("canceled", NOW + 1, "mestre"),
      true,
    ],
    [
      "an author who is leaving shows it to buyers",
      guardedPost({ rules: [accessRule("price", { amountCents: 500 })], authorLeavingAt: NOW }),
      viewerStatus({ purchased: true }),
      true,
    ],
    [
      "a deleted one is hidden from everyone",
      guardedPost({ rules: [accessRule("public")], deletedAt: NOW }),
      viewerStatus({ viewerId: "ana", isModerator: true }),
      false,
    ],
    [
      "a draft is hidden from others",
      guardedPost({ rules: [accessRule("public")], state: "draft" }),
      viewerStatus(),
      false,
    ],
    [
      "a scheduled one is hidden until its time",
      guardedPost({ rules: [accessRule("public")], publishedAt: NOW + 1 }),
      viewerStatus(),
      false,
    ],
    [
      "an adult post is hidden from a member without an age check",
      guardedPost({ rules: [accessRule("public")], isForAdults: true }),
      viewerStatus(),
      false,
    ],
    [
      "an adult post is hidden from a visitor",
      guardedPost({ rules: [accessRule("public")], isForAdults: true }),
      viewerStatus({ viewerId: null }),
      false,
    ],
    [
      "an adult post is hidden from a buyer without an age check",
      guardedPost({ isForAdults: true }),
      viewerStatus({ purchased: true }),
      false,
    ],
    [
      "an adult post is hidden from a team member without an age check",
      guardedPost({ isForAdults: true }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "a member with an age check sees an open adult post",
      guardedPost({ rules: [accessRule("public")], isForAdults: true }),
      viewerStatus({ isAgeChecked: true }),
      true,
    ],
    [
      "an age check gives no access to a locked post",
      guardedPost({ isForAdults: true }),
      viewerStatus({ isAgeChecked: true }),
      false,
    ],
    [
      "its author sees an adult post without an age check",
      guardedPost({ isForAdults: true }),
      viewerStatus({ viewerId: "ana" }),
      true,
    ],
    [
      "a moderator sees an adult post without an age check",
      guardedPost({ isForAdults: true }),
      viewerStatus({ isModerator: true }),
      true,
    ],
    [
      "a post without access rules is locked",
      guardedPost({ rules: [] }),
      viewerStatus({ follows: true }),
      false,
    ],
  ];
  test.each(cases)("%s", (_name, guarded, viewer, visible) => {
    expect(decideAccess(guarded, viewer, NOW).visible).toBe(visible);
  });
});
