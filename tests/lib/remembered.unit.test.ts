import fc from "fast-check";
import { expect, test } from "vitest";
import { remembered } from "#app/lib/remembered.ts";

const counting = (most: number) => {
  const made: string[] = [];
  const of = remembered((text) => (made.push(text), `${text}!`), { most });
  return { made, of };
};

test("a text is made once, and an empty one too", () => {
  const { made, of } = counting(100);
  expect([of("a"), of(""), of("a"), of("")]).toEqual(["a!", "!", "a!", "!"]);
  expect(made).toEqual(["a", ""]);
});

test("beyond its size everything is forgotten, and what is larger is never kept", () => {
  const { made, of } = counting(6);
  for (const text of ["a", "b", "a", "a long text", "a"]) of(text);
  expect(made).toEqual(["a", "b", "a long text"]);
  for (const text of ["c", "a"]) of(text);
  expect(made.slice(3)).toEqual(["c", "a"]);
});

test("the result is always that of the function", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(20), (texts, most) => {
      const { of } = counting(most);
      expect(texts.map(of)).toEqual(texts.map((text) => `${text}!`));
    }),
  );
});
