import { expect, test } from "vitest";
import { creatorsForFront } from "#app/domain/profiles/rules/front.ts";

const creator = (name: string, postsCount: number, banner: boolean, avatar: boolean) => ({
  name,
  postsCount,
  bannerMediaId: banner ? "b" : null,
  avatarMediaId: avatar ? "a" : null,
});

test("the first page shows who publishes, with pictures first, and otherwise in the given order", () => {
  const found = [
    creator("plain", 3, false, false),
    creator("silent", 0, true, true),
    creator("face", 1, false, true),
    creator("whole", 2, true, true),
    creator("banner", 9, true, false),
    creator("other whole", 1, true, true),
  ];
  const names = (limit: number) => creatorsForFront(found, limit).map(({ name }) => name);
  expect(names(6)).toEqual(["whole", "other whole", "banner", "face", "plain"]);
  expect(names(2)).toEqual(["whole", "other whole"]);
  expect(creatorsForFront([], 6)).toEqual([]);
});
