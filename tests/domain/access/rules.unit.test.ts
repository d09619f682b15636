import { describe, expect, test } from "vitest";
import { decideAccess, canList, comparableMonthlyCents } from "#app/domain/access/rules.ts";
import type {
  AccessRule,
  GuardedPost,
  PlanPriceOffer,
  ViewerStatus,
} from "#app/domain/access/rules.ts";

const NOW = 1_000_000;
const rule = (kind: AccessRule["kind"], more: Partial<AccessRule> = {}): AccessRule => ({
  kind,
  planId: null,
  amountCents: null,
  opensAt: null,
  ...more,
});
const offer = (
  planId: string,
  amountCents: number,
  interval: PlanPriceOffer["interval"] = "monthly",
): PlanPriceOffer => ({ planId, planName: planId, interval, amountCents });

const post = (more: Partial<GuardedPost> = {}): GuardedPost => ({
  authorId: "ana",
  state: "published",
  publishedAt: NOW - 1,
  heldAt: null,
  deletedAt: null,
  authorBannedAt: null,
  authorLeavingAt: null,
  authorSells: true,
  authorAwayUntil: null,
  rules: [rule("subscribers")],
  offers: [],
  collectionOffers: [],
  isForAdults: false,
  ...more,
});
const viewerStatus = (more: Partial<ViewerStatus> = {}): ViewerStatus => ({
  viewerId: "bruno",
  isModerator: false,
  isTeam: false,
  follows: false,
  blocked: false,
  isAgeChecked: false,
  purchased: false,
  subscriptions: [],
  ...more,
});
const subscribed = (status: string, accessUntil: number | null, planId = "camarim") =>
  viewerStatus({ subscriptions: [{ id: "s1", planId, status, isGiven: false, accessUntil }] });

