import { expect, test } from "vitest";
import { publicationSchema } from "#app/domain/posts/schema/composing.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { captionsProblem } from "#app/domain/media/rules/captions.ts";
import { spaceSchema } from "#app/domain/profiles/schema.ts";
import { usernameSchema } from "#app/domain/identity/schema.ts";
import { fullNameSchema } from "#app/domain/documents/schema.ts";
import { cpfSchema } from "#app/domain/identity/tax-ids/schema.ts";
import { birthDateSchema } from "#app/domain/identity/registration/schema/birth-date.ts";
import { cpfOf } from "#drizzle/seed/life/people.ts";
import { creators } from "#drizzle/seed/town/creators.ts";
import { shippedFile, seedFiles } from "#drizzle/seed/town/files.ts";
import { fans } from "#drizzle/seed/town/fans.ts";

test("the seeded world has twelve creators, sixty fans and 240 posts", () => {
  expect(creators).toHaveLength(12);
  expect(fans).toHaveLength(60);
  expect(creators.flatMap(({ posts }) => posts)).toHaveLength(240);
  expect(new Set([...creators, ...fans].map(({ username }) => username)).size).toBe(72);
});

test("each creator has posts with every kind of access", () => {
  for (const { posts } of creators) {
    expect(new Set(posts.map(({ opening }) => opening))).toEqual(
      expect.objectContaining(
        new Set(["public", "followers", "subscribers", "plan2", "early", "paid"]),
      ),
    );
    expect(posts.filter(({ opening }) => opening === "public").length).toBeGreaterThanOrEqual(6);
  }
});

test("no title is used twice", () => {
  const titles = creators.flatMap(({ posts }) => posts.map(({ title }) => title));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test("every seeded text passes the product's own forms", () => {
  for (const creator of creators) {
    expect(usernameSchema.safeParse(creator.username).success).toBe(true);
    expect(spaceSchema.safeParse(creator).success).toBe(true);
    expect(fullNameSchema.safeParse(creator.fullName).success).toBe(true);
    expect(birthDateSchema.safeParse(creator.birthDate).success).toBe(true);
    for (const plan of creator.plans) {
      for (const { interval, amountCents } of plan.prices) {
        const price = (amountCents / 100).toFixed(2).replace(".", ",");
        const form = {
          ...plan,
          benefits: plan.benefits.join("\n"),
          price,
          interval,
          seats: plan.seatsLimit === null ? "" : String(plan.seatsLimit),
        };
        expect(planSchema.safeParse(form).error?.issues).toBeUndefined();
      }
    }
    for (const post of creator.posts) {
      expect(
        publicationSchema.safeParse({
          ...post,
          content: post.paragraphs.join("\n\n"),
          ways: "public",
        }).error?.issues,
      ).toBeUndefined();
      expect(post.paragraphs.length).toBeGreaterThanOrEqual(2);
    }
  }
  for (const { username } of fans) expect(usernameSchema.safeParse(username).success).toBe(true);
});

test("the seeded CPFs have valid check digits", () => {
  for (let index = 0; index < 12; index += 1) {
    expect(cpfSchema.safeParse(cpfOf(String(312_045_781 + index * 1_739_203))).success).toBe(true);
  }
});

test("each seeded file belongs to a post, is small, and is described", () => {
  for (const { creator, title, alt, captions, poster } of seedFiles) {
    const maker = creators.find(({ username }) => username === creator);
    expect(maker?.posts.map((one) => one.title)).toContain(title);
    expect(alt.length).toBeGreaterThan(15);
    if (captions) expect(captionsProblem(captions)).toBeNull();
    if (poster) expect(shippedFile(poster).byteLength).toBeLessThan(20_000);
  }
});

test("a seeded file is the same every time it is made", async () => {
  for (const file of seedFiles) {
    const bytes = await file.bytes(0);
    expect(bytes.byteLength).toBeLessThan(100_000);
    expect(Buffer.from(await file.bytes(0)).equals(bytes)).toBe(true);
  }
});
