import { expect, test } from "vitest";
import { readRouteTable } from "#tests/support/route-table.ts";
import {
  CONVERSATION_ADDRESSES,
  OTHER_MESSAGE_ADDRESSES,
} from "#tests/support/message-addresses.ts";

test("every address of messages is one that outsiders are tested at", async () => {
  const table = await readRouteTable();
  const fullPath = (id: string | undefined): string => {
    const route = table.find((one) => one.id === id);
    if (!route) return "";
    return [fullPath(route.parentId), route.path].filter(Boolean).join("/");
  };
  const addresses = table
    .filter(({ path, index }) => path !== undefined || index)
    .map(({ id }) => fullPath(id))
    .filter((path) => /(^|\/)(messages|conversations)(\/|$)/.test(path));
  expect(new Set(addresses)).toEqual(
    new Set<string>([...CONVERSATION_ADDRESSES, ...OTHER_MESSAGE_ADDRESSES]),
  );
});