describe("who can see a post", () => {
  const cases: [string, GuardedPost, ViewerStatus, boolean][] = [
    ["the author's team sees a locked post", post(), viewerStatus({ isTeam: true }), true],
    [
      "the team sees a draft",
      post({ state: "draft", publishedAt: null }),
      viewerStatus({ isTeam: true }),
      true,
    ],
    [
      "the team sees a post held by moderation",
      post({ heldAt: NOW }),
      viewerStatus({ isTeam: true }),
      true,
    ],
    [
      "the team does not see a deleted post",
      post({ deletedAt: NOW }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "a banned author's team does not see a locked post",
      post({ authorBannedAt: NOW }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "the team of an author who is leaving does not see a locked post",
      post({ authorLeavingAt: NOW }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "a block hides it from a team member",
      post(),
      viewerStatus({ isTeam: true, blocked: true }),
      false,
    ],
    [
      "a visitor sees a public post",
      post({ rules: [rule("public")] }),
      viewerStatus({ viewerId: null }),
      true,
    ],
    [
      "a visitor does not see a post for followers",
      post({ rules: [rule("followers")] }),
      viewerStatus({ viewerId: null }),
      false,
    ],
    [
      "a follower sees a post for followers",
      post({ rules: [rule("followers")] }),
      viewerStatus({ follows: true }),
      true,
    ],
    [
      "a subscriber sees a post for followers",
      post({ rules: [rule("followers")] }),
      subscribed("active", NOW + 1),
      true,
    ],
    [
      "a paused subscriber does not see a post for followers",
      post({ rules: [rule("followers")] }),
      subscribed("paused", NOW + 1),
      false,
    ],
    ["a subscriber sees a post for subscribers", post(), subscribed("active", NOW + 1), true],
    ["access ends at its exact time", post(), subscribed("active", NOW), false],
    [
      "a past-due subscription gives access in its grace period",
      post(),
      subscribed("past_due", NOW + 1),
      true,
    ],
    [
      "a canceled subscription gives access until its end",
      post(),
      subscribed("canceled", NOW + 1),
      true,
    ],
    ["a paused one gives no access", post(), subscribed("paused", NOW + 1), false],
    ["an expired one gives no access", post(), subscribed("expired", NOW + 1), false],
    ["an unpaid one gives no access", post(), subscribed("incomplete", null), false],
    [
      "another plan gives no access to a plan's post",
      post({ rules: [rule("plan", { planId: "mestre" })] }),
      subscribed("active", NOW + 1),
      false,
    ],
    [
      "its plan gives access",
      post({ rules: [rule("plan", { planId: "camarim" })] }),
      subscribed("active", NOW + 1),
      true,
    ],
    [
      "any rule is enough",
      post({ rules: [rule("plan", { planId: "mestre" }), rule("followers")] }),
      viewerStatus({ follows: true }),
      true,
    ],
    [
      "a purchase gives access",
      post({ rules: [rule("price", { amountCents: 500 })] }),
      viewerStatus({ purchased: true }),
      true,
    ],
    [
      "a price alone gives no access",
      post({ rules: [rule("price", { amountCents: 500 })] }),
      viewerStatus(),
      false,
    ],
    [
      "early access is closed before its time",
      post({ rules: [rule("public", { opensAt: NOW + 1 })] }),
      viewerStatus(),
      false,
    ],
    [
      "early access opens at its time",
      post({ rules: [rule("public", { opensAt: NOW })] }),
      viewerStatus(),
      true,
    ],
    [
      "its author always sees it",
      post({ state: "draft", publishedAt: null, heldAt: NOW }),
      viewerStatus({ viewerId: "ana" }),
      true,
    ],
    [
      "a moderator always sees it",
      post({ heldAt: NOW }),
      viewerStatus({ isModerator: true, blocked: true }),
      true,
    ],
    [
      "a moderation hold hides it",
      post({ rules: [rule("public")], heldAt: NOW }),
      viewerStatus(),
      false,
    ],
    [
      "a block hides it, also from a buyer",
      post({ rules: [rule("public")] }),
      viewerStatus({ blocked: true, purchased: true }),
      false,
    ],
    [
      "a ban hides it",
      post({ rules: [rule("public")], authorBannedAt: NOW }),
      viewerStatus(),
      false,
    ],
    [
      "an author who is leaving shows it to nobody new",
      post({ rules: [rule("public")], authorLeavingAt: NOW }),
      viewerStatus({ follows: true }),
      false,
    ],
    [
      "an author who is leaving shows it to subscribers",
      post({ rules: [rule("public")], authorLeavingAt: NOW }),
      subscribed("canceled", NOW + 1, "mestre"),
      true,
    ],
    [
      "an author who is leaving shows it to buyers",
      post({ rules: [rule("price", { amountCents: 500 })], authorLeavingAt: NOW }),
      viewerStatus({ purchased: true }),
      true,
    ],
    [
      "a deleted one is hidden from everyone",
      post({ rules: [rule("public")], deletedAt: NOW }),
      viewerStatus({ viewerId: "ana", isModerator: true }),
      false,
    ],
    [
      "a draft is hidden from others",
      post({ rules: [rule("public")], state: "draft" }),
      viewerStatus(),
      false,
    ],
    [
      "a scheduled one is hidden until its time",
      post({ rules: [rule("public")], publishedAt: NOW + 1 }),
      viewerStatus(),
      false,
    ],
    [
      "an adult post is hidden from a member without an age check",
      post({ rules: [rule("public")], isForAdults: true }),
      viewerStatus(),
      false,
    ],
    [
      "an adult post is hidden from a visitor",
      post({ rules: [rule("public")], isForAdults: true }),
      viewerStatus({ viewerId: null }),
      false,
    ],
    [
      "an adult post is hidden from a buyer without an age check",
      post({ isForAdults: true }),
      viewerStatus({ purchased: true }),
      false,
    ],
    [
      "an adult post is hidden from a team member without an age check",
      post({ isForAdults: true }),
      viewerStatus({ isTeam: true }),
      false,
    ],
    [
      "a member with an age check sees an open adult post",
      post({ rules: [rule("public")], isForAdults: true }),
      viewerStatus({ isAgeChecked: true }),
      true,
    ],
    [
      "an age check gives no access to a locked post",
      post({ isForAdults: true }),
      viewerStatus({ isAgeChecked: true }),
      false,
    ],
    [
      "its author sees an adult post without an age check",
      post({ isForAdults: true }),
      viewerStatus({ viewerId: "ana" }),
      true,
    ],
    [
      "a moderator sees an adult post without an age check",
      post({ isForAdults: true }),
      viewerStatus({ isModerator: true }),
      true,
    ],
    [
      "a post without access rules is locked",
      post({ rules: [] }),
      viewerStatus({ follows: true }),
      false,
    ],
  ];
  test.each(cases)("%s", (_name, guarded, viewer, visible) => {
    expect(decideAccess(guarded, viewer, NOW).visible).toBe(visible);
  });
});

describe("the offer of a locked post", () => {
  const unlockOf = (rules: AccessRule[], offers: PlanPriceOffer[]) => {
    const access = decideAccess(post({ rules, offers }), viewerStatus(), NOW);
    return access.visible ? null : access.cheapestUnlock;
  };

  test("following, which is free, comes before any plan", () => {
    expect(unlockOf([rule("subscribers"), rule("followers")], [offer("banquinho", 500)])).toEqual({
      kind: "follow",
    });
  });

  test("is the cheapest plan that unlocks the post, by its monthly cost", () => {
    const offers = [
      offer("anual", 12_000, "annual"),
      offer("mensal", 1_500),
      offer("semanal", 400, "weekly"),
    ];
    expect(unlockOf([rule("subscribers")], offers)).toMatchObject({ kind: "plan", ...offers[0] });
  });

  test("a plan with monthly and annual prices is offered by the month", () => {
    expect(
      unlockOf(
        [rule("subscribers")],
        [offer("camarim", 19_900, "annual"), offer("camarim", 1_990)],
      ),
    ).toMatchObject({ interval: "monthly", amountCents: 1_990 });
  });

  describe("every way to unlock a post, by its cost today", () => {
    const collection = (amountCents: number) => ({
      collectionId: `c${amountCents}`,
      title: "Do zero",
      amountCents,
    });
    const waysOf = (
      rules: AccessRule[],
      offers: PlanPriceOffer[],
      collectionOffers = [collection(4_000)],
    ) => {
      const access = decideAccess(post({ rules, offers, collectionOffers }), viewerStatus(), NOW);
      return access.visible
        ? []
        : [access.cheapestUnlock, ...access.otherUnlocks].map((way) =>
            way && "amountCents" in way ? `${way.kind} ${way.amountCents}` : (way?.kind ?? "none"),
          );
    };
    const price = (amountCents: number) => rule("price", { amountCents });
    test.each<[string, AccessRule[], PlanPriceOffer[], number[], string[]]>([
      [
        "one post under the plan",
        [price(900), rule("subscribers")],
        [offer("camarim", 1_990)],
        [4_000],
        ["price 900", "plan 1990", "collection 4000"],
      ],
      [
        "the plan under one post",
        [price(2_900), rule("subscribers")],
        [offer("camarim", 1_990)],
        [],
        ["plan 1990", "price 2900"],
      ],
      [
        "at the same price, first what opens more",
        [price(1_990), rule("subscribers")],
        [offer("camarim", 1_990)],
        [1_990],
        ["plan 1990", "collection 1990", "price 1990"],
      ],
      [
        "following, which is free, comes first",
        [price(500), rule("followers")],
        [],
        [],
        ["follow", "price 500"],
      ],
      [
        "the cheapest of two collections",
        [price(5_000)],
        [],
        [4_000, 3_000],
        ["collection 3000", "price 5000"],
      ],
      [
        "a collection where nothing else is sold",
        [rule("subscribers")],
        [],
        [3_000],
        ["collection 3000"],
      ],
      ["one post alone", [price(300)], [offer("camarim", 1_990)], [], ["price 300"]],
    ])("%s", (_, rules, offers, collections, ways) => {
      expect(waysOf(rules, offers, collections.map(collection))).toEqual(ways);
    });

    test("a creator who cannot sell has no paid way", () => {
      const access = decideAccess(
        post({
          authorSells: false,
          rules: [price(500), rule("subscribers"), rule("followers")],
          offers: [offer("camarim", 1_990)],
          collectionOffers: [collection(4_000)],
        }),
        viewerStatus(),
        NOW,
      );
      expect(access).toMatchObject({ cheapestUnlock: { kind: "follow" }, otherUnlocks: [] });
    });

    test("a creator on vacation has every way but plans, with the return date only where a plan would unlock the post", () => {
      const away = {
        authorAwayUntil: NOW + 9,
        offers: [offer("camarim", 1_990)],
        collectionOffers: [collection(4_000)],
      };
      expect(
        decideAccess(
          post({ ...away, rules: [price(2_900), rule("subscribers")] }),
          viewerStatus(),
          NOW,
        ),
      ).toMatchObject({
        awayUntil: NOW + 9,
        cheapestUnlock: { kind: "price" },
        otherUnlocks: [{ kind: "collection" }],
      });
      expect(
        decideAccess(post({ ...away, rules: [price(2_900)] }), viewerStatus(), NOW),
      ).toMatchObject({ awayUntil: null, cheapestUnlock: { kind: "price" } });
      expect(
        decideAccess(
          post({ ...away, authorSells: false, rules: [rule("subscribers")] }),
          viewerStatus(),
          NOW,
        ),
      ).toMatchObject({ awayUntil: null, cheapestUnlock: null });
    });

    test("a price that opens later is not a way yet", () => {
      expect(
        waysOf(
          [rule("price", { amountCents: 500, opensAt: NOW + 1 }), rule("subscribers")],
          [offer("camarim", 1_990)],
          [],
        ),
      ).toEqual(["plan 1990"]);
    });
  });

  test("only plans that unlock the post are offered", () => {
    expect(
      unlockOf(
        [rule("plan", { planId: "camarim" })],
        [offer("banquinho", 500), offer("camarim", 1_990)],
      ),
    ).toMatchObject({ planId: "camarim" });
    expect(unlockOf([rule("plan", { planId: "mestre" })], [offer("banquinho", 500)])).toBeNull();
  });

  test("an access rule that opens later is not a way yet, and shows its date", () => {
    const access = decideAccess(
      post({ rules: [rule("followers", { opensAt: NOW + 9 })], offers: [offer("banquinho", 500)] }),
      viewerStatus(),
      NOW,
    );
    expect(access).toEqual({
      visible: false,
      reasons: [{ kind: "opens_later", opensAt: NOW + 9 }],
      cheapestUnlock: null,
      otherUnlocks: [],
      awayUntil: null,
    });
  });

  test("a held post has no card, and a locked one has", () => {
    expect(canList(decideAccess(post({ heldAt: NOW }), viewerStatus(), NOW))).toBe(false);
    expect(canList(decideAccess(post(), viewerStatus(), NOW))).toBe(true);
  });
});

test.each([
  ["weekly", 300, 1_300],
  ["monthly", 1_990, 1_990],
  ["quarterly", 3_000, 1_000],
  ["semiannual", 6_000, 1_000],
  ["annual", 19_900, 1_658],
] as const)("%s R$ %i centavos cost %i a month", (interval, amountCents, monthly) => {
  expect(comparableMonthlyCents({ interval, amountCents })).toBe(monthly);
});

describe("the offer of a plan's post to a member with a subscription", () => {
  const waysFor = (viewer: ViewerStatus, rules = [rule("plan", { planId: "cozinha" })]) => {
    const offers = [offer("basico", 990), offer("cozinha", 1_690)];
    const access = decideAccess(post({ rules, offers }), viewer, NOW);
    if (access.visible) return "open";
    return [access.cheapestUnlock, ...access.otherUnlocks].map((unlock) =>
      unlock && "way" in unlock ? `${unlock.kind} ${unlock.way.kind}` : unlock?.kind,
    );
  };
  test.each([
    [
      "of a cheaper plan: to change the plan",
      subscribed("active", NOW + 1, "basico"),
      ["plan change_plan"],
    ],
    [
      "that is paused: to resume",
      subscribed("paused", NOW + 1, "cozinha"),
      ["subscription resume"],
    ],
    [
      "that is past due: to pay",
      subscribed("past_due", NOW + 1, "basico"),
      ["subscription settle"],
    ],
    [
      "that starts later: nothing more",
      subscribed("upcoming", null, "cozinha"),
      ["subscription none"],
    ],
    [
      "that has expired: to subscribe",
      subscribed("expired", NOW - 1, "cozinha"),
      ["plan subscribe"],
    ],
    ["of this plan: access", subscribed("active", NOW + 1, "cozinha"), "open"],
  ])("%s", (_, viewer, ways) => {
    expect(waysFor(viewer)).toEqual(ways);
  });

  test("includes the price of the post alone", () => {
    const rules = [rule("plan", { planId: "cozinha" }), rule("price", { amountCents: 500 })];
    expect(waysFor(subscribed("paused", NOW + 1, "basico"), rules)).toEqual([
      "subscription resume",
      "price",
    ]);
  });
});
