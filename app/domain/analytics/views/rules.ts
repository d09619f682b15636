import { isbot } from "isbot";
import { linkMarkOf } from "#app/lib/link-mark.ts";
import type { DeviceClass } from "./schema.ts";

/** What a request says about who opened a page. */
export type VisitRequest = {
  userAgent: string;
  /** The whole `Referer`, or empty. */
  referrer: string;
  /** The address that was asked for. */
  url: string;
  /** Whether the browser asks not to be measured (Do Not Track, or Global Privacy Control). */
  isOptedOut: boolean;
  /** Whether the visitor refused measurement on our own page of cookies. */
  hasRefused: boolean;
  /** Whether a browser fetched the page ahead, and nobody saw it. */
  isAhead: boolean;
};

/**
 * Whether a visit may be counted. Not counted are bots, requests without a browser's name, pages
 * fetched ahead, and who asked not to be measured.
 */
export function isCountable(visit: VisitRequest): boolean {
  if (visit.isOptedOut || visit.hasRefused || visit.isAhead) return false;
  return visit.userAgent !== "" && !isbot(visit.userAgent);
}

const TABLET = /\biPad\b|\bTablet\b|\bSilk\/|\bAndroid\b(?!.*\bMobile\b)/i;
const PHONE = /\biPhone\b|\biPod\b|\bMobile\b/i;
const DESKTOP = /\bWindows NT\b|\bMacintosh\b|\bX11\b|\bCrOS\b/i;

/** Returns the class of a device by the browser's name. */
export function deviceClass(userAgent: string): DeviceClass {
  if (TABLET.test(userAgent)) return "tablet";
  if (PHONE.test(userAgent)) return "phone";
  return DESKTOP.test(userAgent) ? "desktop" : "other";
}

const LONGEST_HOST = 80;

/**
 * Returns the host that linked to `url`, without `www.`; empty for none, for what is no web address
 * and for our own pages. Path and query are never kept: they may name a person.
 */
export function referrerHost(referrer: string, url: string): string {
  const from = URL.parse(referrer);
  if (from === null || !/^https?:$/.test(from.protocol)) return "";
  if (from.host === URL.parse(url)?.host) return "";
  return from.hostname.replace(/^www\./, "").slice(0, LONGEST_HOST);
}

const CAMPAIGN = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u;

/**
 * Returns the campaign of an address (`utm_campaign`), in lower case; empty for none. Refuses what
 * is longer than 60 characters or has others than letters, digits, spaces, dots, hyphens and
 * underscores, such as an email address.
 */
export function campaignOf(url: string): string {
  const text = URL.parse(url)?.searchParams.get("utm_campaign")?.trim().toLowerCase() ?? "";
  return CAMPAIGN.test(text) ? text : "";
}

/** Returns the slug of the creator's link in an address; empty for none. */
export function linkOf(url: string): string {
  const search = URL.parse(url)?.searchParams;
  return (search && linkMarkOf(search)) ?? "";
}

/** Returns a country's two letters, or nothing for an unknown one (`XX`) and for Tor (`T1`). */
export const countryOf = (code: string): string =>
  /^[A-Z]{2}$/.test(code) && code !== "XX" ? code : "";
