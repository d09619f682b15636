import { expect, test } from "vitest";
import {
  campaignOf,
  countryOf,
  deviceClass,
  isCountable,
  referrerHost,
} from "#app/domain/analytics/views/rules.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const PIXEL =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";
const GALAXY_TAB =
  "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";

const visit = {
  userAgent: FIREFOX,
  referrer: "",
  url: "https://coreto.com.br/space/ana/public",
  isOptedOut: false,
  hasRefused: false,
  isAhead: false,
};

test("a person with a browser counts", () => {
  expect(isCountable(visit)).toBe(true);
});

test.each([
  ["a search engine", { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)" }],
  ["a script", { userAgent: "curl/8.9.1" }],
  ["a chat's preview", { userAgent: "WhatsApp/2.24" }],
  ["a request without a browser's name", { userAgent: "" }],
  ["who asks not to be tracked", { isOptedOut: true }],
  ["who refused measurement here", { hasRefused: true }],
  ["a page that was fetched ahead", { isAhead: true }],
])("%s does not count", (_, change) => {
  expect(isCountable({ ...visit, ...change })).toBe(false);
});

test.each([
  [FIREFOX, "desktop"],
  [IPHONE, "phone"],
  [PIXEL, "phone"],
  [GALAXY_TAB, "tablet"],
  ["SomeTV/1.0", "other"],
])("%s is a %s", (userAgent, device) => {
  expect(deviceClass(userAgent)).toBe(device);
});

test.each([
  ["https://www.instagram.com/stories/x?token=1", "instagram.com"],
  ["https://t.co/abc", "t.co"],
  ["https://coreto.com.br/explore", ""],
  ["android-app://com.example", ""],
  ["", ""],
  ["no address", ""],
])("of the referrer %j only the host %j is kept", (referrer, host) => {
  expect(referrerHost(referrer, visit.url)).toBe(host);
});

test.each([
  ["?utm_campaign=Turn%C3%AA-2026", "turnê-2026"],
  ["?utm_campaign=ana%40exemplo.test", ""],
  [`?utm_campaign=${"a".repeat(61)}`, ""],
  ["?utm_source=bio", ""],
])("the campaign of %s is %j", (search, campaign) => {
  expect(campaignOf(`https://coreto.com.br/${search}`)).toBe(campaign);
});

test("an unknown country is none", () => {
  expect(["BR", "XX", "T1", "br", ""].map(countryOf)).toEqual(["BR", "", "", "", ""]);
});
