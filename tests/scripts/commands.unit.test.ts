import { expect, test } from "vitest";
import { documentedCommands, RUN_ELSEWHERE, SMALLEST } from "./smallest-commands.ts";

const known = [...Object.keys(SMALLEST), ...Object.keys(RUN_ELSEWHERE)];

test("every documented command has a smallest size, or another test runs it", () => {
  const commands = documentedCommands();
  expect(commands).toContain("npm run bench -- ledger");
  expect(
    commands.filter(
      (command) => !known.some((key) => command.startsWith(key) || key.startsWith(`${command} `)),
    ),
  ).toEqual([]);
});

test("every smallest size belongs to a documented command", () => {
  const commands = documentedCommands();
  expect(
    Object.keys(SMALLEST).filter((key) => !commands.some((command) => command.startsWith(key))),
  ).toEqual([]);
});
