import { RouterContextProvider } from "react-router";
import type { LoaderFunctionArgs } from "react-router";
import { beforeAll, expect, test } from "vitest";
import {
  actorContext,
  cloudflareContext,
  domainContext,
  memberContext,
  viewerContext,
} from "#app/http/contexts.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { ownActor } from "#app/domain/teams/rules/actor.ts";
import { sharedPixToken } from "#app/domain/payments/shared-pix/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import * as notifications from "#app/routes/home/notifications.tsx";
import * as explore from "#app/routes/home/explore.tsx";
import * as feed from "#app/routes/home/feed.tsx";
import * as events from "#app/routes/home/events.tsx";
import * as messages from "#app/routes/home/messages.tsx";
import * as explorePage from "#app/routes/resources/explore.ts";
import * as feedPage from "#app/routes/resources/feed.ts";
import * as feedNews from "#app/routes/resources/feed-news.ts";
import * as memberLayout from "#app/routes/member-layout.tsx";
import * as publicCollection from "#app/routes/public/collection.tsx";
import * as publicCollections from "#app/routes/public/collections.tsx";
import * as publicPost from "#app/routes/public/post.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as trialSetup from "#app/routes/checkout/trial-setup.tsx";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as claimPage from "#app/routes/checkout/claim.tsx";
import * as giftPage from "#app/routes/checkout/gift.tsx";
import * as sharedPixPage from "#app/routes/checkout/shared-pix.tsx";
import * as givenPage from "#app/routes/settings/purchases/gift.tsx";
import * as moneyTimeline from "#app/routes/settings/payouts/money-timeline.tsx";
import * as profileSettings from "#app/routes/settings/profile/profile.tsx";
import * as purchases from "#app/routes/settings/purchases/purchases.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as subscriptionPlan from "#app/routes/settings/subscriptions/plan.tsx";
import * as subscriptionPlans from "#app/routes/settings/subscriptions/plans.tsx";
import * as firstStep from "#app/routes/studio/first-steps/photo.tsx";
import * as planUpdate from "#app/routes/studio/plans/plan-update.tsx";
import * as planPrice from "#app/routes/studio/plans/plan-price.tsx";
import * as subscriptionPrice from "#app/routes/settings/subscriptions/price.tsx";
import * as subscriptionsPage from "#app/routes/settings/subscriptions/subscriptions.tsx";
import * as billingPage from "#app/routes/settings/billing/billing.tsx";
import * as disputePage from "#app/routes/settings/disputes/dispute.tsx";
import * as disputesPage from "#app/routes/settings/disputes/list.tsx";
import * as transactionPage from "#app/routes/settings/sales/transaction.tsx";
import * as transactions from "#app/routes/settings/sales/transactions.tsx";
import * as checkDocuments from "#app/routes/settings/documents/check-documents.tsx";
import * as moderatedDocuments from "#app/routes/admin/documents/document.tsx";
import * as adminHome from "#app/routes/admin/home.tsx";
import * as reportCases from "#app/routes/admin/reports/reports.tsx";
import * as ownReports from "#app/routes/settings/reports.tsx";
import * as documentsQueue from "#app/routes/admin/documents/documents.tsx";
import * as deliveries from "#app/routes/admin/deliveries/deliveries.tsx";
import * as deliveryAside from "#app/routes/admin/deliveries/delivery.tsx";
import * as reconciliation from "#app/routes/admin/reconciliation/reconciliation.tsx";
import * as reconciliationNight from "#app/routes/admin/reconciliation/reconciliation-run.tsx";
import * as reconciliationDifference from "#app/routes/admin/reconciliation/reconciliation-difference.tsx";
import * as debtPage from "#app/routes/settings/payouts/debt.tsx";
import * as margin from "#app/routes/admin/ledger/margin.tsx";
import * as regretPerson from "#app/routes/admin/cooling-off-person.tsx";
import * as regrets from "#app/routes/admin/cooling-off-refunds.tsx";
import * as marginGroup from "#app/routes/admin/ledger/margin-group.tsx";
import * as payoutBatch from "#app/routes/admin/payouts/payout-batch.tsx";
import * as payoutBatches from "#app/routes/admin/payouts/payout-batches.tsx";
import * as payoutPerson from "#app/routes/admin/payouts/payout-person.tsx";
import * as ledgerAccount from "#app/routes/admin/ledger/ledger-account.tsx";
import * as ledgerAccounts from "#app/routes/admin/ledger/ledger-accounts.tsx";
import * as ledgerKind from "#app/routes/admin/ledger/ledger-kind.tsx";
import * as ledgerPosting from "#app/routes/admin/ledger/ledger-posting.tsx";
import * as ledgerPage from "#app/routes/admin/ledger/ledger.tsx";
import * as ledgerPlatformRefunds from "#app/routes/admin/ledger/ledger-platform-refunds.tsx";
import * as ledgerUnclaimed from "#app/routes/admin/ledger/ledger-unclaimed.tsx";
import * as ledgerPlatform from "#app/routes/admin/ledger/ledger-platform.tsx";
import * as payoutsDesk from "#app/routes/admin/payouts/payouts.tsx";
import * as fiscalMonths from "#app/routes/admin/fiscal/months.tsx";
import * as paperFigures from "#app/routes/settings/statements/figures.tsx";
import * as monthPaper from "#app/routes/settings/statements/month.tsx";
import * as yearPaper from "#app/routes/settings/statements/year.tsx";
import * as releasesPage from "#app/routes/settings/payouts/releases.tsx";
import * as transfers from "#app/routes/settings/payouts/transfers.tsx";
import * as collection from "#app/routes/space/collection.tsx";
import * as me from "#app/routes/space/me.tsx";
import * as subscribers from "#app/routes/studio/audience/subscribers.tsx";
import * as vacationPage from "#app/routes/studio/space/vacation.tsx";
import * as postPage from "#app/routes/space/post.tsx";
import * as space from "#app/routes/space/space.tsx";
import { inbox } from "#drizzle/schema/payments.ts";
import { payoutBatches as payoutBatchRows } from "#drizzle/schema/payouts.ts";
import { reconciliationDifferences, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { cardToken, paidSubscription } from "#tests/support/payments.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { createPerson, createSeller, saveCpf } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan } from "#tests/support/plan-changes.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { proposedPrice, newPrice } from "#tests/support/price-changes.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

type Loads = { loader(args: never): unknown };
type Page = {
  name: string;
  module: Loads;
  path: () => string;
  params?: () => Record<string, string>;
  viewer: () => Member | null;
  trips: number;
};

const counted = countedDatabase(testEnv.DB);
let world: World;
let ana: Seller;
let tried: Seller;
let bruno: TestPerson;
let setupId: string;
let postId: string;
let chargeId: string;
let disputeId: string;
let collectionId: string;
let collectedId: string;
let soldId: string;
let sharedToken: string;
let given: Awaited<ReturnType<typeof paidGift>>;
let subscriptionId: string;
let higherPriceId: string;
let dearer: Seller & { newPriceId: string };
let askedSubscriptionId: string;
let regretterId: string;

const asMember = (one: TestPerson, isCreator: boolean): Member => ({
  ...one,
  avatarUrl: null,
  isCreator,
  isModerator: false,
  leavingAt: null,
});
const fan = () => asMember(bruno, false);
const creator = () => asMember(ana, true);
const nobody = () => null;

beforeAll(async () => {
  world = await testContext({ database: () => counted.database });
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
  const paid = await paidSubscription(world, bruno, ana);
  [chargeId, subscriptionId] = [paid.id, paid.purchaseId];
  higherPriceId = (await otherPlan(world.ctx, ana.id, { monthly: 60_000 })).prices.monthly;
  sharedToken = await sharedPixToken(world.ctx, { chargeId });
  const sells = await createSeller(world.ctx);
  await paidSubscription(world, bruno, sells);
  dearer = { ...sells, newPriceId: await newPrice(world, sells, 2_990, "monthly") };
  const asks = await createSeller(world.ctx);
  askedSubscriptionId = (await paidSubscription(world, bruno, asks)).purchaseId;
  await proposedPrice(world, asks, 2_990, "monthly");
  given = await paidGift(world, bruno, await createSeller(world.ctx));
  const regretter = await createPerson(world.ctx, "Clara");
  await requestSubscriptionCoolingOffRefund(world.ctx, {
    fanId: regretter.id,
    subscriptionId: (await paidSubscription(world, regretter, await createSeller(world.ctx)))
      .purchaseId,
  });
  regretterId = regretter.id;
  tried = await createSeller(world.ctx, { trialDays: 7 });
  await saveCpf(world.ctx, bruno);
  const card = await startTrial(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: tried.priceId,
    method: "card",
    cardToken: await cardToken(world, "4000000000003220"),
    trialDays: 7,
  });
  setupId = card.kind === "confirm" ? card.setupId : "";
  ({ disputeId } = await openDisputeOn(
    world,
    await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana),
  ));
  ({ postId: soldId } = await soldPost(world.ctx, ana));
  ({ postId } = await publishPost(world.ctx, {
    authorId: ana.id,
    title: "Ensaio",
    content: "Oito músicas.",
    teaser: "Com os erros.",
    audience: "plans",
    planIds: [ana.planId],
    image: null,
  }));
  ({
    collectionId,
    postIds: [collectedId = ""],
  } = await collectionOf(world.ctx, ana, ["Uma", "Duas"]));
  const difference = {
    id: "d1",
    provider: "sandbox",
    object: "charge",
    objectId: "ch_1",
    kind: "amount",
    isMoney: true,
    gapCents: 1,
    state: "open",
    firstSeenAt: world.ctx.now(),
    lastSeenAt: world.ctx.now(),
  } as const;
  await world.ctx.db.insert(reconciliationDifferences).values(difference);
  await world.ctx.db.insert(inbox).values({
    id: "d1",
    provider: "sandbox",
    providerEventId: "d1",
    type: "charge",
    objectId: "ch_1",
    body: "{}",
    receivedAt: 1,
    quarantinedAt: 1,
    quarantineReason: "unknown_charge",
  });
  await world.ctx.db.insert(reconciliationRuns).values({
    id: "n1",
    provider: "other",
    night: "2020-01-01",
    startedAt: 1,
    step: "done",
    finishedAt: 2,
  });
  await world.ctx.db
    .insert(payoutBatchRows)
    .values({ id: "b1", day: "2026-01-05", startedAt: 1, finishedAt: 2 });
});

