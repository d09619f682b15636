import type { DayNumber, Instant } from "#app/domain/time.ts";

/** The subject of the views of a creator's page itself. A post's views have its id. */
export const PAGE_SUBJECT = "page";

/**
 * A page that was opened, a file that began to play, how long a post was read, and how much of a
 * file was played.
 */
export type ViewKind = "view" | "play" | "read" | "reach";

/** Nobody is counted as reading a page for longer, in seconds. */
export const LONGEST_READ_SECONDS = 30 * 60;
/** The steps of a file that was played: each is a twentieth. */
export const REACH_STEPS = 20;

export type DeviceClass = "phone" | "tablet" | "desktop" | "other";

/** One view or play, without anything that names a person. */
export type ViewPoint = {
  creatorId: string;
  /** The creator's time zone, an IANA name: it decides to which day the view belongs. */
  timeZone: string;
  /** A post's id, or `PAGE_SUBJECT`. */
  subject: string;
  kind: ViewKind;
  /** A digest that is the same for one visitor of this creator within one day, and only there. */
  visitor: string;
  /** The host that linked here; empty for none, and for our own pages. */
  referrer: string;
  /** The campaign of the link (`utm_campaign`); empty for none. */
  campaign: string;
  /** The slug of the creator's link (`l`); empty for none. */
  link: string;
  device: DeviceClass;
  /** Two letters (ISO 3166), or empty. */
  country: string;
  /** Seconds of a read, the steps of a reach, and 1 of a view and of a play. */
  value: number;
};

/** By what the views of a day are divided. */
export const viewDimensions = ["referrer", "campaign", "link", "device", "country"] as const;
export type ViewDimension = (typeof viewDimensions)[number];

/** How often something was seen, and by how many visitors. A sampled sum is an estimate. */
export type ViewSum = {
  creatorId: string;
  /** A post's id, `PAGE_SUBJECT`, or null for all of the creator's pages together. */
  subject: string | null;
  kind: "view" | "play";
  count: number;
  visitors: number;
};

export type ViewSourceSum = {
  creatorId: string;
  dimension: ViewDimension;
  value: string;
  count: number;
  visitors: number;
};

/** For how long a post was read, by so many visits that said so. */
export type ReadSum = { creatorId: string; subject: string; reads: number; seconds: number };

/** How many plays of a post's file played so many steps of it, and no more. */
export type ReachSum = { creatorId: string; subject: string; step: number; plays: number };

/** The views of one zone from `from` until before `until`. */
export type ViewRange = { timeZone: string; from: Instant; until: Instant };

/**
 * Where views are recorded and summed. A store may sample: it then keeps one of several points and
 * weighs it, so that `count` is an estimate and `visitors` is a lower bound. Never used for money.
 */
export type ViewStore = {
  /** Records a point. A lost one is no failure: nothing waits for it. */
  record(point: ViewPoint, at: Instant): Promise<void>;
  /** The creators with points of a range, in the order of their ids, from after one of them on. */
  creators(range: ViewRange, page: { after: string | null; limit: number }): Promise<string[]>;
  sums(range: ViewRange, creatorIds: readonly string[]): Promise<ViewSum[]>;
  sourceSums(range: ViewRange, creatorIds: readonly string[]): Promise<ViewSourceSum[]>;
  readSums(range: ViewRange, creatorIds: readonly string[]): Promise<ReadSum[]>;
  reachSums(range: ViewRange, creatorIds: readonly string[]): Promise<ReachSum[]>;
  /** Deletes what is older; a store that forgets by itself does nothing. */
  forget(before: Instant): Promise<void>;
};

/**
 * For how long a store keeps its points, in days. After that a day's sums can not be made again.
 * Source: Cloudflare's docs, "Analytics Engine: Limits" (three months).
 */
export const POINTS_RETENTION_DAYS = 90;

/** A day in a time zone. */
export type ZonedDay = { timeZone: string; day: DayNumber };
