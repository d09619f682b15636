import { expect, test } from "vitest";
import { mainAction } from "#app/components/shell/navigation/navigation.ts";

const nobody = {
  uncompletedFeatures: true,
  isCreator: false,
  publishes: false,
  isModerator: false,
  hasTeams: false,
};

test.each([
  ["a creator", { ...nobody, isCreator: true, publishes: true }, "/post/create"],
  [
    "a creator of the staff",
    { ...nobody, isCreator: true, publishes: true, isModerator: true },
    "/post/create",
  ],
  [
    "who only looks at another's page",
    { ...nobody, isCreator: true, hasTeams: true },
    "/analytics",
  ],
  ["the staff", { ...nobody, isModerator: true }, "/admin"],
  ["a member of a team", { ...nobody, hasTeams: true }, "/settings/teams/acting"],
  ["everybody else", nobody, "/space/create"],
])("the main button leads %s to what they may do", (_, who, to) => {
  expect(mainAction(who).to).toBe(to);
});
