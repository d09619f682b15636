import { expect, test } from "vitest";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import type { WritingSnapshot } from "#app/domain/messages/rules/writing.ts";

const stranger: WritingSnapshot = {
  isSelf: false,
  isUnreachable: false,
  isBlocked: false,
  isSenderCreator: false,
  isRecipientCreator: true,
  isRecipientMinor: false,
  writers: "everyone",
  senderHasChosenPlan: false,
  senderFollows: false,
  recipientFollows: false,
  senderSubscribes: false,
  recipientSubscribes: false,
  senderBox: null,
  recipientBox: null,
  writtenCount: 0,
};

const rows: [string, Partial<WritingSnapshot>, string][] = [
  ["a stranger asks a creator", {}, "request"],
  ["a follower is a stranger too", { senderFollows: true }, "request"],
  ["who the creator follows arrives at once", { recipientFollows: true }, "inbox"],
  ["a subscriber arrives at once", { senderSubscribes: true }, "inbox"],
  [
    "a creator writes to their subscriber",
    { isRecipientCreator: false, isSenderCreator: true, recipientSubscribes: true },
    "inbox",
  ],
  [
    "a creator writes to their follower",
    { isRecipientCreator: false, isSenderCreator: true, recipientFollows: true },
    "inbox",
  ],
  [
    "a creator writes to no stranger",
    { isRecipientCreator: false, isSenderCreator: true },
    "no_follow",
  ],
  ["two members who do not follow", { isRecipientCreator: false }, "no_follow"],
  [
    "two members, the sender follows",
    { isRecipientCreator: false, senderFollows: true },
    "request",
  ],
  [
    "two members, the recipient follows",
    { isRecipientCreator: false, recipientFollows: true },
    "inbox",
  ],
  ["oneself", { isSelf: true }, "unreachable"],
  ["a deleted account", { isUnreachable: true }, "unreachable"],
  ["across a block", { isBlocked: true, recipientBox: "inbox" }, "unreachable"],
  ["followers only, a stranger", { writers: "followers" }, "followers_only"],
  ["followers only, a follower", { writers: "followers", senderFollows: true }, "request"],
  ["followers only, a subscriber", { writers: "followers", senderSubscribes: true }, "inbox"],
  [
    "subscribers only, a follower",
    { writers: "subscribers", senderFollows: true },
    "subscribers_only",
  ],
  ["subscribers only, a subscriber", { writers: "subscribers", senderSubscribes: true }, "inbox"],
  [
    "some plans, a subscriber of another",
    { writers: "plans", senderSubscribes: true },
    "plans_only",
  ],
  [
    "some plans, a subscriber of one",
    { writers: "plans", senderSubscribes: true, senderHasChosenPlan: true },
    "inbox",
  ],
  ["nobody, a subscriber", { writers: "nobody", senderSubscribes: true }, "nobody"],
  ["nobody, the creator whom they pay", { writers: "nobody", recipientSubscribes: true }, "inbox"],
  ["nobody, but the conversation is open", { writers: "nobody", recipientBox: "inbox" }, "inbox"],
  ["an archived conversation is open", { writers: "nobody", recipientBox: "archived" }, "inbox"],
  ["under 18, a stranger", { isRecipientMinor: true }, "unreachable"],
  ["under 18, who they follow", { isRecipientMinor: true, recipientFollows: true }, "inbox"],
  ["under 18, in a conversation", { isRecipientMinor: true, recipientBox: "inbox" }, "inbox"],
  ["a request goes on", { recipientBox: "request", writtenCount: 2 }, "request"],
  ["a request is full", { recipientBox: "request", writtenCount: 3 }, "waits_for_answer"],
  [
    "a full request, and now they pay",
    { recipientBox: "request", writtenCount: 3, senderSubscribes: true },
    "inbox",
  ],
  [
    "a full request, and now the recipient follows",
    { recipientBox: "request", writtenCount: 3, recipientFollows: true },
    "inbox",
  ],
  [
    "a refused request stays, even for who pays",
    { recipientBox: "refused", writtenCount: 3, senderSubscribes: true },
    "waits_for_answer",
  ],
  ["a refused request looks alike", { recipientBox: "refused", writtenCount: 2 }, "request"],
  [
    "a refused request is full alike",
    { recipientBox: "refused", writtenCount: 3 },
    "waits_for_answer",
  ],
];

test.each(rows)("%s", (_, snapshot, expected) => {
  const { box, problem } = decideWriting({ ...stranger, ...snapshot });
  expect(box ?? problem).toBe(expected);
});
