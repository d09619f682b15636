import { describe, expect, test } from "vitest";
import { decideAccess, canList, comparableMonthlyCents } from "#app/domain/access/rules.ts";
import type { AccessRule, PlanPriceOffer, ViewerStatus } from "#app/domain/access/rules.ts";
import {
  accessRule,
  guardedPost,
  NOW,
  subscribedViewer,
  viewerStatus,
} from "#tests/support/guarded-posts.ts";

const offer = (
  planId: string,
  amountCents: number,
  interval: PlanPriceOffer["interval"] = "monthly",
): PlanPriceOffer => ({ planId, planName: planId, interval, amountCents });

describe("the offer of a locked post", () => {
  const unlockOf = (rules: AccessRule[], offers: PlanPriceOffer[]) => {
    const access = decideAccess(guardedPost({ rules, offers }), viewerStatus(), NOW);
    return access.visible ? null : access.cheapestUnlock;
  };

  test("following, which is free, comes before any plan", () => {
    expect(
      unlockOf([accessRule("subscribers"), accessRule("followers")], [offer("banquinho", 500)]),
    ).toEqual({
      kind: "follow",
    });
  });

  test("is the cheapest plan that unlocks the post, by its monthly cost", () => {
    const offers = [
      offer("anual", 12_000, "annual"),
      offer("mensal", 1_500),
      offer("semanal", 400, "weekly"),
    ];
    expect(unlockOf([accessRule("subscribers")], offers)).toMatchObject({
      kind: "plan",
      ...offers[0],
    });
  });

  test("a plan with monthly and annual prices is offered by the month", () => {
    expect(
      unlockOf(
        [accessRule("subscribers")],
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
      const access = decideAccess(
        guardedPost({ rules, offers, collectionOffers }),
        viewerStatus(),
        NOW,
      );
      return access.visible
        ? []
        : [access.cheapestUnlock, ...access.otherUnlocks].map((way) =>
            way && "amountCents" in way ? `${way.kind} ${way.amountCents}` : (way?.kind ?? "none"),
          );
    };
    const price = (amountCents: number) => accessRule("price", { amountCents });
    test.each<[string, AccessRule[], PlanPriceOffer[], number[], string[]]>([
      [
        "one post under the plan",
        [price(900), accessRule("subscribers")],
        [offer("camarim", 1_990)],
        [4_000],
        ["price 900", "plan 1990", "collection 4000"],
      ],
      [
        "the plan under one post",
        [price(2_900), accessRule("subscribers")],
        [offer("camarim", 1_990)],
        [],
        ["plan 1990", "price 2900"],
      ],
      [
        "at the same price, first what opens more",
        [price(1_990), accessRule("subscribers")],
        [offer("camarim", 1_990)],
        [1_990],
        ["plan 1990", "collection 1990", "price 1990"],
      ],
      [
        "following, which is free, comes first",
        [price(500), accessRule("followers")],
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
        [accessRule("subscribers")],
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
        guardedPost({
          authorSells: false,
          rules: [price(500), accessRule("subscribers"), accessRule("followers")],
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
          guardedPost({ ...away, rules: [price(2_900), accessRule("subscribers")] }),
          viewerStatus(),
          NOW,
        ),
      ).toMatchObject({
        awayUntil: NOW + 9,
        cheapestUnlock: { kind: "price" },
        otherUnlocks: [{ kind: "collection" }],
      });
      expect(
        decideAccess(guardedPost({ ...away, rules: [price(2_900)] }), viewerStatus(), NOW),
      ).toMatchObject({ awayUntil: null, cheapestUnlock: { kind: "price" } });
      expect(
        decideAccess(
          guardedPost({ ...away, authorSells: false, rules: [accessRule("subscribers")] }),
          viewerStatus(),
          NOW,
        ),
      ).toMatchObject({ awayUntil: null, cheapestUnlock: null });
    });

    test("a price that opens later is not a way yet", () => {
      expect(
        waysOf(
          [accessRule("price", { amountCents: 500, opensAt: NOW + 1 }), accessRule("subscribers")],
          [offer("camarim", 1_990)],
          [],
        ),
      ).toEqual(["plan 1990"]);
    });
  });

  test("only plans that unlock the post are offered", () => {
    expect(
      unlockOf(
        [accessRule("plan", { planId: "camarim" })],
        [offer("banquinho", 500), offer("camarim", 1_990)],
      ),
    ).toMatchObject({ planId: "camarim" });
    expect(
      unlockOf([accessRule("plan", { planId: "mestre" })], [offer("banquinho", 500)]),
    ).toBeNull();
  });

  test("an access rule that opens later is not a way yet, and shows its date", () => {
    const access = decideAccess(
      guardedPost({
        rules: [accessRule("followers", { opensAt: NOW + 9 })],
        offers: [offer("banquinho", 500)],
      }),
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
    expect(canList(decideAccess(guardedPost({ heldAt: NOW }), viewerStatus(), NOW))).toBe(false);
    expect(canList(decideAccess(guardedPost(), viewerStatus(), NOW))).toBe(true);
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
  const waysFor = (viewer: ViewerStatus, rules = [accessRule("plan", { planId: "cozinha" })]) => {
    const offers = [offer("basico", 990), offer("cozinha", 1_690)];
    const access = decideAccess(guardedPost({ rules, offers }), viewer, NOW);
    if (access.visible) return "open";
    return [access.cheapestUnlock, ...access.otherUnlocks].map((unlock) =>
      unlock && "way" in unlock ? `${unlock.kind} ${unlock.way.kind}` : unlock?.kind,
    );
  };
  test.each([
    [
      "of a cheaper plan: to change the plan",
      subscribedViewer("active", NOW + 1, "basico"),
      ["plan change_plan"],
    ],
    [
      "that is paused: to resume",
      subscribedViewer("paused", NOW + 1, "cozinha"),
      ["subscription resume"],
    ],
    [
      "that is past due: to pay",
      subscribedViewer("past_due", NOW + 1, "basico"),
      ["subscription settle"],
    ],
    [
      "that starts later: nothing more",
      subscribedViewer("upcoming", null, "cozinha"),
      ["subscription none"],
    ],
    [
      "that has expired: to subscribe",
      subscribedViewer("expired", NOW - 1, "cozinha"),
      ["plan subscribe"],
    ],
    ["of this plan: access", subscribedViewer("active", NOW + 1, "cozinha"), "open"],
  ])("%s", (_, viewer, ways) => {
    expect(waysFor(viewer)).toEqual(ways);
  });

  test("includes the price of the post alone", () => {
    const rules = [
      accessRule("plan", { planId: "cozinha" }),
      accessRule("price", { amountCents: 500 }),
    ];
    expect(waysFor(subscribedViewer("paused", NOW + 1, "basico"), rules)).toEqual([
      "subscription resume",
      "price",
    ]);
  });
});
