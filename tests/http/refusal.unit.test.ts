import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { StaleWrite } from "#app/db/errors.ts";
import { Refusal } from "#app/domain/errors.ts";
import { isFault } from "#app/http/refusal.ts";

test.each<[string, unknown]>([
  ["a refusal", new Refusal("conflict", "Já mudou.")],
  ["a write that came second", new StaleWrite()],
  ["an address that leads nowhere", new ErrorResponse(404, "Not Found", "")],
  ["a method that a page has not", new ErrorResponse(405, "Method Not Allowed", "")],
])("%s is no fault, so that many of them do not flood the error log", (_what, error) =>
  expect(isFault(error)).toBe(false),
);

test.each<[string, unknown]>([
  ["what nobody expected", new TypeError("Invalid header value.")],
  ["what the server answers to itself", new ErrorResponse(500, "Internal Server Error", "")],
  ["what is not even an error", "x"],
])("%s is a fault", (_what, error) => expect(isFault(error)).toBe(true));