/**
 * Lists every page with the most D1 round trips that its own loader may take. The member is
 * resolved before it, and the layout runs beside it.
 */
const pages: Page[] = [
  {
    name: "a creator's public page",
    module: publicSpace,
    path: () => `/space/${ana.username}/public`,
    params: () => ({ username: ana.username }),
    viewer: nobody,
    trips: 1,
  },
  {
    name: "the layout around every signed-in page",
    module: memberLayout,
    path: () => "/",
    viewer: creator,
    trips: 1,
  },
  { name: "the feed", module: feed, path: () => "/", viewer: fan, trips: 1 },
  {
    name: "a creator's page for members",
    module: space,
    path: () => `/space/${ana.username}`,
    params: () => ({ id: ana.username }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "a post",
    module: postPage,
    path: () => `/post/${postId}`,
    params: () => ({ id: postId }),
    viewer: fan,
    trips: 1,
  },
  { name: "the member's own page", module: me, path: () => "/me", viewer: creator, trips: 1 },
  {
    name: "a post for everyone",
    module: publicPost,
    path: () => `/space/${ana.username}/public/${collectedId}?collection=${collectionId}`,
    params: () => ({ username: ana.username, postId: collectedId }),
    viewer: nobody,
    trips: 1,
  },
  {
    name: "a collection",
    module: collection,
    path: () => `/collection/${collectionId}`,
    params: () => ({ id: collectionId }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "a collection for everyone",
    module: publicCollection,
    path: () => `/space/${ana.username}/public/collections/${collectionId}`,
    params: () => ({ username: ana.username, id: collectionId }),
    viewer: nobody,
    trips: 1,
  },
  {
    name: "the collections of a page",
    module: publicCollections,
    path: () => `/space/${ana.username}/public/collections`,
    params: () => ({ username: ana.username }),
    viewer: nobody,
    trips: 1,
  },
  {
    name: "notifications",
    module: notifications,
    path: () => "/notifications",
    viewer: fan,
    trips: 2,
  },
  { name: "messages", module: messages, path: () => "/messages", viewer: fan, trips: 1 },
  { name: "events", module: events, path: () => "/events", viewer: fan, trips: 1 },
  { name: "explore", module: explore, path: () => "/explore", viewer: fan, trips: 1 },
  {
    name: "a misspelled search",
    module: explore,
    path: () => "/explore?q=rabeka",
    viewer: fan,
    trips: 4,
  },
  {
    name: "a further page of the feed",
    module: feedPage,
    path: () => "/resources/feed?cursor=1_0",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the number of new posts in the feed",
    module: feedNews,
    path: () => "/resources/feed-news?since=1_0",
    viewer: fan,
    trips: 1,
  },
  {
    name: "a further page of a search",
    module: explorePage,
    path: () => "/resources/explore?q=ensaio&cursor=9_0",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the checkout",
    module: checkout,
    path: () => `/checkout?plan=${ana.planId}`,
    viewer: fan,
    trips: 3,
  },
  {
    name: "the checkout of one post",
    module: checkout,
    path: () => `/checkout?post=${soldId}`,
    viewer: fan,
    trips: 2,
  },
  {
    name: "purchases",
    module: purchases,
    path: () => "/settings/purchases",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the checkout of a gift",
    module: giftPage,
    path: () => `/plan/${ana.planId}/gift`,
    params: () => ({ planId: ana.planId }),
    viewer: fan,
    trips: 3,
  },
  {
    name: "a gift, by its code",
    module: claimPage,
    path: () => `/gift/${given.code}`,
    params: () => ({ code: given.code }),
    viewer: nobody,
    trips: 1,
  },
  {
    name: "a gift for its giver",
    module: givenPage,
    path: () => `/settings/gifts/${given.gift.id}`,
    params: () => ({ id: given.gift.id }),
    viewer: fan,
    trips: 2,
  },
  {
    name: "a shared Pix",
    module: sharedPixPage,
    path: () => `/pix/${sharedToken}`,
    params: () => ({ token: sharedToken }),
    viewer: nobody,
    trips: 1,
  },
  {
    name: "the checkout of a trial",
    module: checkout,
    path: () => `/checkout?plan=${tried.planId}`,
    viewer: fan,
    trips: 4,
  },
  {
    name: "a card to confirm",
    module: trialSetup,
    path: () => `/checkout/trial/${setupId}`,
    params: () => ({ setupId }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "a payment",
    module: chargePage,
    path: () => `/checkout/${chargeId}`,
    params: () => ({ chargeId }),
    viewer: fan,
    trips: 2,
  },
  {
    name: "transactions",
    module: transactions,
    path: () => "/settings/transactions",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the payments received, filtered",
    module: transactions,
    path: () => `/settings/transactions?face=received&state=paid&person=${bruno.username}`,
    viewer: creator,
    trips: 1,
  },
  {
    name: "one transaction",
    module: transactionPage,
    path: () => `/settings/transactions/${chargeId}`,
    params: () => ({ id: chargeId }),
    viewer: creator,
    trips: 1,
  },
  {
    name: "the disputes of a page",
    module: disputesPage,
    path: () => "/settings/transactions/disputes",
    viewer: creator,
    trips: 1,
  },
  {
    name: "one dispute",
    module: disputePage,
    path: () => `/settings/transactions/disputes/${disputeId}`,
    params: () => ({ id: disputeId }),
    viewer: creator,
    trips: 1,
  },
  {
    name: "the billing settings",
    module: billingPage,
    path: () => "/settings/billing",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the settings of the profile",
    module: profileSettings,
    path: () => "/settings/profile",
    viewer: creator,
    trips: 1,
  },
  {
    name: "subscriptions",
    module: subscriptionsPage,
    path: () => "/settings/subscriptions",
    viewer: fan,
    trips: 1,
  },
  {
    name: "a subscription",
    module: subscriptionPage,
    path: () => `/settings/subscriptions/${subscriptionId}`,
    params: () => ({ id: subscriptionId }),
    viewer: fan,
    trips: 3,
  },
  {
    name: "the price change of a subscription",
    module: subscriptionPrice,
    path: () => `/settings/subscriptions/${askedSubscriptionId}/price`,
    params: () => ({ id: askedSubscriptionId }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "the plans to change to",
    module: subscriptionPlans,
    path: () => `/settings/subscriptions/${subscriptionId}/plan`,
    params: () => ({ id: subscriptionId }),
    viewer: fan,
    trips: 5,
  },
  {
    name: "one plan to change to",
    module: subscriptionPlan,
    path: () => `/settings/subscriptions/${subscriptionId}/plan/${higherPriceId}`,
    params: () => ({ id: subscriptionId, priceId: higherPriceId }),
    viewer: fan,
    trips: 6,
  },
  {
    name: "vacation",
    module: vacationPage,
    path: () => "/me/vacation?days=14",
    viewer: creator,
    trips: 1,
  },
  {
    name: "a plan with subscribers at older prices",
    module: planUpdate,
    path: () => `/plan/${dearer.planId}/update`,
    params: () => ({ planId: dearer.planId }),
    viewer: () => asMember(dearer, true),
    trips: 5,
  },
  {
    name: "a first step",
    module: firstStep,
    path: () => "/me/first-steps/photo",
    viewer: () => asMember(dearer, true),
    trips: 1,
  },
  {
    name: "a price change to propose",
    module: planPrice,
    path: () => `/plan/${dearer.planId}/price/${dearer.newPriceId}`,
    params: () => ({ planId: dearer.planId, priceId: dearer.newPriceId }),
    viewer: () => asMember(dearer, true),
    trips: 3,
  },
  {
    name: "subscribers",
    module: subscribers,
    path: () => "/me/subscribers",
    viewer: creator,
    trips: 1,
  },
  {
    name: "subscribers, filtered",
    module: subscribers,
    path: () => `/me/subscribers?search=bruno&status=active&plan=${ana.planId}`,
    viewer: creator,
    trips: 1,
  },
  {
    name: "the member's documents",
    module: checkDocuments,
    path: () => "/settings/check-documents",
    viewer: creator,
    trips: 1,
  },
  {
    name: "documents for a moderator",
    module: moderatedDocuments,
    path: () => `/admin/documents/${ana.id}`,
    params: () => ({ personId: ana.id }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "the staff's home",
    module: adminHome,
    path: () => "/admin",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the open reports",
    module: reportCases,
    path: () => "/admin/reports",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the member's reports",
    module: ownReports,
    path: () => "/settings/reports",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the queue of documents",
    module: documentsQueue,
    path: () => "/admin/documents",
    viewer: fan,
    trips: 1,
  },
  {
    name: "reconciliation",
    module: reconciliation,
    path: () => "/admin/reconciliation?state=all&kind=amount",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the quarantined deliveries",
    module: deliveries,
    path: () => "/admin/reconciliation/deliveries",
    viewer: fan,
    trips: 1,
  },
  {
    name: "one quarantined delivery",
    module: deliveryAside,
    path: () => "/admin/reconciliation/deliveries/d1",
    params: () => ({ id: "d1" }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "one reconciliation run",
    module: reconciliationNight,
    path: () => "/admin/reconciliation/nights/n1",
    params: () => ({ runId: "n1" }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "one difference",
    module: reconciliationDifference,
    path: () => "/admin/reconciliation/d1",
    params: () => ({ id: "d1" }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "everybody's payouts",
    module: payoutsDesk,
    path: () => "/admin/payouts?view=all",
    viewer: fan,
    trips: 2,
  },
  {
    name: "the accounts of a kind",
    module: ledgerKind,
    path: () => "/admin/ledger/kinds/creator_pending",
    params: () => ({ kind: "creator_pending" }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "the accounts of a person",
    module: ledgerAccounts,
    path: () => `/admin/ledger/accounts?username=${ana.username}`,
    viewer: fan,
    trips: 2,
  },
  {
    name: "the entries of an account",
    module: ledgerAccount,
    path: () => `/admin/ledger/accounts/creator_pending:${ana.id}`,
    params: () => ({ accountId: `creator_pending:${ana.id}` }),
    viewer: fan,
    trips: 2,
  },
  {
    name: "some entries of an account",
    module: ledgerAccount,
    path: () => "/admin/ledger/accounts/platform_fees?kind=charge.succeeded",
    params: () => ({ accountId: "platform_fees" }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "one ledger posting",
    module: ledgerPosting,
    path: () => `/admin/ledger/postings/charge:${chargeId}:succeeded`,
    params: () => ({ named: `charge:${chargeId}:succeeded` }),
    viewer: fan,
    trips: 1,
  },
  { name: "the ledger", module: ledgerPage, path: () => "/admin/ledger", viewer: fan, trips: 2 },
  {
    name: "the platform's own money",
    module: ledgerPlatform,
    path: () => "/admin/ledger/platform",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the unclaimed balances",
    module: ledgerUnclaimed,
    path: () => "/admin/ledger/unclaimed",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the refunds that the platform pays",
    module: ledgerPlatformRefunds,
    path: () => "/admin/ledger/platform/refunds",
    viewer: fan,
    trips: 1,
  },
  {
    name: "members with many cooling-off refunds",
    module: regrets,
    path: () => "/admin/disputes/regrets",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the cooling-off refunds of a member",
    module: regretPerson,
    path: () => `/admin/disputes/regrets/${regretterId}`,
    params: () => ({ personId: regretterId }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "the margin of a month",
    module: margin,
    path: () => "/admin/margin",
    viewer: fan,
    trips: 1,
  },
  {
    name: "the payments of a margin line",
    module: marginGroup,
    path: () => "/admin/margin/pix-1",
    params: () => ({ group: "pix-1" }),
    viewer: fan,
    trips: 1,
  },
  {
    name: "what a creator owes, and why",
    module: debtPage,
    path: () => "/settings/transfers/debt",
    viewer: creator,
    trips: 1,
  },
  {
    name: "the batches of payouts",
    module: payoutBatches,
    path: () => "/admin/payouts/batches",
    viewer: fan,
    trips: 2,
  },
  {
    name: "one batch of payouts",
    module: payoutBatch,
    path: () => "/admin/payouts/batches/2026-01-05",
    params: () => ({ day: "2026-01-05" }),
    viewer: fan,
    trips: 3,
  },
  {
    name: "transfers",
    module: transfers,
    path: () => "/settings/transfers",
    viewer: creator,
    trips: 3,
  },
  {
    name: "the releases of a day",
    module: releasesPage,
    path: () => "/settings/transfers/releases?dia=2026-12-01",
    viewer: creator,
    trips: 1,
  },
  {
    name: "the statement of a year",
    module: yearPaper,
    path: () => "/settings/transfers/resumo",
    viewer: creator,
    trips: 2,
  },
  {
    name: "the statement of a month",
    module: monthPaper,
    path: () => "/settings/transfers/extrato",
    viewer: creator,
    trips: 3,
  },
  {
    name: "the invoices of the fee",
    module: fiscalMonths,
    path: () => "/admin/fiscal",
    viewer: creator,
    trips: 1,
  },
  {
    name: "the entries behind a figure of a statement",
    module: paperFigures,
    path: () => "/settings/transfers/figures?figure=net",
    viewer: creator,
    trips: 2,
  },
  {
    name: "the payout timeline",
    module: moneyTimeline,
    path: () => "/settings/transfers/timeline",
    viewer: creator,
    trips: 2,
  },
  {
    name: "the payout timeline of a creator, for staff",
    module: payoutPerson,
    path: () => `/admin/payouts/people/${ana.id}`,
    params: () => ({ personId: ana.id }),
    viewer: fan,
    trips: 3,
  },
];

test.each(pages)(
  "$name takes at most $trips round trips to the database",
  async ({ module, path, params, viewer, trips }) => {
    const request = new Request(`${testEnv.APP_ORIGIN}${path()}`);
    const context = new RouterContextProvider();
    context.set(domainContext, world.ctx);
    const seen = viewer();
    context.set(viewerContext, seen);
    if (seen) {
      context.set(memberContext, seen);
      context.set(actorContext, ownActor(seen));
    }
    context.set(cloudflareContext, {
      env: testEnv,
      ctx: {
        waitUntil() {},
        passThroughOnException() {},
        props: {},
      } as unknown as ExecutionContext,
    });
    counted.reset();
    const args = {
      request,
      url: new URL(request.url),
      params: params?.() ?? {},
      context,
      pattern: "",
    } as unknown as LoaderFunctionArgs;
    await module.loader(args as never);
    expect(counted.count()).toBeGreaterThan(0);
    expect(counted.count()).toBeLessThanOrEqual(trips);
  },
);
